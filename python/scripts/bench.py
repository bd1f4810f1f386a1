"""Measures the speed of the Python package beside its engine and its peers, as ratios of one run.

    python python/scripts/bench.py            (in an environment with the package and python/requirements-test.txt)
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
import scipy.sparse

import askfew


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The fastest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def turns(works: dict[str, Callable[[], object]], repeats: int, clock: Callable[[], float]) -> dict[str, float]:
    """The fastest of several runs of each; they take turns, so that other programs disturb all of them alike."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, work in works.items():
            start = clock()
            work()
            best[name] = min(best[name], clock() - start)
    return best


def block() -> None:
    rng = np.random.default_rng(0)
    rows, columns = 400_000, 75
    X = scipy.sparse.random(rows, columns, density=0.5, format="csr", random_state=0)
    y = np.where(X @ rng.normal(size=columns) > 0, 1, -1)
    codes = y.astype(np.int8)[:, None]
    parts = askfew._arrays.rows(X)

    def engine() -> None:
        askfew.Sampler("sel-p", seed=1)._run(parts, codes, None, False, None, 1, None)

    taken = turns({"loop": engine, "learn": lambda: askfew.Sampler("sel-p").learn(X, y),
                   "run": lambda: askfew.Sampler("sel-p").run(X, y)}, 30, time.process_time)
    print(f"block of {rows:,} x {columns} (CSR), sel-p, in seconds of the processor: the C++ loop "
          f"{rows / taken['loop']:,.0f} rounds/s")
    for name in ("learn", "run"):
        print(f"  Sampler.{name:6} {rows / taken[name]:12,.0f} rounds/s, {taken[name] / taken['loop']:.2f} x the loop")


def one_by_one() -> None:
    from river import linear_model
    from skactiveml.classifier import SklearnClassifier
    from skactiveml.stream import FixedUncertainty
    from sklearn.linear_model import SGDClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 20))
    labels = np.where(X @ rng.normal(size=20) > 0, 1, -1)
    y = labels.tolist()

    def ours() -> None:
        sampler = askfew.Sampler("sel-p", seed=1)
        ask, tell = sampler.ask, sampler.tell
        for x, label in zip(X, y, strict=True):
            query = ask(x)
            if query.asked:
                tell(x, label, query)

    def with_river() -> None:
        model = linear_model.Perceptron()
        for x, label in zip(dicts, y, strict=False):
            model.predict_one(x)
            model.learn_one(x, label > 0)

    def with_sklearn() -> None:
        model = SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1, penalty=None)
        for k in range(2000):
            if k > 0:
                model.predict(X[k:k + 1])
            model.partial_fit(X[k:k + 1], labels[k:k + 1], classes=[-1, 1])

    def with_skactiveml() -> None:
        model = SklearnClassifier(SGDClassifier(loss="log_loss"), classes=[-1, 1])
        model.fit(X[:10], labels[:10])
        strategy = FixedUncertainty(classes=[-1, 1], budget=0.5, random_state=0)
        for k in range(10, 510):
            x = X[k:k + 1]
            indices, utilities = strategy.query(x, clf=model, return_utilities=True)
            strategy.update(x, indices, budget_manager_param_dict={"utilities": utilities})
            if len(indices) > 0:
                model.partial_fit(x, labels[k:k + 1])

    dicts = [dict(enumerate(x)) for x in X[:20_000].tolist()]
    print("one by one, dense rows of 20:")
    for name, work, rounds in (("askfew ask/tell", ours, 200_000),
                               (f"River {version('river')} predict_one/learn_one", with_river, 20_000),
                               (f"scikit-learn {version('scikit-learn')} predict/partial_fit", with_sklearn, 2000),
                               (f"scikit-activeml {version('scikit-activeml')} query/update", with_skactiveml, 500)):
        print(f"  {name:48} {rounds / seconds(work, 3):12,.0f} rounds/s")


def importing() -> None:
    def taken(code: str) -> float:
        return min(seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), 1) for _ in range(7))

    base = taken("import numpy")
    print(f"import askfew: {1000 * (taken('import numpy, askfew') - base):.0f} ms beyond numpy's {1000 * base:.0f} ms")


def threads() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 100))
    sampler = askfew.Sampler("sel-2nd")
    sampler.learn(X[:2000], X[:2000, 0] > 0)

    def two() -> None:
        workers = [threading.Thread(target=sampler.decision_function, args=(X,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    taken = turns({"one": lambda: sampler.decision_function(X), "two": two}, 30, time.perf_counter)
    print(f"two threads predict {2 * taken['one'] / taken['two']:.2f} times as much as one")


if __name__ == "__main__":
    print(f"askfew {askfew.__version__}, Python {sys.version.split()[0]}, numpy {np.__version__}")
    block()
    one_by_one()
    importing()
    threads()
