"""The Perceptron inside DKM. Monteleoni and Kaariainen (2007), Figure 1, with the update of Figure 2 (DKMactivePerceptron).

margin w.x, w starts at start y0 x0;  update w += rate y x
"""

import numpy as np

from reference.learners.learner import Learner


class StartedPerceptron(Learner):
    name = "started-perceptron"

    def __init__(self, task, rate=1.0, start=1.0):
        self.rate = rate
        self.first = start
        self.w = np.zeros(task.dimension)
        self.starting = start > 0

    def margin(self, x):
        return float(self.w @ x)

    def start(self, x, y):
        """A zero vector has no direction to start from."""
        if np.any(x):
            self.w = self.first * y * x
            self.starting = False

    def update(self, x, y):
        self.w = self.w + self.rate * y * x
