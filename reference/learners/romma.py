"""ROMMA, the relaxed online maximum margin algorithm. Li and Long (2002), "The relaxed online maximum margin algorithm".

margin w.x, w starts at 0;  update: w = the shortest u with u.w >= |w|^2 and y u.x >= 1

Both constraints hold with equality, u = c w + d x with
    c = (|x|^2 |w|^2 - y w.x) / (|x|^2 |w|^2 - (w.x)^2)
    d = |w|^2 (y - w.x) / (|x|^2 |w|^2 - (w.x)^2),
unless y x / |x|^2, the shortest u with y u.x >= 1, also satisfies the first constraint. Aggressive ROMMA (policy margin)
updates where y w.x < 1.

Not in the paper: if |u| |x| > 10^3 or c > 10^6, or no u satisfies both, w = y x / |x|^2.
"""

import numpy as np

from reference.learners.learner import Learner


class Romma(Learner):
    name = "romma"

    def __init__(self, task):
        self.w = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def loses(self, margin, y):
        return y * margin < 1

    def update(self, x, y):
        xx, ww, m = x @ x, self.w @ self.w, self.w @ x
        if xx == 0 or y * m >= 1:
            return
        shortest = y * x / xx
        if shortest @ self.w >= ww:
            self.w = shortest
            return
        determinant = xx * ww - m * m
        if determinant > 0:
            c, d = (xx * ww - y * m) / determinant, ww * (y - m) / determinant
            u = c * self.w + d * x
            if (u @ u) * xx <= 1e6 and c <= 1e6:
                shortest = u
        self.w = shortest
