#!/usr/bin/env python3
"""How narrow could the intervals of error and F be? The width with the best h, 2 sqrt(2 ln(2/alpha) V), by three values of V:
with the forecasts that were made, with the best forecast of each of 40 bins of margins in hindsight, and with these and
probabilities proportional to the root of q (1 - q), at the same expected number of labels and without a least probability.

    tools/interval_limits.py ASKFEW DATA     prints a table as in docs/honest-estimates.md
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from math import log, sqrt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tools.compare_intervals import SETS, read_trace  # noqa: E402

ALPHA = 0.05
BINS = 20


def hindsight(rounds):
    """The share of mistakes among all rounds of a bin, asked or not."""
    mean = sum(abs(r.margin) for r in rounds) / len(rounds)
    keys = [(r.prediction, min(BINS - 1, int(BINS * abs(r.margin) / (abs(r.margin) + mean)))) for r in rounds]
    counts = {}
    for key, r in zip(keys, rounds):
        wrong, all_rounds = counts.get(key, (0, 0))
        counts[key] = wrong + r.wrong, all_rounds + 1
    return [counts[key][0] / counts[key][1] for key in keys]


def variance(rounds, forecasts, chances, b):
    """Of false positives + b false negatives."""
    return sum((1 - p) / p * (r.wrong - q) ** 2 * (1 if r.prediction > 0 else b * b)
               for r, q, p in zip(rounds, forecasts, chances))


def widths(rounds, length, slope, forecasts, chances, b):
    """Of the interval of the error, and of F: F changes by (false positives + b false negatives)/slope."""
    factor = 2 * sqrt(2 * log(2 / ALPHA))
    return (factor * sqrt(variance(rounds, forecasts, chances, 1)) / length,
            factor * sqrt(variance(rounds, forecasts, chances, b)) / slope)


def limits(trace, audit):
    every = read_trace(trace, audit)
    positives = sum(r.prediction > 0 for r in every)
    wrong = sum(r.wrong and r.prediction > 0 for r in every)
    missed = sum(r.wrong and r.prediction <= 0 for r in every)
    f = 2 * (positives - wrong) / (2 * positives - wrong + missed)
    b, slope = f / (2 - f), (positives + missed) * 2 / (2 - f) ** 2
    rounds = [r for r in every if r.chance < 1]
    best = hindsight(rounds)
    roots = [sqrt(q * (1 - q)) for q in best]
    scale = audit * len(roots) / sum(roots)
    uniform = [audit] * len(rounds)
    made = widths(rounds, len(every), slope, [r.forecast for r in rounds], uniform, b)
    known = widths(rounds, len(every), slope, best, uniform, b)
    chances = [min(1.0, max(1e-9, scale * root)) for root in roots]
    return made, known, widths(rounds, len(every), slope, best, chances, b)


def main(program, data):
    print("| data, audit | figure | forecasts as made | forecasts in hindsight | and probabilities in hindsight |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace.csv")
        for name, arguments, audit in SETS[:2]:
            path = os.path.join(data, arguments[0])
            subprocess.run([program, "run", path, *arguments[1:], "--budget", "5%", "--audit", str(audit), "--trace", trace, "--quiet"],
                           check=True, stdout=subprocess.DEVNULL)
            found = limits(trace, audit)
            for k, figure in enumerate(("error", "F")):
                print(f"| {name}, {audit:.1%} | {figure} | " + " | ".join(f"{one[k]:.3f}" for one in found) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
