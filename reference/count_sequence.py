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


def at_scaled(sums, numbers, b):
    """Sums at the numbers (descending) times b: straight lines between the numbers, and from the last one to 0 at 0. The sums are
    concave, so that the lines are below."""
    points = list(zip(numbers, sums)) + [(0.0, 0.0)]

    def at(x):
        for (high, up), (low, down) in zip(points, points[1:]):
            if low <= x <= high:
                return down + (up - down) * (x - low) / (high - low)

    return [at(b * number) for number in numbers]


def f1_bounds(false_positives, false_negatives, positives, negatives, least, alpha):
    """Bounds of F = 2 (P - FP)/(2 P - FP + FN). The labels are those of the positive and of the negative predictions, as in
    `bounds`. F >= f where FP + b FN <= 2 P (1 - f)/(2 - f), b = f/(2 - f): one martingale for the weighted sum."""
    if positives == 0:
        return 0.0, 0.0
    below, above = grid(least)
    limit = log(2 / alpha)

    def sums(labels, gain, numbers):
        return [sum(gain(number, p) for has, p in labels if has and p < 1) for number, _ in numbers]

    def sure(labels):
        return sum(1 for has, p in labels if has and p >= 1)

    def seen(labels, which):
        return sum(1 for has, _ in labels if has == which)

    def figure(fp, fn):
        return 2 * (positives - fp) / (2 * positives - fp + fn)

    def gain(h, p):
        return log(1 + (exp(h) - 1) / p)

    def loss(eta, p):
        return log((p - 1 + exp(-eta)) / p)

    low_sums = sums(false_positives, gain, below), sums(false_negatives, gain, below)
    high_sums = sums(false_positives, loss, above), sums(false_negatives, loss, above)

    def mixture(f, weighted, pair, sign):
        b = f / (2 - f)
        count = 2 * positives * (1 - f) / (2 - f) - sure(false_positives) - b * sure(false_negatives)
        numbers = [number for number, _ in weighted]
        return log_mixture(weighted, [one + other + sign * number * count for one, other, number in
                                      zip(pair[0], at_scaled(pair[1], numbers, b), numbers)])

    least_f = figure(positives - seen(false_positives, False), negatives - seen(false_negatives, False))
    most_f = figure(seen(false_positives, True), seen(false_negatives, True))
    span = most_f - least_f
    low = least_f + solve(lambda x: mixture(least_f + x, above, high_sums, 1) > limit, span) if span else least_f
    high = least_f + solve(lambda x: mixture(least_f + x, below, low_sums, -1) <= limit, span) if span else most_f
    return low, high


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
