"""Forecasts of mistakes, made before the coin of a round is tossed.

Predictions are put into 8 bins by z = |m|/(|m| + the mean of |m|), positive and negative ones apart. The forecast of a bin is
the share of mistakes among its asked labels, where 6 labels with the share (1 - z)/2 count as seen before, and at most 1/2.
Forecasts and the mean change only after round 64 and then whenever the rounds have grown by a half.
"""

BINS = 8


def forecasts(rows):
    """rows: (prediction, margin, asked, wrong) of each round; the forecast of each round."""
    labels, mistakes = {}, {}
    sizes = []
    result = []
    mean, shares, begun = 1.0, {}, 0

    def bin_of(prediction, margin):
        return prediction, min(BINS - 1, int(BINS * abs(margin) / (abs(margin) + mean))) if margin else 0

    def share(key):
        z = (key[1] + 0.5) / BINS
        return min(0.5, (mistakes.get(key, 0) + 6 * (1 - z) / 2) / (labels.get(key, 0) + 6))

    shares = {(prediction, k): share((prediction, k)) for prediction in (-1, 1) for k in range(BINS)}
    for number, (prediction, margin, asked, wrong) in enumerate(rows, 1):
        key = bin_of(prediction, margin)
        result.append(shares[key])
        sizes.append(abs(margin))
        if number >= max(64, begun + begun // 2):  # without the label of this round, which comes last
            shares = {other: share(other) for other in shares}
            begun = number
            mean = sum(sizes) / number or 1.0
        if asked:
            labels[key] = labels.get(key, 0) + 1
            mistakes[key] = mistakes.get(key, 0) + wrong
    return result
