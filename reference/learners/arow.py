"""AROW, adaptive regularization of weight vectors. Crammer, Kulesza and Dredze (2009), Figure 1.

margin mu.x, mu starts at 0, S at I;  where y m < 1, beta = 1 / (x'Sx + r):
mu += beta (1 - y m) y S x;  S -= beta S x x' S;  spread x'Sx / r
`form` selects how askfew computes this, and changes no result.
"""

import numpy as np

from reference.learners.learner import Learner


class Arow(Learner):
    name = "arow"
    slow = True
    default_policy = "margin"

    def __init__(self, task, r=1.0, form="auto"):
        self.r = r
        self.mu = np.zeros(task.dimension)
        self.S = np.eye(task.dimension)

    def margin(self, x):
        return float(self.mu @ x)

    def loses(self, margin, y):
        return y * margin < 1

    def spread(self, x):
        return float(x @ self.S @ x) / self.r

    def update(self, x, y):
        m = self.margin(x)
        if not self.loses(m, y):  # with the policy asked; Figure 1 changes neither mu nor S without a loss
            return
        Sx = self.S @ x
        beta = 1 / (x @ Sx + self.r)
        self.mu = self.mu + beta * (1 - y * m) * y * Sx
        self.S = self.S - beta * np.outer(Sx, Sx)
