"""Fixed-rate sampling. Cesa-Bianchi, Gentile and Zaniboni (2006), section 4 (the -FIXED variants); Monteleoni and
Kaariainen (2007), section 4.1.

p = q
"""

from reference.rules.rule import Rule


class Random(Rule):
    name = "random"

    def __init__(self, task, q):
        self.q = q

    def probability(self, t, score):
        return self.q
