"""DGS. Dekel, Gentile and Sridharan (2010), with the constants of Orabona and Cesa-Bianchi, "Better algorithms for
selective sampling", ICML 2011 (DGS-Mod).

asks iff m^2 <= alpha r (4 S + 36 ln(t / delta)) ln t, where r is the spread and S the sum of r / (1 + r) over the labels
asked so far
"""

import numpy as np

from reference.rules.rule import Rule


class Dgs(Rule):
    name = "dgs"
    needs_spread = True

    def __init__(self, task, alpha=1.0, delta=0.1):
        self.alpha = alpha
        self.delta = delta
        self.sum = 0.0

    def probability(self, t, score):
        width = score.spread * (4 * self.sum + 36 * np.log(t / self.delta)) * np.log(t)
        return float(score.margin**2 <= self.alpha * width)

    def observe(self, query, mistake, updated):
        self.sum += query.score.spread / (1 + query.score.spread)
