"""Reflecting Perceptron. Monteleoni and Kaariainen (2007), Figure 1: the update of Dasgupta, Kalai and Monteleoni.

margin v.x, norm x = 1, v starts at y0 x0;  update v -= step (v.x) x
Step 2 is the DKM update, which keeps norm v = 1; step 1 is the modified Perceptron of Blum, Frieze, Kannan and
Vempala (1998).
"""

import numpy as np

from reference.learners.learner import Learner


class Reflect(Learner):
    name = "reflect"
    unit_norm = True

    def __init__(self, task, step=2.0):
        self.step = step
        self.v = np.zeros(task.dimension)
        self.starting = True

    def margin(self, x):
        return float(self.v @ x)

    def start(self, x, y):
        """A zero vector cannot start: the hypothesis must have norm 1."""
        if np.any(x):
            self.v = y * x
            self.starting = False

    def update(self, x, y):
        self.v = self.v - self.step * (self.v @ x) * x
