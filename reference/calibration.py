"""Probabilities from the margins of asked labels (Platt 1999), each label weighted by 1/(probability of asking).

The loss is convex, so the best offset for a slope, and then the best slope, are found by halving an interval.
"""

import numpy as np

KEPT = 300


def sigmoid(z):
    return np.exp(-np.logaddexp(0, -np.asarray(z, float)))


def root(rising, low=-1.0, high=1.0):
    """Where a rising function is 0."""
    while rising(low) > 0:
        low *= 2
    while rising(high) < 0:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def platt(asked):
    """(slope, offset) from the (margin, is positive, chance) of asked labels, in order; None: too few."""
    asked = asked[-KEPT:]
    margins = np.array([margin for margin, _, _ in asked])
    positive = np.array([is_positive for _, is_positive, _ in asked], bool)
    weights = np.array([1 / chance for _, _, chance in asked])
    if len(asked) < 20 or min(positive.sum(), (~positive).sum()) < 5:
        return None
    effective = weights.sum() ** 2 / (weights ** 2).sum()
    if effective < 10:
        return None
    weights *= effective / weights.sum()
    up, down = weights[positive].sum(), weights[~positive].sum()
    wanted = np.where(positive, (up + 1) / (up + 2), 1 / (down + 2))

    def offset_of(slope):
        return root(lambda offset: (weights * (sigmoid(slope * margins + offset) - wanted)).sum())

    slope = root(lambda slope: (weights * margins * (sigmoid(slope * margins + offset_of(slope)) - wanted)).sum())
    return slope, offset_of(slope)
