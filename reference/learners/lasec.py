"""LASEC, the last-step adaptive classifier. Moroshko and Crammer (2014), Figure 1.

S = (D^-1 + I/c)^-1 + x x', D starts at bc/(c - b) I, e at 0;  margin x' S^-1 (I + D/c)^-1 e
update e = (I + D/c)^-1 e + y x, D = S;  spread x' (D^-1 + I/c) x with D before the update
`form` selects how askfew computes this, and changes no result.
"""

import numpy as np

from reference.learners.learner import Learner


class Lasec(Learner):
    name = "lasec"
    slow = True

    def __init__(self, task, b=1.0, c=100.0, form="auto"):
        if not 0 < b < c:
            raise ValueError(f"lasec needs 0 < b < c: b = {b:g}, c = {c:g}")
        self.c = c
        self.I = np.eye(task.dimension)
        self.D = b * c / (c - b) * self.I
        self.e = np.zeros(task.dimension)

    def drifted(self):
        """D^-1 + I/c."""
        return np.linalg.inv(self.D) + self.I / self.c

    def S(self, x):
        return np.linalg.inv(self.drifted()) + np.outer(x, x)

    def shrunk_e(self):
        """(I + D/c)^-1 e."""
        return np.linalg.solve(self.I + self.D / self.c, self.e)

    def margin(self, x):
        return float(x @ np.linalg.solve(self.S(x), self.shrunk_e()))

    def spread(self, x):
        return float(x @ self.drifted() @ x)

    def update(self, x, y):
        self.e, self.D = self.shrunk_e() + y * x, self.S(x)
