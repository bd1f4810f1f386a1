"""LASEC in feature space. Moroshko and Crammer (2014), Figure 1 and equations (1) to (5).

The margin is u_T.x_T for the u_1, ..., u_T that minimise (1), b |u_1|^2 + c sum |u_{s+1} - u_s|^2 +
sum (y_s - u_s.x_s)^2, over the stored instances and x = x_T with label 0. This is the same as a random walk u_s that
starts with variance 1/b and steps with variance 1/c, so that u_s.x_s and u_t.x_t have the covariance
H_st = (1/b + (min(s, t) - 1) / c) K(x_s, x_t). With h the last column of H over all T:
margin y' (I + H)^-1 h;  spread H_TT - h' (I + H)^-1 h, where all but H_TT is over the stored instances only
"""

import numpy as np

from reference.learners.kernel import Gram


class KernelLasec(Gram):
    name = "kernel-lasec"

    def __init__(self, task, b=1.0, c=100.0, **kernel):
        if not 0 < b < c:
            raise ValueError(f"kernel-lasec needs 0 < b < c: b = {b:g}, c = {c:g}")
        super().__init__(task, **kernel)
        self.b = b
        self.c = c
        self.y = np.zeros(0)

    def H(self, x):
        s = np.arange(1, len(self.y) + 2)
        return (1 / self.b + (np.minimum.outer(s, s) - 1) / self.c) * self.with_row(x)

    def margin(self, x):
        H = self.H(x)
        y = np.append(self.y, 0.0)
        return float(y @ np.linalg.solve(np.eye(len(y)) + H, H[:, -1]))

    def spread(self, x):
        H = self.H(x)
        h = H[:-1, -1]
        return float(H[-1, -1] - h @ np.linalg.solve(np.eye(len(h)) + H[:-1, :-1], h))

    def update(self, x, y):
        self.store(x)
        self.y = np.append(self.y, y)
