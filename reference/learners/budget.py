"""Randomized Budget Perceptron. Cavallanti, Cesa-Bianchi and Gentile (2007); Cesa-Bianchi's slides, "A randomized
perceptron".

margin sum over the cache of K(v, x), K(v, x) = v.x;  update: if the cache holds B supports, remove a random one;
add y x
The new support takes the place of the removed one, floor(u B) with u the next draw of the learner's own random numbers.
"""

from reference import coin
from reference.learners.learner import Learner


class Budget(Learner):
    name = "budget"

    def __init__(self, task, B):
        self.B = B
        self.cache = []
        self.draws = coin.generator(task.seed, task.index, coin.LEARNING)

    def margin(self, x):
        return float(sum(v @ x for v in self.cache))

    def update(self, x, y):
        if len(self.cache) < self.B:
            self.cache.append(y * x)
        else:
            self.cache[int(self.draws.random() * self.B)] = y * x
