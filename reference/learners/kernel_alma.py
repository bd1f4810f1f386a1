"""ALMA_2(alpha; B, C) of Gentile (2001) in feature space, B = 1/alpha, C = sqrt 2.

margin f(x), K(x, x) = 1, k starts at 1;  where y m <= (1 - alpha) B / sqrt k:
f' = f + (C / sqrt k) y K(x, .);  f = f' / max(1, norm f');  k += 1;  norm f^2 = sum_ij w_i w_j K(x_i, x_j)
"""

import numpy as np

from reference.learners.kernel import Expansion, Gram


class KernelAlma(Expansion, Gram):
    name = "kernel-alma"
    default_policy = "margin"
    unit_norm = True

    def __init__(self, task, alpha=0.9, **kernel):
        super().__init__(task, **kernel)
        self.alpha = alpha
        self.B = 1 / alpha
        self.C = np.sqrt(2)
        self.count = 1

    def margin(self, x):
        if np.any(x) and abs(self.K(x, x) - 1) > 1e-6:
            raise ValueError(f"K(x, x) = {self.K(x, x):g}: kernel-alma needs 1")
        return super().margin(x)

    def loses(self, margin, y):
        return bool(y * margin <= (1 - self.alpha) * self.B / np.sqrt(self.count))

    def norm_of_f(self):
        return np.sqrt(self.w @ self.G @ self.w)

    def update(self, x, y):
        self.add(x, self.C / np.sqrt(self.count) * y)
        self.w = self.w / max(1.0, self.norm_of_f())
        self.count += 1
