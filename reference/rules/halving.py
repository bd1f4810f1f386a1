"""Halving threshold. Monteleoni and Kaariainen (2007), Figure 1 and section 3.2 (s starts at 1).

asks iff |m| <= s;  after R asked labels in a row without a mistake, s /= 2 and the count starts again
"""

from reference.rules.rule import Rule


class Halving(Rule):
    name = "halving"

    def __init__(self, task, R, s=1.0):
        self.R = R
        self.s = s
        self.correct = 0

    def probability(self, t, score):
        return float(abs(score.margin) <= self.s)

    def observe(self, query, mistake, updated):
        self.correct = 0 if mistake else self.correct + 1
        if self.correct >= self.R:
            self.s /= 2
            self.correct = 0
