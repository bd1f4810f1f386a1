"""Projectron. Orabona, Keshet and Caputo, "Bounded kernel-based online learning", JMLR 10 (2009), Figure 1.

margin f(x), f starts at 0;  update, with k = K(S, x) over the supports S, G = K(S, S), d = G^-1 k and
delta^2 = K(x, x) - k.d:  if delta^2 <= eta^2, f += y sum_i d_i K(x_i, .), the projection;  else f += y K(x, .)
"""

import numpy as np

from reference.learners.kernel import Expansion, Gram


class Projectron(Expansion, Gram):
    name = "projectron"

    def __init__(self, task, eta=0.1, **kernel):
        super().__init__(task, **kernel)
        self.eta = eta

    def update(self, x, y):
        k = self.k(x)
        d = np.linalg.solve(self.G, k)
        if self.K(x, x) - k @ d <= self.eta**2:
            self.w = self.w + y * d
        else:
            self.add(x, y)
