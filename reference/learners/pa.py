"""Passive-aggressive. Crammer et al. (2006); Cesa-Bianchi's slides, "Aggressive updates" (Hildreth = pa).

margin w.x, loss l = (1 - y m)+;  update w += eta y x with
pa: eta = l / x.x    pa-1: eta = min(C, l / x.x)    pa-2: eta = l / (x.x + 1/C)
"""

import numpy as np

from reference.learners.learner import Learner


class Pa(Learner):
    name = "pa"
    default_policy = "margin"

    def __init__(self, task):
        self.w = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def loses(self, margin, y):
        return 1 - y * margin > 0

    def update(self, x, y):
        xx = x @ x
        if xx > 0:  # a zero vector cannot change w, and l / x.x is undefined
            loss = max(0.0, 1 - y * self.margin(x))
            self.w = self.w + self.eta(loss, xx) * y * x

    def eta(self, loss, xx):
        return loss / xx


class Pa1(Pa):
    name = "pa-1"

    def __init__(self, task, C):
        super().__init__(task)
        self.C = C

    def eta(self, loss, xx):
        return min(self.C, loss / xx)


class Pa2(Pa):
    name = "pa-2"

    def __init__(self, task, C):
        super().__init__(task)
        self.C = C

    def eta(self, loss, xx):
        return loss / (xx + 1 / self.C)
