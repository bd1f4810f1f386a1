"""Ellipsoid method with deep cuts. Cesa-Bianchi's slides, "The cone of consistent hyperplanes"; Bland, Goldfarb and
Todd, "The ellipsoid method: a survey", Operations Research 29 (1981), section 3.

margin w.x;  the consistent u of norm <= 1 lie in {u: (u - w)' P^-1 (u - w) <= 1}, w = 0 and P = I at first
update, a = y x / norm x, t = (a'Pa)^1/2, alpha = -a.w / t:  w += (1 + d alpha)/(d + 1) Pa/t,
P = d^2/(d^2 - 1) (1 - alpha^2) (P - 2 (1 + d alpha)/((d + 1)(1 + alpha)) Pa a'P/t^2)
One feature is treated as two. If t < 1e-10, no consistent hyperplane is left: w and P start again.
"""

import numpy as np

from reference.learners.learner import Learner

THINNEST = 1e-10


class Ellipsoid(Learner):
    name = "ellipsoid"
    slow = True
    max_features = 30

    def __init__(self, task):
        self.d = max(2, task.dimension)
        self.start()

    def start(self):
        self.w = np.zeros(self.d)
        self.P = np.eye(self.d)

    def margin(self, x):
        return float(self.w[:len(x)] @ x)

    def update(self, x, y):
        if not np.any(x):
            return
        a = np.zeros(self.d)
        a[:len(x)] = y * x / np.sqrt(x @ x)
        if self.empty(a):
            self.start()
        d, Pa = self.d, self.P @ a
        t = np.sqrt(a @ Pa)
        alpha = -(a @ self.w) / t
        self.w = self.w + (1 + d * alpha) / (d + 1) * Pa / t
        less = 2 * (1 + d * alpha) / ((d + 1) * (1 + alpha)) * np.outer(Pa, Pa) / t**2
        self.P = d**2 / (d**2 - 1) * (1 - alpha**2) * (self.P - less)

    def empty(self, a):
        squared = a @ self.P @ a
        return squared < THINNEST**2 or -(a @ self.w) >= np.sqrt(squared)
