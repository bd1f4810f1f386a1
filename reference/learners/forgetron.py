"""Self-tuned Forgetron. Dekel, Shalev-Shwartz and Singer, "The Forgetron: a kernel-based Perceptron on a budget",
SIAM Journal on Computing 37 (2008).

margin f(x), f starts at 0, Q at 0, M at 0
update M += 1, f' = f + y K(x, .);  if f' has B + 1 supports, r the oldest, s > 0 its weight and mu = y_r f'(x_r):
Psi(phi) = s^2 phi^2 + 2 s phi (1 - phi mu);  phi = the largest in (0, 1] with Psi(phi) + Q <= 15/32 M
f = phi (f' - s y_r K(x_r, .));  Q += Psi(phi)
"""

import numpy as np

from reference.learners.kernel import Expansion


class Forgetron(Expansion):
    name = "forgetron"

    def __init__(self, task, B=500, **kernel):
        super().__init__(task, **kernel)
        self.B = B
        self.Q = 0.0
        self.M = 0

    def update(self, x, y):
        self.M += 1
        self.add(x, y)
        if len(self.w) > self.B:
            self.remove_oldest()

    def remove_oldest(self):
        s, y_r = abs(self.w[0]), np.sign(self.w[0])
        mu = y_r * self.margin(self.X[0])
        damage = lambda phi: s**2 * phi**2 + 2 * s * phi * (1 - phi * mu)
        phi = largest(lambda phi: damage(phi) + self.Q <= 15 / 32 * self.M)
        self.X, self.w = self.X[1:], phi * self.w[1:]
        self.Q += damage(phi)


def largest(allowed):
    """The largest allowed phi in (0, 1]. 0 is allowed and strictly below the limit: if 1 is not allowed, the parabola
    Psi crosses the limit once in between. Bisection finds the crossing to the last bit."""
    low, high = 0.0, 1.0
    if allowed(high):
        return high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return low
