"""ALMA_2(alpha; B, C) of Gentile (2001), B = 1/alpha, C = sqrt 2; Cesa-Bianchi's slides, "The ALMA algorithm".

margin w.x, norm x = 1, k starts at 1;  where y m <= (1 - alpha) B / sqrt k:
w' = w + (C / sqrt k) y x;  w = w' / max(1, norm w');  k += 1
The slides print w' / norm w'; the projection onto the unit ball is Gentile's.
"""

import numpy as np

from reference.learners.learner import Learner


class Alma(Learner):
    name = "alma"
    default_policy = "margin"
    unit_norm = True

    def __init__(self, task, alpha):
        self.alpha = alpha
        self.B = 1 / alpha
        self.C = np.sqrt(2)
        self.k = 1
        self.w = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def loses(self, margin, y):
        return bool(y * margin <= (1 - self.alpha) * self.B / np.sqrt(self.k))

    def update(self, x, y):
        moved = self.w + self.C / np.sqrt(self.k) * y * x
        self.w = moved / max(1.0, np.sqrt(moved @ moved))
        self.k += 1
