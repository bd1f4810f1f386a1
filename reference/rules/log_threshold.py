"""Logarithmic threshold. Cavallanti, Cesa-Bianchi and Gentile (2008), Figure 1 and section 4 (SS, SSMD, SSNL);
Cesa-Bianchi's slides, "A selective sampling classifier".

asks iff N = 0 or |m| <= norm x sqrt(c ln t / N), N = updates so far
next = 1 (SSNL): this condition, with N > 0, asks for the label of the next round instead.
empty = skip: an instance of norm 0 is never asked (the paper has norm 1).
lambda > 0 (the transient): asks while N <= rho_t = 16 / lambda^2 max(d, ln t) (Theorem 2).
"""

import numpy as np

from reference.rules.rule import Rule


class LogThreshold(Rule):
    name = "log-threshold"

    def __init__(self, task, c, next=0, lambda_=0.0, empty="ask"):
        self.c = c
        self.next = next
        self.lambda_ = lambda_
        self.skips = empty == "skip" and not next
        self.dimension = task.dimension
        self.N = 0
        self.scheduled = False

    def probability(self, t, score):
        if self.skips and score.norm == 0:
            return 0.0
        must_ask = self.N == 0 or self.in_transient(t)
        wants = self.scheduled if self.next else self.small(t, score)
        return float(must_ask or wants)

    def in_transient(self, t):
        return self.lambda_ > 0 and self.N <= 16 / self.lambda_**2 * max(self.dimension, np.log(t))

    def small(self, t, score):
        return self.N > 0 and abs(score.margin) <= score.norm * np.sqrt(self.c * np.log(t) / self.N)

    def decided(self, t, score):
        # In Figure 1, step 4 is an "else" of step 3, the transient, which has asked already.
        self.scheduled = not self.in_transient(t) and self.small(t, score)

    def observe(self, query, mistake, updated):
        self.N += updated
