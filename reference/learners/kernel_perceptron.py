"""Kernel Perceptron. Aizerman, Braverman and Rozonoer (1964); Freund and Schapire (1999); slides, "Kernel Perceptron".

margin f(x), f starts at 0;  update f += rate y K(x, .)
"""

from reference.learners.kernel import Expansion


class KernelPerceptron(Expansion):
    name = "kernel-perceptron"

    def __init__(self, task, rate=1.0, **kernel):
        super().__init__(task, **kernel)
        self.rate = rate

    def update(self, x, y):
        self.add(x, self.rate * y)
