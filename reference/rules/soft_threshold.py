"""A threshold on the margin that is sharper the more mistakes small margins have predicted. No paper.

p = 1 / (1 + (|m| / (b norm x))^s);  s = k for the first 30 labels, then 1 + (k - 1) g,
g = (mistakes among the labels / mistakes among all rounds, estimated with weights min(1/p, 50) - 1) / 2 in [0, 1],
where p is the probability with which the label was asked; each label counts 0.99 times as much as the next label
"""

from reference.rules.rule import Rule


class SoftThreshold(Rule):
    name = "soft-threshold"

    def __init__(self, task, b, k):
        self.b = b
        self.k = k
        self.seen = []  # (weight, mistake) of every label

    def sharpness(self):
        counts = [0.99 ** age for age in range(len(self.seen))][::-1]
        labels = sum(counts)
        mistakes = sum(c * mistake for c, (_, mistake) in zip(counts, self.seen))
        weights = sum(c * weight for c, (weight, _) in zip(counts, self.seen))
        weighted = sum(c * weight * mistake for c, (weight, mistake) in zip(counts, self.seen))
        if labels < 30 or weighted == 0:
            return self.k
        worth = (mistakes / labels) / (weighted / weights)
        return 1 + (self.k - 1) * min(max((worth - 1) / 2, 0), 1)

    def probability(self, t, score):
        scale = self.b * score.norm
        return 1.0 if scale == 0 else 1 / (1 + (abs(score.margin) / scale) ** self.sharpness())

    def observe(self, query, mistake, updated):
        self.seen.append((min(1 / query.probability, 50), mistake))
