#!/usr/bin/env python3
"""Prints the report of an experiment as Markdown: its verdicts, and the accuracies of all samplers or their F by the share of
the labels, where it has them.

    askfew reproduce moroshko-2014 --data DATA -o OUT && tools/reproduction_tables.py OUT/moroshko-2014.json
"""

import json
import sys

SHARES = (0.02, 0.05, 0.1, 0.2)


def verdict_lines(report):
    for verdict in report.get("verdicts", []):
        word = "reproduced" if verdict["holds"] else "a tie" if verdict.get("tie") else "not reproduced"
        yield f"* {word}: {verdict['claim']} {verdict['found']}"


def accuracy_table(part):
    """A row for each sampler, a column for each rate: accuracy in percent with the half width of its 95% interval."""
    rates = sorted({one["rate"] for one in part["results"]})
    yield f"| {part['source']}, {part['repetitions']} repetitions | {' | '.join(f'{rate:.0%}' for rate in rates)} |"
    yield "| --- |" + " --- |" * len(rates)
    cells = {}
    for one in part["results"]:
        name = one["name"] if one["in_paper"] else f"{one['name']} (not in the paper)"
        accuracy = one["accuracy"]
        cells.setdefault(name, {})[one["rate"]] = f"{100 * accuracy['mean']:.2f} ± {100 * accuracy['half_width']:.2f}"
    for name, row in cells.items():
        yield f"| {name} | {' | '.join(row.get(rate, '') for rate in rates)} |"


def f1_at(points, share):
    """F on straight lines between the points; nothing outside their shares."""
    for low, high in zip(points, points[1:]):
        if low["share"] <= share <= high["share"]:
            part = (share - low["share"]) / (high["share"] - low["share"])
            return low["f1"] + part * (high["f1"] - low["f1"])
    return None


def figure(f1):
    return "" if f1 is None else f"{f1:.3f}".lstrip("0")


def curve_table(part):
    """A row for each sampler, a column for each share of the labels; then the point with the largest share."""
    yield f"| {part['set']}, {part['topics']} topics | {' | '.join(f'{share:.0%}' for share in SHARES)} | most labels |"
    yield "| --- |" + " --- |" * (len(SHARES) + 1)
    for name, curve in part["curves"].items():
        points = sorted(curve, key=lambda point: point["share"])
        cells = [figure(f1_at(points, share)) for share in SHARES]
        yield f"| {name} | {' | '.join(cells)} | {figure(points[-1]['f1'])} with {points[-1]['share']:.0%} |"
    for name in ("perc", "sop"):
        yield f"| {name} |" + " |" * len(SHARES) + f" {figure(part[name])} with 100% |"


def main(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    print("\n".join(verdict_lines(report)))
    for part in report.get("parts", []):
        print("\n" + "\n".join(accuracy_table(part)))
    for part in report.get("sets", []):
        if "curves" in part:
            print("\n" + "\n".join(curve_table(part)))


if __name__ == "__main__":
    main(*sys.argv[1:])
