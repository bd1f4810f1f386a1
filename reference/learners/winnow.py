"""Winnow, zero threshold. Cesa-Bianchi, Gentile and Zaniboni (2006), section 3 and Figure 4.

margin w.x, w starts at (1/d, ..., 1/d);  update w'_i = w_i exp(eta y x_i), w_i = w'_i / sum_j w'_j
winnow-balanced is the same on (x, -x), so that a target may have negative weights.
"""

import numpy as np

from reference.learners.learner import Learner


class Winnow(Learner):
    name = "winnow"

    def __init__(self, task, eta):
        self.eta = eta
        self.w = np.full(task.dimension, 1 / task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        scaled = self.w * np.exp(self.eta * y * x)
        self.w = scaled / scaled.sum()


class BalancedWinnow(Winnow):
    name = "winnow-balanced"

    def __init__(self, task, eta):
        super().__init__(task._replace(dimension=2 * task.dimension), eta)

    def margin(self, x):
        """w.(x, -x), computed in two halves, so that equal weights cancel exactly and the first margin is exactly 0."""
        positive, negative = np.split(self.w, 2)
        return float(positive @ x - negative @ x)

    def update(self, x, y):
        super().update(np.concatenate([x, -x]), y)
