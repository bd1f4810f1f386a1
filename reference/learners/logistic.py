"""Logistic regression with implicit steps and one variance per weight. No paper; implicit steps: Kulis and Bartlett (2010).

s(a) = 1/(1 + e^-a);  margin w.x, w and G start at 0;  V_i = max(floor, prior (1 + prior G_i)^-decay)
learns where y m < 1;  the spread is v
v = sum of V_i x_i^2;  m' solves m' = m + v y s(-y m');  w_i += y s(-y m') V_i x_i
G_i += max(p(1-p), p'(1-p')) x_i^2, p = s(m), p' = s(m')
"""

import numpy as np

from reference.learners.learner import Learner


def sigmoid(a):
    return 1 / (1 + np.exp(-a)) if a >= 0 else np.exp(a) / (1 + np.exp(a))


def implicit(m, v, y):
    """m' by halving the bracket between m and m + v y."""
    low, high = y * m, y * m + v
    for _ in range(200):
        middle = (low + high) / 2
        if middle - y * m < v * sigmoid(-middle):
            low = middle
        else:
            high = middle
    return y * (low + high) / 2


def curvature(m):
    return sigmoid(m) * (1 - sigmoid(m))


class Logistic(Learner):
    name = "logistic"
    default_policy = "margin"

    def __init__(self, task, prior, decay, floor):
        self.prior, self.decay, self.floor = prior, decay, floor
        self.w = np.zeros(task.dimension)
        self.G = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def loses(self, margin, y):
        return y * margin < 1

    def variances(self):
        return np.maximum(self.floor, self.prior * (1 + self.prior * self.G) ** -self.decay)

    def spread(self, x):
        return float(self.variances() @ x**2)

    def update(self, x, y):
        V = self.variances()
        m = self.margin(x)
        after = implicit(m, self.spread(x), y)
        self.w = self.w + y * sigmoid(-y * after) * V * x
        self.G = self.G + max(curvature(m), curvature(after)) * x**2
