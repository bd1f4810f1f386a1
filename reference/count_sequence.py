"""Bounds on the number of rounds with a property that only asked labels show, valid at all times simultaneously.

A round is asked with a known probability p. Let q be a forecast of the property l in {0, 1}, u = l - q, and for any h let
p e^g + 1 - p = e^(hu). Then the product over the rounds of e^(g - hu) where the label was asked, e^(-hu) where it was not, is a
martingale that starts at 1. It stays below 1/alpha forever with probability 1 - alpha (Ville), and so does a mixture over h:
with h > 0 the lower bound of the count is the number at which the mixture is 1/alpha, with h < 0 the upper bound. The lower
bound has a third of alpha. For each h a part of the forecast is used.
"""

from math import ceil, exp, floor as floor_of, log

SIZE = 20
LOW_SHARE = 1 / 3


def geometric(first, last):
    return [first * (last / first) ** (j / (SIZE - 1)) for j in range(SIZE)]


def normalised(weights):
    return [w / sum(weights) for w in weights]


def towards(numbers, weights, least, horizon):
    """Where the number of rounds is known: 90% of the weight around the number that is best at the end."""
    if not horizon:
        return weights
    best = min(numbers[0], max(numbers[-1], (2 * 3.7 * least / (0.1 * horizon)) ** 0.5))
    near = normalised([exp(-(log(number / best) / 0.2) ** 2 / 2) for number in numbers])
    return [0.1 * weight + 0.9 * other for weight, other in zip(weights, near)]


def grid(least, horizon=0):
    """The numbers h with their weights, positive for the lower bound and negative for the upper one; every round is asked with
    at least the probability `least`."""
    hs = geometric(1, 0.003 * least)
    etas = [-log(1 - s) for s in geometric(0.97 * least, 0.003 * 0.97 * least)]
    rest = normalised([1 / (j + 1) for j in range(1, SIZE)])
    below = towards(hs, normalised([1 / (j + 2) ** 0.5 for j in range(SIZE)]), least, horizon)
    above = towards(etas, [0.3] + [0.7 * w for w in rest], least, horizon)
    return list(zip(hs, below)), [(-eta, weight) for eta, weight in zip(etas, above)]


def part_of_forecast(h, least):
    """Close to the part with which the expected logarithm of a factor is largest."""
    x = (exp(h) - 1) / least
    return 1 / (1 + x) if h > 0 else 1 - x / 2


def exponents(weighted, labels, forecasts, least):
    """For each h: the sum of g over the asked labels with p < 1, and h times the sum of the forecasts of all rounds."""
    result = []
    for h, _ in weighted:
        part = part_of_forecast(h, least)
        gains = sum(log((exp(h * (has - part * q)) - 1 + p) / p) for has, p, q in labels if p < 1)
        result.append(gains + part * h * forecasts)
    return result


def limits(alpha):
    """The logarithms that the mixtures of the lower and of the upper bound of a count must reach."""
    return -log(LOW_SHARE * alpha), -log((1 - LOW_SHARE) * alpha)


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


def on_lines(points, x):
    """The value at x on straight lines between points, which descend."""
    for (high, up), (low, down) in zip(points, points[1:]):
        if low <= x <= high:
            return down + (up - down) * (x - low) / (high - low)


def sure(labels):
    return sum(1 for has, p, _ in labels if has and p >= 1)


def seen(labels, which):
    return sum(1 for has, _, _ in labels if has == which)


def f1_bounds(false_positives, false_negatives, positives, negatives, forecasts, least, alpha, horizon=0):
    """Bounds of F = 2 (P - FP)/(2 P - FP + FN). The labels are those of the positive and of the negative predictions, as in
    `bounds`; `forecasts`: the sums over the rounds of positive and of negative predictions. F >= f where
    FP + b FN <= P (1 - b), b = f/(2 - f): one martingale for the weighted sum. Between the numbers of the grid its exponents are
    on straight lines; the least value from b to the end of the side is taken. Without a positive prediction F is 0 if a positive was missed, and
    nothing is known of it otherwise."""
    if positives == 0:
        return 0.0, 0.0 if seen(false_negatives, True) else 1.0
    def figure(fp, fn):
        return 2 * (positives - fp) / (2 * positives - fp + fn)

    def mixture_of(weighted, end):
        numbers = [h for h, _ in weighted]
        ours = exponents(weighted, false_positives, forecasts[0], least)
        theirs = exponents(weighted, false_negatives, forecasts[1], least)
        points = [(abs(h), sum_) for h, sum_ in zip(numbers, theirs)] + [(0.0, 0.0)]

        def least_from(b, j):
            def at(part, sum_):
                count = positives * (1 - part) - sure(false_positives) - part * sure(false_negatives)
                return ours[j] + sum_ - numbers[j] * count

            known = [(size / abs(numbers[j]), sum_) for size, sum_ in points]
            beyond = [at(part, sum_) for part, sum_ in known if min(b, end) < part < max(b, end) or part == end]
            return min([at(b, on_lines(points, b * abs(numbers[j])))] + beyond)

        return lambda f: log_mixture(weighted, [least_from(f / (2 - f), j) for j in range(SIZE)])

    below, above = grid(least, horizon)
    too_high, too_low = mixture_of(below, 1), mixture_of(above, 0)
    least_f = figure(positives - seen(false_positives, False), negatives - seen(false_negatives, False))
    most_f = figure(seen(false_positives, True), seen(false_negatives, True))
    span = most_f - least_f
    low_limit, high_limit = limits(alpha)
    low = least_f + solve(lambda x: too_low(least_f + x) > high_limit, span) if span else least_f
    high = least_f + solve(lambda x: too_high(least_f + x) <= low_limit, span) if span else most_f
    return low, high


def bounds(labels, rounds, forecasts, least, alpha, horizon=0):
    """labels: (has the property, probability, forecast) of each asked round; rounds: the number of all rounds; forecasts: their
    sum over all rounds."""
    below, above = grid(least, horizon)
    low_limit, high_limit = limits(alpha)
    gains = exponents(below, labels, forecasts, least)
    losses = exponents(above, labels, forecasts, least)
    low = solve(lambda n: log_mixture(below, [g - h * n for g, (h, _) in zip(gains, below)]) > low_limit, 1e7)
    high = solve(lambda n: log_mixture(above, [g - h * n for g, (h, _) in zip(losses, above)]) <= high_limit, 1e7)
    present, most = seen(labels, True), rounds - seen(labels, False)
    return (min(most, max(present, ceil(sure(labels) + low - 1e-6))),
            max(present, min(most, floor_of(sure(labels) + high + 1e-6))))
