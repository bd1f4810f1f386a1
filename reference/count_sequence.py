"""Bounds on the number of rounds with a property that only asked labels show, valid at all times simultaneously.

A round is asked with a known probability p. Let q be a forecast of the property l in {0, 1}, u = l - q, and for any h let
p e^g + 1 - p = e^(hu). Then the product over the rounds of e^(g - hu) where the label was asked, e^(-hu) where it was not, is a
martingale that starts at 1. It stays below 1/alpha forever with probability 1 - alpha (Ville), and so does a mixture over h:
with h > 0 the lower bound of the count is the number at which the mixture is 1/alpha, with h < 0 the upper bound.
"""

from math import ceil, exp, floor as floor_of, log

SIZE = 20


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


def has_forecast(h, least):
    """The largest h use no forecast: e^(-h/2) must be above 1 - p."""
    return h / 2 <= -log(1 - 0.97 * least)


def exponents(weighted, labels, forecasts, least):
    """For each h: the sum of g over the asked labels with p < 1, and h times the sum of the forecasts of all rounds."""
    result = []
    for h, _ in weighted:
        used = 1 if has_forecast(h, least) else 0
        gains = sum(log((exp(h * (has - used * q)) - 1 + p) / p) for has, p, q in labels if p < 1)
        result.append(gains + used * h * forecasts)
    return result


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
    """Sums at the numbers (of descending size) times b: straight lines between the numbers, and from the last one to 0 at 0. The
    sums are concave, so that the lines are below."""
    points = list(zip(map(abs, numbers), sums)) + [(0.0, 0.0)]

    def at(x):
        for (high, up), (low, down) in zip(points, points[1:]):
            if low <= x <= high:
                return down + (up - down) * (x - low) / (high - low)

    return [at(b * abs(number)) for number in numbers]


def sure(labels):
    return sum(1 for has, p, _ in labels if has and p >= 1)


def seen(labels, which):
    return sum(1 for has, _, _ in labels if has == which)


def f1_bounds(false_positives, false_negatives, positives, negatives, forecasts, least, alpha, horizon=0):
    """Bounds of F = 2 (P - FP)/(2 P - FP + FN). The labels are those of the positive and of the negative predictions, as in
    `bounds`; `forecasts`: the sums over the rounds of positive and of negative predictions. F >= f where
    FP + b FN <= P (1 - b), b = f/(2 - f): one martingale for the weighted sum. Its exponents are concave in b; where one falls
    towards the end of its side, its value there is taken. Without a positive prediction F is 0 if a positive was missed, and
    nothing is known of it otherwise."""
    if positives == 0:
        return 0.0, 0.0 if seen(false_negatives, True) else 1.0
    limit = log(2 / alpha)

    def figure(fp, fn):
        return 2 * (positives - fp) / (2 * positives - fp + fn)

    def mixture_of(weighted, end):
        numbers = [h for h, _ in weighted]
        ours = exponents(weighted, false_positives, forecasts[0], least)
        theirs = exponents(weighted, false_negatives, forecasts[1], least)
        first = [has_forecast(h, least) for h in numbers].index(True)

        def at(b):
            count = positives * (1 - b) - sure(false_positives) - b * sure(false_negatives)
            scaled = at_scaled(theirs[:first], numbers[:first], b) + at_scaled(theirs[first:], numbers[first:], b)
            return [one + other - h * count for one, other, h in zip(ours, scaled, numbers)]

        return lambda f: log_mixture(weighted, list(map(min, at(f / (2 - f)), at(end))))

    below, above = grid(least, horizon)
    too_high, too_low = mixture_of(below, 1), mixture_of(above, 0)
    least_f = figure(positives - seen(false_positives, False), negatives - seen(false_negatives, False))
    most_f = figure(seen(false_positives, True), seen(false_negatives, True))
    span = most_f - least_f
    low = least_f + solve(lambda x: too_low(least_f + x) > limit, span) if span else least_f
    high = least_f + solve(lambda x: too_high(least_f + x) <= limit, span) if span else most_f
    return low, high


def bounds(labels, rounds, forecasts, least, alpha, horizon=0):
    """labels: (has the property, probability, forecast) of each asked round; rounds: the number of all rounds; forecasts: their
    sum over all rounds."""
    below, above = grid(least, horizon)
    limit = log(2 / alpha)
    gains = exponents(below, labels, forecasts, least)
    losses = exponents(above, labels, forecasts, least)
    low = solve(lambda n: log_mixture(below, [g - h * n for g, (h, _) in zip(gains, below)]) > limit, 1e7)
    high = solve(lambda n: log_mixture(above, [g - h * n for g, (h, _) in zip(losses, above)]) <= limit, 1e7)
    present, most = seen(labels, True), rounds - seen(labels, False)
    return (min(most, max(present, ceil(sure(labels) + low - 1e-6))),
            max(present, min(most, floor_of(sure(labels) + high + 1e-6))))
