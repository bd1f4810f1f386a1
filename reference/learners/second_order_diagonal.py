"""Second-order Perceptron that keeps only the diagonal of A. The diagonal form is askfew's own, from no paper.

margin v'(A + x x')^-1 x = (v' A^-1 x) / (1 + r), spread r = x' A^-1 x, A starts at a I, v at 0
update v += y x, A_ii += x_i^2
"""

import numpy as np

from reference.learners.learner import Learner


class SecondOrderDiagonal(Learner):
    name = "second-order-diagonal"

    def __init__(self, task, a=1.0):
        self.A = np.full(task.dimension, a)
        self.v = np.zeros(task.dimension)

    def margin(self, x):
        return float(np.sum(self.v * x / self.A)) / (1 + self.spread(x))

    def spread(self, x):
        return float(np.sum(x**2 / self.A))

    def update(self, x, y):
        self.v = self.v + y * x
        self.A = self.A + x**2
