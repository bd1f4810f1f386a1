"""How to spend 20 to 200 labels: other ways of choosing beside the way of the default, with the default's learner.

    askfew reproduce defaults --data DATA        (writes reproduced/work/streams; may be stopped then)
    pip install . scipy; python3 bench/small_budgets.py reproduced/work/streams [ORDERS]

All ways have the same plan (most labels early) and the same simple control: a row is asked if a label may be spent and the row's
value is among the smallest of the last 500 rows, as many as the plan spends. What differs is the value:

    doubt         |margin|/sqrt(1 + r/10), as the default
    random        a random number
    random start  a random number for the first fifth of the labels, at least 5, then doubt
    novelty       doubt/(1 - c), c the largest cosine with a row that was asked before
    density       doubt/sqrt(d), d the mean cosine with the last 100 rows
    both sides    doubt among the rows with the same prediction, so that both predictions are asked equally often

Prints for each budget the geometric mean over the streams of error and 1 - F, relative to those of `doubt`: first on the
streams, then with every second row twice. The first task of each set is read up to 2,000 rows, in ORDERS random orders, by
default 3.
"""

import pathlib
import sys

import numpy as np
import scipy.sparse

import askfew

LEARNER = "scaled-logistic:decay=0.5,full_prior=30,norm=0.75,rare=0.3,grow=4"
BUDGETS = (20, 50, 100, 200)
ROWS = 2000
KEPT = 500
RECENT = 100


def read(path):
    """The labels (1 or -1) and the rows."""
    labels, values, indices, ends = [], [], [], [0]
    with open(path, encoding="utf-8") as file:
        for line, _ in zip(file, range(ROWS), strict=False):
            label, *pairs = line.split()
            labels.append(1 if float(label) > 0 else -1)
            for index, value in (pair.split(":") for pair in pairs):
                indices.append(int(index))
                values.append(float(value))
            ends.append(len(values))
    rows = scipy.sparse.csr_matrix((values, np.array(indices, np.int32), np.array(ends, np.int32)))
    return np.array(labels), rows


def with_norm_1(rows):
    norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return scipy.sparse.diags_array(1 / np.maximum(norms, 1e-12)).tocsr() @ rows


class Way:
    """The value of a row: the smaller, the rather it is asked."""

    def __init__(self, name, unit, budget, rng):
        self.name, self.unit, self.rng = name, unit, rng
        self.at_random = {"random": budget, "random start": max(5, budget // 5)}.get(name, 0)
        self.asked = []

    def value(self, k, query):
        if len(self.asked) < self.at_random:
            return self.rng.random()
        doubt = abs(query.margin) / np.sqrt(1 + query.spread / 10)
        if self.name == "novelty" and self.asked:
            nearest = (self.unit[self.asked] @ self.unit[[k]].T).max()
            return (doubt + 1e-3) / max(1e-6, 1 - nearest)
        if self.name == "density" and k > 0:
            density = (self.unit[max(0, k - RECENT) : k] @ self.unit[[k]].T).mean()
            return doubt / np.sqrt(max(1e-3, density))
        return doubt


def run(name, labels, rows, unit, budget, seed):
    """Error and F over all rows."""
    n = len(labels)
    sampler = askfew.Sampler(learner=LEARNER, rule="always", seed=seed, lazy=False)
    way = Way(name, unit, budget, np.random.default_rng(seed))
    first = max(10, budget / 10) if budget > 10 else budget / 2
    values = {1: [], -1: []}
    wrong = {1: 0, -1: 0}
    right = 0
    for k in range(n):
        query = sampler.ask(rows[[k]])
        prediction = query.prediction
        if prediction != labels[k]:
            wrong[prediction] += 1
        elif prediction == 1:
            right += 1
        share = min(1.0, (k + 1) / (0.98 * n))
        credit = first + (budget - first) * np.sqrt(share) - len(way.asked)
        rate = (budget - first) * 0.5 / np.sqrt(share) / n
        value = way.value(k, query)
        side = values[prediction if name == "both sides" else 1]
        side.append(value)
        del side[:-KEPT]
        part = min(1.0, rate * 2.0 ** min(5.0, credit - 1))
        if name == "both sides":
            seen = sum(map(len, values.values()))
            part = min(1.0, part * seen / (2 * len(side)))
        if credit >= 1 and value <= np.quantile(side, part):
            way.asked.append(k)
            sampler.tell(rows[[k]], labels[k], query)
    f = 2 * right / max(1, 2 * right + wrong[1] + wrong[-1])
    return (wrong[1] + wrong[-1]) / n, f, len(way.asked)


WAYS = ("doubt", "random", "random start", "novelty", "density", "both sides")


def main(folder, orders):
    print("| rows | budget | measure | " + " | ".join(WAYS[1:]) + " |\n| --- | ---: | --- |" + " ---: |" * (len(WAYS) - 1))
    streams = [path for path in sorted(pathlib.Path(folder).glob("*-0.svm")) if "mnist" not in path.name]
    for kind in ("as they are", "every second row twice"):
        results = {}
        for path in streams:
            labels, rows = read(path)
            for seed in range(orders):
                order = np.random.default_rng(1000 + seed).permutation(len(labels))
                if kind != "as they are":
                    order = np.repeat(order, 1 + np.arange(len(order)) % 2)[: len(order)]
                y, x = labels[order], rows[order]
                unit = with_norm_1(x)
                for budget in BUDGETS:
                    for way in WAYS:
                        results.setdefault((budget, path.name, way), []).append(run(way, y, x, unit, budget, seed))
            print(path.name, file=sys.stderr, flush=True)
        for budget in BUDGETS:
            for place, measure in enumerate(("error", "1 - F")):
                logs = []
                for path in streams:
                    means = [np.mean([result[place] for result in results[budget, path.name, way]]) for way in WAYS]
                    means = [1 - mean if place else mean for mean in means]
                    logs.append(np.log(np.maximum(means, 1e-4)) - np.log(max(means[0], 1e-4)))
                print(
                    f"| {kind} | {budget} | {measure} | "
                    + " | ".join(f"{value:.2f}" for value in np.exp(np.mean(logs, axis=0))[1:])
                    + " |",
                    flush=True,
                )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 3)
