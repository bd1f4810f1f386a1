"""Margin sampling. Cesa-Bianchi, Gentile and Zaniboni (2006), Figure 1, step (3).

p = b / (b + |m|)
"""

from reference.rules.rule import Rule


class Margin(Rule):
    name = "margin"

    def __init__(self, task, b):
        self.b = b

    def probability(self, t, score):
        return self.b / (self.b + abs(score.margin))
