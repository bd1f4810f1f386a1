"""A cut on margins for an aim that is not accuracy: f1, recall=R or precision=P. No paper.

With q the root mean square of the margins of the last 1000 rounds, p(m) = 1/(1 + exp(-a m/q - b)): a and b have the largest posterior
probability given the last 200 asked labels with the priors N(3, 1) and N(0, 1), a at least 0.3.  At 8, 12, 16, ... labels:
  f1           F the largest expected 2 (p_1 + ... + p_j)/(j + sum of p) of these margins, p descending;  half of the margin with p = F/2
of the cuts halfway between two different neighbours among these margins, and q/2 below all,
  recall=R     the largest with p_1 + ... + p_j >= R times the sum of all p, j the margins above it;  at most 0
  precision=P  half of the smallest with p_1 + ... + p_j >= P j, else of the largest margin;  at least 0
"""

import numpy as np


class CalibratedCut:
    def __init__(self, kind, level=0.0):
        self.kind, self.level = kind, level
        self.asked, self.margins, self.labels, self.cut = [], [], 0, 0.0

    def end(self, margin, y, probability, asked):
        """A round is over."""
        self.margins = (self.margins + [margin])[-1000:]
        if asked:
            self.asked = (self.asked + [(margin, y > 0)])[-200:]
            self.labels += 1
            if self.labels >= 8 and self.labels % 4 == 0:
                self.cut = self.choose()

    def choose(self):
        q = np.sqrt(np.mean(np.square(self.margins)))
        if q == 0:
            return 0.0
        m, y = np.array(self.asked).T
        a, b = self.fit(np.stack([m / q, np.ones(len(m))], axis=1), y)
        a = max(a, 0.3)
        margins = -np.sort(-np.array(self.margins))
        found = np.cumsum(1 / (1 + np.exp(-(a * margins / q + b))))
        called = 1 + np.arange(len(margins))
        if self.kind == "f1":
            F = max(0.001, np.max(2 * found / (called + found[-1])))
            return q * (np.log(F / 2 / (1 - F / 2)) - b) / a / 2
        below = np.append(margins[1:], margins[-1] - q)
        cuts = [(cut, found[k], called[k]) for k, cut in enumerate((margins + below) / 2) if below[k] < margins[k]]
        if self.kind == "recall":
            return min(0.0, max(cut for cut, f, _ in cuts if f >= self.level * found[-1]))
        return max(0.0, min((cut for cut, f, n in cuts if f >= self.level * n), default=margins[0]) / 2)

    def fit(self, X, y):
        """Newton's method with steps of at most 1."""
        prior = np.array([3.0, 0.0])
        w = prior
        for _ in range(30):
            p = 1 / (1 + np.exp(-X @ w))
            step = np.linalg.solve(np.eye(2) + X.T @ (X * (p * (1 - p))[:, None]), prior - w + X.T @ (y - p))
            w = w + step / max(1, np.abs(step).max())
            if np.abs(step).max() < 1e-10:
                break
        return w
