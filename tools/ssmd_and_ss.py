#!/usr/bin/env python3
"""Two tables for docs/reproductions/cavallanti-2008.md, by `askfew run` alone:

    tools/ssmd_and_ss.py rates ASKFEW DATA          F of SSMD and SS at shares of the labels, on the RCV1 subsets
    tools/ssmd_and_ss.py topics ASKFEW SGM...       F of SSMD on 50 topics of Reuters-21578, on all stories and on the last half

F at a share lies on the straight line between two measured points. SGM: the unpacked files of Reuters-21578.
"""

import csv
import json
import subprocess
import sys

SHARES = (0.035, 0.05, 0.1, 0.2)
SS = (0.005, 0.02, 0.1, 0.3, 1, 4, 14)
SSMD = (0.0001, 0.0005, 0.002, 0.005, 0.01, 0.02, 0.05)
TEXT = ["--order", "time", "--with-topics", "--stem", "english", "--stop-words", "english", "--tf-idf", "--bias", "0.2"]


def point(program, path, sampler):
    done = subprocess.run([program, "run", path, "--normalize", "--topics", "10", "--sampler", sampler, "--json", "-", "--quiet"],
                          check=True, capture_output=True, text=True)
    macro = json.loads(done.stdout)["macro"]
    return macro["asked"] / macro["rounds"], macro["f1"]


def at(points, share):
    """None outside of the measured shares."""
    for (left, low), (right, high) in zip(points, points[1:]):
        if left <= share <= right:
            return low + (share - left) / (right - left) * (high - low)
    return None


def rates(program, data):
    print("| labels asked | " + " | ".join(f"subset {k}: SSMD | SS" for k in (1, 2, 3)) + " |\n" + "| --- " * 7 + "|")
    columns = []
    for subset in (1, 2, 3):
        path = f"{data}/rcv1/rcv1subset{subset}_top944.svm.gz"
        columns.append(sorted(point(program, path, f"ssmd:c={c}") for c in SSMD))
        columns.append(sorted(point(program, path, f"ss:c={c}") for c in SS))
    for share in SHARES:
        found = [at(points, share) for points in columns]
        print(f"| {share:.1%} | " + " | ".join("" if f is None else f"{f:.3f}" for f in found) + " |")


class Topic:
    def __init__(self):
        self.stories = self.asked = self.rounds = 0
        self.counts = {False: [0, 0, 0], True: [0, 0, 0]}  # in the last half: true positives, false ones, misses

    def add(self, late, asked, predicted, truth):
        self.rounds, self.asked, self.stories = self.rounds + 1, self.asked + asked, self.stories + truth
        if predicted or truth:
            self.counts[late][0 if predicted and truth else 1 if predicted else 2] += 1

    def f1(self, halves=(False, True)):
        right, wrong, missed = (sum(self.counts[half][k] for half in halves) for k in range(3))
        return 2 * right / (2 * right + wrong + missed) if right else 0.0


def ranks(values):
    order = sorted(values)
    return [(order.index(value) + len(order) - 1 - order[::-1].index(value)) / 2 for value in values]


def correlation(left, right):
    left, right = ranks(left), ranks(right)
    middle = (len(left) - 1) / 2
    both = sum((x - middle) * (y - middle) for x, y in zip(left, right))
    return both / (sum((x - middle) ** 2 for x in left) * sum((y - middle) ** 2 for y in right)) ** 0.5


def topics(program, *files):
    command = [program, "run", *files, *TEXT, "--normalize", "--topics", "50", "--sampler", "ssmd:c=0.0012", "--trace", "-", "--quiet"]
    trace = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    start = trace.index("round,task,")
    rows = [row for row in csv.reader(trace[start:].splitlines()) if row[0].isdigit()]
    last = max(int(row[0]) for row in rows)
    found = {}
    for row in rows:
        topic = found.setdefault(row[1], Topic())
        topic.add(int(row[0]) > last // 2, row[5] == "1", row[6] == "1", row[7] == "1")
    ordered = sorted(found.values(), key=lambda topic: -topic.stories)
    print("| topics, from frequent to rare | stories | labels asked | F | F, last half |\n" + "| --- " * 5 + "|")
    for begin, end in ((0, 10), (10, 20), (20, 35), (35, 50)):
        part = ordered[begin:end]
        means = [sum(values) / len(part) for values in ([t.asked / t.rounds for t in part], [t.f1() for t in part],
                                                        [t.f1((True,)) for t in part])]
        print(f"| {begin + 1} to {end} | {part[0].stories:,} to {part[-1].stories} | {means[0]:.1%} | {means[1]:.3f} | {means[2]:.3f} |")
    stories = [topic.stories for topic in ordered]
    for name, values in (("F", [t.f1() for t in ordered]), ("F of the last half", [t.f1((True,)) for t in ordered]),
                         ("labels asked", [t.asked / t.rounds for t in ordered])):
        print(f"rank correlation of {name} with the number of stories: {correlation(values, stories):+.2f}")


if __name__ == "__main__":
    {"rates": rates, "topics": topics}[sys.argv[1]](*sys.argv[2:])
