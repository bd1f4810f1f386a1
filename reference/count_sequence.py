"""Bounds on the number of rounds with a property that only asked labels show, valid at all times simultaneously.

A round is asked with a known probability p. For h > 0 let p e^g + 1 - p = e^h. Then the product over the rounds with the
property of e^(g - h) where the label was asked, e^-h where it was not, is a martingale that starts at 1. It stays below
1/alpha forever with probability 1 - alpha (Ville), and so does a mixture over h: the lower bound of the count is the number
at which the mixture is 1/alpha. The upper bound follows likewise, with p e^g + 1 - p = e^-eta.
"""

from math import ceil, exp, floor as floor_of, log

SIZE = 20


def geometric(first, last):
    return [first * (last / first) ** (j / (SIZE - 1)) for j in range(SIZE)]


def normalised(weights):
    return [w / sum(weights) for w in weights]


def grid(least):
    """The numbers h and eta with their weights; every round is asked with at least the probability `least`."""
    below = list(zip(geometric(1, 0.003 * least), normalised([1 / (j + 2) ** 0.5 for j in range(SIZE)])))
    etas = [-log(1 - s) for s in geometric(0.97 * least, 0.003 * 0.97 * least)]
    rest = normalised([1 / (j + 1) for j in range(1, SIZE)])
    return below, list(zip(etas, [0.3] + [0.7 * w for w in rest]))


def log_mixture(weighted, exponents):
    most = max(exponents)
    return most + log(sum(w * exp(e - most) for (_, w), e in zip(weighted, exponents)))


def solve(above, high):
    """The point where a monotone condition that holds at 0 stops holding, by bisection."""
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return low


def bounds(labels, rounds, least, alpha):
    """labels: (has the property, probability) of each asked round; rounds: the number of all rounds."""
    below, above = grid(least)
    unsure = [p for has, p in labels if has and p < 1]
    sure = sum(1 for has, p in labels if has and p >= 1)
    gains = [sum(log(1 + (exp(h) - 1) / p) for p in unsure) for h, _ in below]
    losses = [sum(log((p - 1 + exp(-eta)) / p) for p in unsure) for eta, _ in above]
    limit = log(2 / alpha)
    low = solve(lambda n: log_mixture(below, [g - h * n for g, (h, _) in zip(gains, below)]) > limit, 1e7)
    high = solve(lambda n: log_mixture(above, [g + eta * n for g, (eta, _) in zip(losses, above)]) <= limit, 1e7)
    seen = sum(1 for has, _ in labels if has)
    absent = len(labels) - seen
    return max(seen, ceil(sure + low - 1e-6)), min(rounds - absent, floor_of(sure + high + 1e-6))
