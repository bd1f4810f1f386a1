"""Threshold on the margin. No paper: uncertainty sampling.

asks iff N = 0 or |m| <= b sqrt(1 + r/k), N = updates so far, r = the spread of a learner that has one, else 0
"""

import numpy as np

from reference.rules.rule import Rule


class Threshold(Rule):
    name = "threshold"
    uses_spread = True

    def __init__(self, task, b, k):
        self.b = b
        self.k = k
        self.N = 0

    def probability(self, t, score):
        return float(self.N == 0 or self.critical_scale(t, score) <= self.b)

    def set_scale(self, scale):
        self.b = scale

    def critical_scale(self, t, score):
        """The smallest b that asks; nothing before the first update."""
        return abs(score.margin) / np.sqrt(1 + (score.spread or 0) / self.k) if self.N > 0 else None

    def observe(self, query, mistake, updated):
        self.N += updated
