"""Randomized Budget Perceptron in feature space. Cavallanti, Cesa-Bianchi and Gentile (2007); slides, "Randomized
Budget Perceptron".

margin sum over the cache of y_i K(x_i, x);  update: if the cache holds B supports, remove a random one; add (x, y)
The new support takes the place of the removed one, as in budget.py.
"""

from reference import coin
from reference.learners.kernel import Expansion


class KernelBudget(Expansion):
    name = "kernel-budget"

    def __init__(self, task, B=500, **kernel):
        super().__init__(task, **kernel)
        self.B = B
        self.draws = coin.generator(task.seed, task.index, coin.LEARNING)

    def update(self, x, y):
        if len(self.w) < self.B:
            self.add(x, y)
        else:
            slot = int(self.draws.random() * self.B)
            self.X[slot], self.w[slot] = x, y
