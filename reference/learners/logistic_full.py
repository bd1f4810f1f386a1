"""Logistic regression with implicit steps and a covariance matrix of the weights. No paper.

s(a) = 1/(1 + e^-a);  margin w.x, w starts at 0, S at prior I
v = x'Sx, the spread;  m' solves m' = m + v y s(-y m');  w += y s(-y m') S x
k = max(p(1-p), p'(1-p')), p = s(m), p' = s(m');  S -= k/(1 + k v) S x x' S;  S += part drift I
part  1; with fall the larger of min(1, fall/n), n labels so far, and of min(1, 10 (c - root of q)/u), at least 0
  e = y s(-y m/root of (1 + pi v/8)), e' the e of the label before, at first 0;  c = sum of e e', u = sum of e^2, q = sum of (e e')^2;
  what is in a sum counts 1/200 less with each further label
"""

import numpy as np

from reference.learners.learner import Learner
from reference.learners.logistic import curvature, implicit, sigmoid


class LogisticFull(Learner):
    name = "logistic-full"
    slow = True
    default_policy = "asked"

    def __init__(self, task, prior, drift, fall):
        self.drift, self.fall = drift, fall
        self.surprises = []
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
        self.surprises.append(y * sigmoid(-y * m / np.sqrt(1 + np.pi * v / 8)))
        self.S = self.S - k / (1 + k * v) * np.outer(Sx, Sx) + self.part() * self.drift * np.eye(len(x))

    def part(self):
        if self.fall == 0:
            return 1
        e = np.array(self.surprises)
        worth = 0.995 ** np.arange(len(e))[::-1]
        products = e * np.concatenate(([0], e[:-1]))
        moved = 10 * (worth @ products - np.sqrt(worth @ products**2)) / (worth @ e**2)
        return max(min(1, self.fall / len(e)), min(1, moved))
