"""A cut on margins for an aim that is not accuracy: f1, recall=R or precision=P. No paper.

f1, with q the root mean square of the margins of the last 1000 rounds, p(m) = 1/(1 + exp(-a m/q - b)): a and b have the largest posterior
  probability given the last 200 asked labels with the priors N(3, 1) and N(0, 1), a at least 0.3;  F the largest expected
  2 (p_1 + ... + p_j)/(j + sum of p) of these margins, p descending;  the cut is half of the margin with p = F/2.  At 8, 12, 16, ... labels
recall, precision, and f1 in models of earlier versions (f1-of-counts):
Kept of the last 200 asked labels: margin m when asked, label, weight w = min(20, 1/probability), and the number of rounds since the label
before that could not be asked (probability 0) and had m > 0.  A the sum of those numbers, P the weight of the positives kept.
At 24, 32, ... labels (every 8th from 20 on): of the cuts at the largest margin, halfway between two neighbouring margins, and 1 below all,
with tp and fp the weights of the positives and negatives above the cut,
  f1-of-counts the largest F = 2 (A + tp)/(2 A + tp + fp + P), the largest such cut; 0.7 of it, if F exceeds that of cut 0 by more than
               0.1/sqrt(positives kept + 1), else 0
  recall=R     the largest with (A + tp)/(A + P + 2) >= R, else 1 below all; at most 0
  precision=P  the smallest with (A + tp)/(A + tp + fp + 2) >= P, else the largest margin; at least 0
"""

import numpy as np


class CalibratedCut:
    def __init__(self):
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
        X = np.stack([m / q, np.ones(len(m))], axis=1)
        a, b = self.fit(X, y)
        a = max(a, 0.3)
        p = -np.sort(-1 / (1 + np.exp(-(a * np.array(self.margins) / q + b))))
        F = max(0.001, np.max(2 * np.cumsum(p) / (1 + np.arange(len(p)) + p.sum())))
        return q * (np.log(F / 2 / (1 - F / 2)) - b) / a / 2

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


class AimedCut:
    def __init__(self, kind, level=0.0):
        self.kind, self.level = kind, level
        self.labels = self.passed = 0
        self.kept = []
        self.cut = 0.0

    def end(self, margin, y, probability, asked):
        """A round is over."""
        if not asked:
            self.passed += int(margin > 0 and probability == 0)
            return
        self.kept = (self.kept + [(margin, y, min(20, 1 / probability), self.passed)])[-200:]
        self.passed = 0
        self.labels += 1
        if self.labels >= 20 and self.labels % 8 == 0:
            self.cut = self.choose()

    def counts(self, cut):
        m, y, w, a = np.array(self.kept).T
        return a.sum(), w[y > 0].sum(), w[(y > 0) & (m > cut)].sum(), w[(y < 0) & (m > cut)].sum()

    def f1(self, cut):
        A, P, tp, fp = self.counts(cut)
        return 2 * (A + tp) / (2 * A + tp + fp + P) if 2 * A + tp + fp + P > 0 else 0

    def recall(self, cut):
        A, P, tp, _ = self.counts(cut)
        return (A + tp) / (A + P + 2)

    def precision(self, cut):
        A, _, tp, fp = self.counts(cut)
        return (A + tp) / (A + tp + fp + 2)

    def choose(self):
        margins = sorted({m for m, *_ in self.kept}, reverse=True)
        cuts = [margins[0], *((a + b) / 2 for a, b in zip(margins, margins[1:])), margins[-1] - 1]
        if self.kind == "recall":
            return min(0.0, next((cut for cut in cuts if self.recall(cut) >= self.level), margins[-1] - 1))
        if self.kind == "precision":
            return max(0.0, min((cut for cut in cuts if self.precision(cut) >= self.level), default=margins[0]))
        best = max(cuts, key=self.f1)
        positives = sum(y > 0 for _, y, *_ in self.kept)
        return 0.7 * best if self.f1(best) > self.f1(0) + 0.1 / np.sqrt(positives + 1) else 0.0
