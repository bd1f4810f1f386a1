"""Passive-aggressive in feature space. Crammer et al. (2006), section 3: K(x, z) replaces each x.z of the algorithm.

margin f(x), loss l = (1 - y m)+;  update f += eta y K(x, .) with
pa: eta = l / K(x, x)    pa-1: eta = min(C, l / K(x, x))    pa-2: eta = l / (K(x, x) + 1/C)
"""

from reference.learners.kernel import Expansion


class KernelPa(Expansion):
    name = "kernel-pa"
    default_policy = "margin"

    def loses(self, margin, y):
        return 1 - y * margin > 0

    def update(self, x, y):
        xx = self.K(x, x)
        if xx > 0:  # K(x, x) = 0 means K(x, .) = 0
            loss = max(0.0, 1 - y * self.margin(x))
            self.add(x, self.eta(loss, xx) * y)

    def eta(self, loss, xx):
        return loss / xx


class KernelPa1(KernelPa):
    name = "kernel-pa-1"

    def __init__(self, task, C=1.0, **kernel):
        super().__init__(task, **kernel)
        self.C = C

    def eta(self, loss, xx):
        return min(self.C, loss / xx)


class KernelPa2(KernelPa):
    name = "kernel-pa-2"

    def __init__(self, task, C=1.0, **kernel):
        super().__init__(task, **kernel)
        self.C = C

    def eta(self, loss, xx):
        return loss / (xx + 1 / self.C)
