"""Forecasts of mistakes, made before the coin of a round is tossed.

Predictions are put into 8 bins by z = |m|/(|m| + the mean of |m|), positive and negative ones apart. The forecast of a bin is
the share of mistakes among its asked labels, where 12 labels with the share (1 - z)^k/2 count as seen before, and at most 1/2.
The power k is the one of 13 with which all asked labels are likeliest, and half a label in each bin with k = 2 besides.
Forecasts and the mean change only after round 64 and then whenever the rounds have grown by a half.
"""

from math import log

BINS = 8
POWERS = [2 ** (step / 3) / 2 for step in range(13)]


def falling(key, power):
    return (1 - (key[1] + 0.5) / BINS) ** power / 2


def likeliest_power(labels, mistakes):
    keys = [(prediction, k) for prediction in (-1, 1) for k in range(BINS)]

    def likelihood(power):
        seen = [(labels.get(key, 0) + 0.5, mistakes.get(key, 0) + 0.5 * falling(key, 2), falling(key, power)) for key in keys]
        return sum(wrong * log(share) + (count - wrong) * log(1 - share) for count, wrong, share in seen)

    return max(POWERS, key=likelihood)


def forecasts(rows):
    """rows: (prediction, margin, asked, wrong) of each round; the forecast of each round."""
    labels, mistakes = {}, {}
    sizes = []
    result = []
    mean, begun = 1.0, 0

    def bin_of(prediction, margin):
        return prediction, min(BINS - 1, int(BINS * abs(margin) / (abs(margin) + mean))) if margin else 0

    def all_shares():
        power = likeliest_power(labels, mistakes)
        return {key: min(0.5, (mistakes.get(key, 0) + 12 * falling(key, power)) / (labels.get(key, 0) + 12))
                for key in [(prediction, k) for prediction in (-1, 1) for k in range(BINS)]}

    shares = all_shares()
    for number, (prediction, margin, asked, wrong) in enumerate(rows, 1):
        key = bin_of(prediction, margin)
        result.append(shares[key])
        sizes.append(abs(margin))
        if number >= max(64, begun + begun // 2):  # without the label of this round, which comes last
            shares = all_shares()
            begun = number
            mean = sum(sizes) / number or 1.0
        if asked:
            labels[key] = labels.get(key, 0) + 1
            mistakes[key] = mistakes.get(key, 0) + wrong
    return result
