"""Shifting Perceptron. Cavallanti, Cesa-Bianchi and Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007); compared in Moroshko and Crammer (2014), section 5.

margin w.x;  update k = 0, 1, ...: w = (1 - l_k) w + y x,  l_k = lambda / (lambda + k)
"""

import numpy as np

from reference.learners.learner import Learner


class Shifting(Learner):
    name = "shifting"

    def __init__(self, task, lambda_):
        self.lambda_ = lambda_
        self.k = 0
        self.w = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        shrinking = self.lambda_ / (self.lambda_ + self.k)
        self.w = (1 - shrinking) * self.w + y * x
        self.k += 1
