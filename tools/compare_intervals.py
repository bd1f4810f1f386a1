#!/usr/bin/env python3
"""Compares three intervals of the error, from the same asked labels: the normal interval around Hajek's estimate, the betting
interval of Waudby-Smith and Ramdas, and the interval of askfew (by reference/count_sequence.py).

    tools/compare_intervals.py ASKFEW DATA [RUNS [SET...]]     prints a table as in docs/honest-estimates.md

ASKFEW is the program, DATA the folder with a9a, elec2, sms_spam and uci/optdigits. Each of the 200 RUNS has other coins. An interval
"always" contains the truth if it does so after each fifth of the run.
"""

import csv
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
from math import log, sqrt

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from reference.count_sequence import bounds  # noqa: E402
from reference.mistake_forecast import forecasts  # noqa: E402

ALPHA = 0.05
TIMES = 5
SETS = [("a9a", ["a9a/a9a.gz"], 0.005), ("elec2", ["elec2/elecNormNew.arff.gz", "--positive", "UP"], 0.005),
        ("sms_spam", ["sms_spam/SMSSpamCollection", "--positive", "spam", "--normalize"], 0.01),
        ("optdigits", ["uci/optdigits.arff.gz", "--positive", "1"], 0.01)]


class Round:
    __slots__ = ("prediction", "margin", "asked", "wrong", "chance", "forecast")


def read_trace(path, audit):
    rounds = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            one = Round()
            one.prediction, one.margin = int(row["prediction"]), float(row["margin"])
            one.asked, one.wrong = row["asked"] == "1", row["prediction"] != row["label"]
            one.chance = float(row["chance"])
            rounds.append(one)
    made = forecasts([(r.prediction, r.margin, r.asked, r.wrong) for r in rounds])
    for one, q in zip(rounds, made):
        one.forecast = q if audit * (1 - 1e-9) <= one.chance < 0.5 else 0
    return rounds


def hajek(rounds, _audit, _length):
    """The normal interval around the self-normalised inverse-probability estimate; rounds with p = 1 are known."""
    sure = sum(r.wrong for r in rounds if r.chance >= 1)
    others = sum(1 for r in rounds if r.chance < 1)
    labels = [(r.wrong, r.chance) for r in rounds if r.asked and r.chance < 1]
    weight = sum(1 / p for _, p in labels)
    if weight == 0:
        return 0.0, 1.0
    mean = sum(wrong / p for wrong, p in labels) / weight
    deviation = others / weight * sqrt(sum((1 - p) / p**2 * (wrong - mean) ** 2 for wrong, p in labels))
    value = sure + others * mean
    return (value - 1.96 * deviation) / len(rounds), (value + 1.96 * deviation) / len(rounds)


def betting(rounds, audit, length):
    """The hedged betting interval for the mean of X = l A/p, from 0 to 1/audit, over the rounds with p < 1, if it is the same in
    every round. The bets are those for a known number of rounds: sqrt(2 ln(2/alpha)/(variance length)), by the variance so far."""
    top = 1 / audit
    sure = sum(r.wrong for r in rounds if r.chance >= 1)
    others = [r for r in rounds if r.chance < 1]
    stretches = []  # (bet, rounds without X, X or None): the bet changes only where a label was asked
    seen, total, squares, waiting = 0, 0.0, 0.0, 0

    def bet():
        mean = (top / 2 + total) / (seen + 1)
        variance = (top**2 / 4 + squares - 2 * mean * total + seen * mean**2) / (seen + 1)
        return sqrt(2 * log(2 / ALPHA) / (variance * length))

    now = bet()
    for r in others:
        seen += 1
        if not r.asked:
            waiting += 1
            continue
        x = r.wrong / r.chance
        stretches.append((now, waiting, x))
        total, squares, waiting = total + x, squares + x * x, 0
        now = bet()
    stretches.append((now, waiting, None))

    def capital(m, sign):
        most = 0.75 / (m if sign > 0 else top - m) if 0 < m < top else 0.75 / top
        result = 0.0
        for one, zeros, x in stretches:
            b = sign * min(one, most)
            result += zeros * log(1 - b * m)
            if x is not None:
                result += log(1 + b * (x - m))
        return result

    limit = log(2 / ALPHA)

    def edge(sign):
        low, high = 1e-9, 1.0
        for _ in range(30):
            middle = (low + high) / 2
            refuted = capital(middle, sign) > limit
            low, high = (middle, high) if refuted == (sign > 0) else (low, middle)
        return low if sign > 0 else high

    count = len(others)
    return (sure + count * edge(1)) / len(rounds), (sure + count * edge(-1)) / len(rounds)


def ours(rounds, audit, length):
    labels = [(r.wrong, r.chance, r.forecast) for r in rounds if r.asked]
    low, high = bounds(labels, len(rounds), sum(r.forecast for r in rounds), audit * (1 - 1e-9), ALPHA, length)
    return low / len(rounds), high / len(rounds)


METHODS = [("normal", hajek), ("betting", betting), ("askfew", ours)]


def measure(program, folder, arguments, audit, seed, trace):
    path = os.path.join(folder, arguments[0])
    subprocess.run([program, "run", path, *arguments[1:], "--budget", "5%", "--audit", str(audit), "--seed", str(seed), "--trace",
                    trace, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    rounds = read_trace(trace, audit)
    ends = [len(rounds) * k // TIMES for k in range(1, TIMES + 1)]
    found = {}
    for name, method in METHODS:
        intervals = [method(rounds[:end], audit, len(rounds)) for end in ends]
        truths = [sum(r.wrong for r in rounds[:end]) / end for end in ends]
        held = [low - 1e-12 <= truth <= high + 1e-12 for (low, high), truth in zip(intervals, truths)]
        found[name] = (max(0, intervals[-1][0]), min(1, intervals[-1][1]), held[-1], all(held))
    return found


def main(program, folder, runs=200, *names):
    print("| data, audit | runs | interval | median width | at the end | always |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as scratch:
        for name, arguments, audit in SETS:
            if names and name not in names:
                continue
            found = [measure(program, folder, arguments, audit, seed, os.path.join(scratch, "trace.csv"))
                     for seed in range(1, runs + 1)]
            for method, _ in METHODS:
                rows = [one[method] for one in found]
                width = statistics.median(high - low for low, high, _, _ in rows)
                shares = [f"{sum(row[k] for row in rows) / len(rows):.1%}" for k in (2, 3)]
                print(f"| {name}, {audit:.1%} | {runs} | {method} | {width:.3f} | {shares[0]} | {shares[1]} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]), *sys.argv[4:])
