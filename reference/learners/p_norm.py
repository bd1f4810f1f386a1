"""p-norm Perceptron. Grove, Littlestone and Schuurmans (2001); Gentile (2003).

margin w.x with w_i = sgn(th_i) |th_i|^(p-1) / norm_p(th)^(p-2), th starts at 0;  update th += y x
"""

import numpy as np

from reference.learners.learner import Learner


class PNorm(Learner):
    name = "p-norm"

    def __init__(self, task, p):
        self.p = p
        self.theta = np.zeros(task.dimension)

    def weights(self):
        norm = np.sum(np.abs(self.theta) ** self.p) ** (1 / self.p)
        if norm == 0:  # the gradient of the potential at 0
            return np.zeros_like(self.theta)
        return np.sign(self.theta) * np.abs(self.theta) ** (self.p - 1) / norm ** (self.p - 2)

    def margin(self, x):
        return float(self.weights() @ x)

    def update(self, x, y):
        self.theta = self.theta + y * x
