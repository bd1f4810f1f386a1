"""Logistic regression with implicit steps and a covariance matrix of the weights. No paper.

s(a) = 1/(1 + e^-a);  margin w.x, w starts at 0, S at prior I
v = x'Sx, the spread;  m' solves m' = m + v y s(-y m');  w += y s(-y m') S x
k = max(p(1-p), p'(1-p')), p = s(m), p' = s(m');  S -= k/(1 + k v) S x x' S;  S += drift I
"""

import numpy as np

from reference.learners.learner import Learner
from reference.learners.logistic import curvature, implicit, sigmoid


class LogisticFull(Learner):
    name = "logistic-full"
    slow = True
    default_policy = "asked"

    def __init__(self, task, prior, drift):
        self.drift = drift
        self.w = np.zeros(task.dimension)
        self.S = prior * np.eye(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def spread(self, x):
        return float(x @ self.S @ x)

    def update(self, x, y):
        m = self.margin(x)
        Sx = self.S @ x
        v = float(x @ Sx)
        after = implicit(m, v, y)
        k = max(curvature(m), curvature(after))
        self.w = self.w + y * sigmoid(-y * after) * Sx
        self.S = self.S - k / (1 + k * v) * np.outer(Sx, Sx) + self.drift * np.eye(len(x))
