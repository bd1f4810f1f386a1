"""Other programs on the streams of `askfew reproduce defaults`, in the same order, beside its figures.

    askfew reproduce defaults --data FOLDER -o reproduced
    python3 bench/peers/peers.py reproduced

installs River, Vowpal Wabbit and scikit-activeml from PyPI (requirements.txt) into reproduced/work/peers-venv and runs

* River: EntropySampler around logistic regression with learning rate 1; its discount factor is searched so that it asks
  for the share of the labels (it has no budget of its own);
* Vowpal Wabbit: logistic loss, --active --simulation with its mellowness searched in the same way; and the same learner
  on random labels;
* scikit-activeml: VariableUncertainty with the budget, around scikit-learn's SGDClassifier with logistic loss; only on
  streams of at most 200 features, because it takes milliseconds a round.

Prints the versions and one table of errors in percent, of the first task of every set. A search looks at the whole stream,
which askfew never does. Results are kept in reproduced/work/peers.jsonl: a stopped run goes on from there.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import venv
import warnings
from importlib import metadata

HERE = os.path.dirname(os.path.abspath(__file__))
SHARES = (0.02, 0.1)
SEARCH_STEPS = 8
NEAR = 0.1  # a share that differs by less is the share


def run_in_venv(folder, script):
    """Runs a script again with the Python of an environment that has the peers."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", os.path.join(HERE, "requirements.txt")], check=True)
    os.execv(python, [python, os.path.abspath(script), *sys.argv[1:], "--installed"])


def row_of(line, positive):
    """A line of svmlight text: is its label `positive`, and its features."""
    label, *pairs = line.split()
    return label == positive, {int(k): float(v) for k, v in (pair.split(":") for pair in pairs)}


def read_stream(path):
    with open(path, encoding="ascii") as file:
        return [row_of(line, "+1") for line in file]


class Result:
    """Errors and labels of one run."""

    def __init__(self, errors, asked, rounds):
        self.error = errors / rounds
        self.share = asked / rounds


def search(share, low, high, run):
    """The run whose share is nearest; `run(exponent)` asks for more the larger the exponent is."""
    best = None
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        result = run(middle)
        if best is None or abs(result.share - share) < abs(best.share - share):
            best = result
        if abs(result.share - share) <= 0.03 * share:
            break
        low, high = (low, middle) if result.share > share else (middle, high)
    return best


def river(rows, share):
    from river import active, linear_model, optim

    def run(exponent):
        model = active.EntropySampler(linear_model.LogisticRegression(optimizer=optim.SGD(1.0)),
                                      discount_factor=2.0 ** -exponent, seed=1)
        errors = asked = 0
        for label, x in rows:
            probabilities, ask = model.predict_proba_one(x)
            errors += (probabilities.get(True, 0.0) > 0.5) != label
            if ask:
                asked += 1
                model.learn_one(x, label)
        return Result(errors, asked, len(rows))

    return search(share, -9, 4, run)


def vw_lines(rows):
    return ["| " + " ".join(f"{k}:{v:.7g}" for k, v in x.items()) for _, x in rows]


def vw_random(rows, share):
    import vowpalwabbit

    model = vowpalwabbit.Workspace("--quiet --loss_function logistic -b 20")
    draw = random.Random(1)
    left = labels = math.floor(share * len(rows))
    errors = 0
    for done, ((label, _), line) in enumerate(zip(rows, vw_lines(rows))):
        errors += (model.predict(line) > 0) != label
        if draw.random() < left / (len(rows) - done):
            left -= 1
            model.learn(f"{1 if label else -1} {line}")
    model.finish()
    return Result(errors, labels - left, len(rows))


def vw_active(rows, share):
    import vowpalwabbit

    lines = vw_lines(rows)

    def run(exponent):
        model = vowpalwabbit.Workspace(f"--loss_function logistic -b 20 --active --simulation "
                                       f"--mellowness {2.0 ** exponent} --random_seed 1", enable_logging=True)
        errors = 0
        for (label, _), line in zip(rows, lines):
            example = model.example(f"{1 if label else -1} {line}")
            model.learn(example)  # predicts, then decides whether to look at the label
            errors += (example.get_simplelabel_prediction() > 0) != label
            model.finish_example(example)
        model.finish()
        asked, = (int(line.split("=")[1]) for line in model.get_log() if "total queries" in line)
        return Result(errors, asked, len(rows))

    return search(share, -20, 4, run)


