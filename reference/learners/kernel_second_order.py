"""Second-order Perceptron and RLS in feature space. Cesa-Bianchi, Conconi and Gentile (2005), section 4 (dual form).

G: K over the stored instances, y: their labels; G+, y+: the same with x added as the last instance, with label 0;
k+: the last column of G+
margin v'(A + x x')^-1 x = y+' (aI + G+)^-1 k+, because A + x x' = aI + F F' and v = F y+ where the columns of F are
the stored instances and x;  spread x' A^-1 x = (K(x, x) - k' (aI + G)^-1 k) / a
"""

import numpy as np

from reference.learners.kernel import Gram


class KernelSecondOrder(Gram):
    name = "kernel-second-order"

    def __init__(self, task, a=1.0, **kernel):
        super().__init__(task, **kernel)
        self.a = a
        self.y = np.zeros(0)

    def margin(self, x):
        G = self.with_row(x)
        y = np.append(self.y, 0.0)
        return float(y @ np.linalg.solve(self.a * np.eye(len(y)) + G, G[:, -1]))

    def spread(self, x):
        k = self.k(x)
        explained = k @ np.linalg.solve(self.a * np.eye(len(k)) + self.G, k)
        return float(self.K(x, x) - explained) / self.a

    def update(self, x, y):
        self.store(x)
        self.y = np.append(self.y, y)


class KernelRls(KernelSecondOrder):
    name = "kernel-rls"
    default_policy = "asked"
