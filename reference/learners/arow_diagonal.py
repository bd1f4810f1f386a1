"""AROW that keeps only the diagonal of S: the version in the experiments of Crammer, Kulesza and Dredze (2009).

as arow.py with S_ij = 0 off the diagonal:  mu_i += beta (1 - y m) y S_ii x_i;  S_ii -= beta (S_ii x_i)^2
"""

import numpy as np

from reference.learners.arow import Arow


class ArowDiagonal(Arow):
    name = "arow-diagonal"

    def __init__(self, task, r=1.0):
        super().__init__(task, r)

    def update(self, x, y):
        super().update(x, y)
        self.S = np.diag(np.diag(self.S))
