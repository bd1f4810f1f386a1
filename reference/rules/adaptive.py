"""Margin sampling with an adaptive parameter. Cesa-Bianchi, Gentile and Zaniboni (2006), Figure 2.

p = b / (b + |m|), b = beta X'^2 sqrt(1 + K), X' = max(X, norm x);  on an update: K += 1, X = X'
"""

import numpy as np

from reference.rules.rule import Rule


class Adaptive(Rule):
    name = "adaptive"

    def __init__(self, task, beta):
        self.beta = beta
        self.X = 0.0
        self.K = 0

    def largest_norm(self, norm):
        return max(self.X, norm)

    def probability(self, t, score):
        b = self.beta * self.largest_norm(score.norm) ** 2 * float(np.sqrt(1 + self.K))
        if b + abs(score.margin) == 0:  # only zero vectors so far; a margin of 0 asks, as for any b > 0
            return 1.0
        return b / (b + abs(score.margin))

    def observe(self, query, mistake, updated):
        if updated:
            self.X = self.largest_norm(query.score.norm)
            self.K += 1
