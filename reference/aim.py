"""A cut on margins for an aim that is not accuracy: f1, recall=R or precision=P. No paper.

Kept: (margin when asked, label, weight min(20, 1/probability)) of the last 500 asked labels. At 104, 112, ... labels (every 8th from
100 on), with both labels among the kept: of the cuts halfway between two neighbouring margins, and one below all,
  f1           the largest weighted F; half that cut, if F exceeds that of cut 0 by more than 0.8/sqrt(positives + 1), else 0
  recall=R     of those with recall >= R the largest precision; where none has, the largest recall
  precision=P  of those with precision >= P the largest recall; where none has, the largest precision
The larger cut of equals. Where a label of the kept is missing, and before, the cut is 0.
"""

import numpy as np


class AimedCut:
    def __init__(self, kind, level=0.0):
        self.kind, self.level = kind, level
        self.labels = 0
        self.kept = []
        self.cut = 0.0

    def learn(self, margin, y, probability):
        self.kept = (self.kept + [(margin, y, min(20, 1 / probability))])[-500:]
        self.labels += 1
        if self.labels >= 100 and self.labels % 8 == 0:
            self.cut = self.choose()

    def value(self, cut):
        m, y, w = np.array(self.kept).T
        positive = w[y > 0].sum()
        true = w[(y > 0) & (m > cut)].sum()
        false = w[(y < 0) & (m > cut)].sum()
        recall, precision = true / positive, true / (true + false) if true + false > 0 else 1
        if self.kind == "recall":
            return 1 + precision if recall >= self.level else recall
        if self.kind == "precision":
            return 1 + recall if precision >= self.level else precision
        return 2 * true / (true + false + positive)

    def choose(self):
        positives = sum(y > 0 for _, y, _ in self.kept)
        if positives in (0, len(self.kept)):
            return 0.0
        margins = sorted({m for m, _, _ in self.kept}, reverse=True)
        cuts = [(a + b) / 2 for a, b in zip(margins, margins[1:] + [margins[-1] - 1])]
        best = max(cuts, key=self.value)
        if self.kind != "f1":
            return best
        return best / 2 if self.value(best) > self.value(0) + 0.8 / np.sqrt(positives + 1) else 0.0
