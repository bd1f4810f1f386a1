#!/usr/bin/env python3
"""What an audit costs and gains: the error of `auto` over all rounds against the width of the interval of the error, by the part
of the budget that goes to the audit. The last columns have the same runs with an audit that is not uniform: its coins are tossed
again with the probability a (f + (1 - f) s/mean s), where s = (1 - z)^2 is larger for small margins, z = |m|/(|m| + mean |m|). The
expected number of labels is the same, the least probability is a f, and the learner is not run again.

    tools/audit_frontier.py ASKFEW DATA [RUNS [SET...]]     prints a table as in docs/honest-estimates.md
"""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from reference.count_sequence import bounds  # noqa: E402
from reference.mistake_forecast import forecasts  # noqa: E402
from tools.compare_intervals import ALPHA, SETS, read_trace  # noqa: E402

BUDGETS = (0.02, 0.05, 0.1)
PARTS = (0.05, 0.1, 0.2, 0.4, 0.7)
USUAL = 0.2  # the part of --audit auto
FLOORS = (1.0, 0.7, 0.5)


def run(program, folder, arguments, budget, audit, seed, scratch):
    """The share of mistakes among all rounds and the interval of the error; the trace stays in the scratch folder."""
    report, trace = os.path.join(scratch, "run.json"), os.path.join(scratch, "trace.csv")
    subprocess.run([program, "run", os.path.join(folder, arguments[0]), *arguments[1:], "--budget", f"{budget:.2%}", "--audit",
                    f"{audit:.4%}", "--seed", str(seed), "--trace", trace, "--json", report, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        task = json.load(file)["tasks"][0]
    error = task["estimate"]["whole"]["error"]
    return 1 - task["accuracy"], error["high"] - error["low"]


def tossed_again(rounds, audit, floor, coins):
    """The width of the interval with another audit of the same rounds."""
    sizes = shapes = 0.0
    audited = 0
    chances = []
    for number, r in enumerate(rounds):
        chance = 1.0
        if r.chance < 1:
            size = abs(r.margin)
            z = size / (size + sizes / number) if size else 0.0
            shape = (1 - z) ** 2
            shapes, audited = shapes + shape, audited + 1
            chance = min(1.0, audit * (floor + (1 - floor) * shape * audited / shapes))
        sizes += abs(r.margin)
        chances.append(chance)
    asked = [coins.random() < chance for chance in chances]
    made = forecasts([(r.prediction, r.margin, one, r.wrong) for r, one in zip(rounds, asked)])
    used = [q if chance < 0.5 else 0 for q, chance in zip(made, chances)]
    labels = [(r.wrong, chance, q) for r, chance, q, one in zip(rounds, chances, used, asked) if one]
    # The mixture expects the variance of a uniform audit.
    low, high = bounds(labels, len(rounds), sum(used), audit * floor * (1 - 1e-9), ALPHA, len(rounds) * floor)
    return (high - low) / len(rounds)


def main(program, folder, runs=6, *names):
    parts = [f"{part:.0%}" for part in PARTS]
    tossed = ["tossed again, uniform", *(f"f = {floor}" for floor in FLOORS[1:])]
    print("| data | budget | " + " | ".join(parts + tossed) + " |")
    print("| --- | --- |" + " --- |" * (len(parts) + len(tossed)))
    with tempfile.TemporaryDirectory() as scratch:
        for name, arguments, _ in SETS:
            if names and name not in names:
                continue
            for budget in BUDGETS:
                errors, widths, again = [], [], {floor: [] for floor in FLOORS}
                for part in PARTS:
                    audit = budget * part
                    found = []
                    for seed in range(1, runs + 1):
                        found.append(run(program, folder, arguments, budget, audit, seed, scratch))
                        if part == USUAL:
                            rounds = read_trace(os.path.join(scratch, "trace.csv"), audit)
                            for floor in FLOORS:
                                coins = random.Random(seed)
                                again[floor].append(tossed_again(rounds, audit, floor, coins))
                    errors.append(f"{100 * statistics.mean(error for error, _ in found):.2f}")
                    widths.append(f"{100 * statistics.median(width for _, width in found):.1f}")
                widths += [f"{100 * statistics.median(again[floor]):.1f}" for floor in FLOORS]
                print(f"| {name} | {budget:.0%} | " + " | ".join(errors) + " |" + " |" * len(FLOORS))
                print("| | width | " + " | ".join(widths) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]), *sys.argv[4:])
