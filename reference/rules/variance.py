"""Variance threshold, BBQ. Cesa-Bianchi, Gentile and Orabona, "Robust bounds for classification via selective
sampling", ICML 2009: with rls, which labels it asks for does not depend on any label.

asks iff r / (1 + r) > t^-kappa, r = the spread: r / (1 + r) = x'(A + x x')^-1 x
"""

from reference.rules.rule import Rule


class Variance(Rule):
    name = "variance"
    needs_spread = True

    def __init__(self, task, kappa=0.3):
        self.kappa = kappa

    def probability(self, t, score):
        r = score.spread
        return float(r / (1 + r) > t**-self.kappa)
