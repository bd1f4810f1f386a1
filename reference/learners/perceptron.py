"""Perceptron. Cesa-Bianchi, Gentile and Zaniboni (2006), Figure 1; rate: Monteleoni and Kaariainen (2007), Figure 2.

margin w.x, w starts at 0;  update w += rate y x
"""

import numpy as np

from reference.learners.learner import Learner


class Perceptron(Learner):
    name = "perceptron"

    def __init__(self, task, rate=1.0):
        self.rate = rate
        self.w = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        self.w = self.w + self.rate * y * x
