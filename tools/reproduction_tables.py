#!/usr/bin/env python3
"""Prints the report of an experiment as Markdown: its verdicts, and the accuracies of all samplers where it has them.

    askfew reproduce moroshko-2014 --data DATA -o OUT && tools/reproduction_tables.py OUT/moroshko-2014.json
"""

import json
import sys


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


def main(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    print("\n".join(verdict_lines(report)))
    for part in report.get("parts", []):
        print("\n" + "\n".join(accuracy_table(part)))


if __name__ == "__main__":
    main(*sys.argv[1:])
