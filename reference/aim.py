"""A cut on margins for an aim that is not accuracy: f1, recall=R or precision=P. No paper.

Kept of the last 200 asked labels: margin m when asked, label, weight w = min(20, 1/probability), and the number of rounds since the label
before that could not be asked (probability 0) and had m > 0.  A the sum of those numbers, P the weight of the positives kept.
At 24, 32, ... labels (every 8th from 20 on): of the cuts at the largest margin, halfway between two neighbouring margins, and 1 below all,
with tp and fp the weights of the positives and negatives above the cut,
  f1           the largest F = 2 (A + tp)/(2 A + tp + fp + P), the largest such cut; 0.7 of it, if F exceeds that of cut 0 by more than
               0.1/sqrt(positives kept + 1), else 0
  recall=R     the largest with (A + tp)/(A + P + 2) >= R, else 1 below all; at most 0
  precision=P  the smallest with (A + tp)/(A + tp + fp + 2) >= P, else the largest margin; at least 0
"""

import numpy as np


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