def activeml(rows, share):
    import numpy as np
    from skactiveml.classifier import SklearnClassifier
    from skactiveml.stream import VariableUncertainty
    from sklearn.linear_model import SGDClassifier

    width = max((max(x, default=0) for _, x in rows), default=0) + 1
    if width > 200:
        return None
    table = np.zeros((len(rows), width))
    for row, (_, x) in enumerate(rows):
        table[row, list(x)] = list(x.values())
    model = SklearnClassifier(SGDClassifier(loss="log_loss", random_state=1), classes=[0, 1], random_state=1)
    model.fit(np.zeros((0, width)), np.zeros(0))
    warnings.simplefilter("ignore")  # it warns in every round until both classes were seen
    strategy = VariableUncertainty(budget=share, random_state=1)
    errors = asked = 0
    for x, (label, _) in zip(table[:, np.newaxis, :], rows):
        errors += bool(model.predict(x)[0]) != label
        sampled, utilities = strategy.query(candidates=x, clf=model, return_utilities=True)
        strategy.update(x, sampled, budget_manager_param_dict={"utilities": utilities})
        if len(sampled) > 0:
            asked += 1
            model.partial_fit(x, np.array([int(label)]))
    return Result(errors, asked, len(rows))


PEERS = {"River entropy": river, "VW active": vw_active, "VW random": vw_random, "scikit-activeml": activeml}


def askfew_errors(figures, stream, share):
    """Of the first run on this stream's task: the default's, and the best preset's with its name."""
    own, best = None, (math.inf, "")
    for cell in figures["cells"]:
        if (cell["set"], cell["variant"], cell["share"]) != (stream["set"], stream["variant"], share):
            continue
        error = cell["errors"][stream["task"]]
        if cell["sampler"] == "auto":
            own = error
        elif not cell["sampler"].startswith("auto"):
            best = min(best, (error, cell["sampler"]))
    return own, best


def cell_of(result, share):
    """An error, with the share of the labels where that is not the one that was wanted."""
    if result is None:
        return "-"
    off = abs(result["share"] - share) > NEAR * share
    return f"{100 * result['error']:.1f}" + (f" (at {100 * result['share']:.1f}%)" if off else "")


class Kept:
    """Results in a file, a line each."""

    def __init__(self, path):
        self.path = path
        self.found = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    key, value = json.loads(line)
                    self.found[key] = value

    def get(self, key, work):
        if key not in self.found:
            result = work()
            self.found[key] = result and vars(result)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, self.found[key]]) + "\n")
        return self.found[key]


def compare(folder):
    kept = Kept(os.path.join(folder, "work", "peers.jsonl"))
    with open(os.path.join(folder, "defaults.json"), encoding="utf-8") as file:
        figures = json.load(file)
    print("Versions:", ", ".join(f"{name} {metadata.version(name)}"
                                 for name in ("river", "vowpalwabbit", "scikit-activeml", "scikit-learn")))
    print()
    columns = ["stream", "labels", "askfew default", "best preset", *PEERS]
    print("| " + " | ".join(columns) + " |")
    print("| --- |" + " ---: |" * (len(columns) - 1))
    for stream in figures["streams"]:
        if stream["task"] > 0:
            continue
        rows = read_stream(os.path.join(folder, "work", "streams", stream["file"]))
        for share in SHARES:
            own, best = askfew_errors(figures, stream, share)
            if own is None:
                continue
            results = [cell_of(kept.get(f"{stream['file']} {share} {name}", lambda: peer(rows, share)), share)
                       for name, peer in PEERS.items()]
            print("| " + " | ".join([stream["file"].removesuffix("-0.svm"), f"{100 * share:g}%", f"{100 * own:.1f}",
                                     f"{100 * best[0]:.1f} {best[1]}", *results]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("output", help="the folder that `askfew reproduce defaults` has written")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.installed:
        run_in_venv(os.path.join(options.output, "work", "peers-venv"), __file__)
    compare(options.output)


if __name__ == "__main__":
    main()
