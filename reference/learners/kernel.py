"""Learners in the feature space of a kernel K: they use instances only through K. Slides, "On-line learning with kernels".

K(x, z): linear x.z;  polynomial (x.z + offset)^degree;  rbf exp(-gamma |x - z|^2)
`precision` selects how askfew stores the kernel's values, and changes nothing here.
"""

import numpy as np

from reference.learners.learner import Learner

KERNELS = {
    "linear": lambda X, z, gamma, degree, offset: X @ z,
    "polynomial": lambda X, z, gamma, degree, offset: (X @ z + offset) ** degree,
    "rbf": lambda X, z, gamma, degree, offset: np.exp(-gamma * np.sum((X - z) ** 2, axis=1)),
}


class KernelLearner(Learner):
    """Stored instances X, one per row."""

    slow = True

    def __init__(self, task, kernel="rbf", gamma=1.0, degree=3.0, offset=1.0, precision="double"):
        if kernel not in KERNELS:
            raise ValueError(f"no kernel {kernel!r}: one of {', '.join(KERNELS)}")
        self.kernel = lambda X, z: KERNELS[kernel](X, z, gamma, degree, offset)
        self.X = np.zeros((0, task.dimension))

    def k(self, x):
        """K of each stored instance with x."""
        return self.kernel(self.X, x)

    def K(self, x, z):
        return float(self.kernel(x[None, :], z)[0])

    def norm(self, x):
        return float(np.sqrt(self.K(x, x)))

    def store(self, x):
        self.X = np.vstack([self.X, x])


class Expansion(KernelLearner):
    """A hypothesis f = sum_i w_i K(x_i, .), f starts at 0; margin f(x)."""

    def __init__(self, task, **kernel):
        super().__init__(task, **kernel)
        self.w = np.zeros(0)

    def margin(self, x):
        return float(self.w @ self.k(x))

    def add(self, x, weight):
        self.store(x)
        self.w = np.append(self.w, weight)


class Gram(KernelLearner):
    """Keeps G_ij = K(x_i, x_j)."""

    def __init__(self, task, **kernel):
        super().__init__(task, **kernel)
        self.G = np.zeros((0, 0))

    def with_row(self, x):
        """G as if x were stored."""
        k = self.k(x)[:, None]
        return np.block([[self.G, k], [k.T, self.K(x, x)]])

    def store(self, x):
        self.G = self.with_row(x)
        super().store(x)
