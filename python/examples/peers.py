"""Label efficiency beside the peers, each in its own framework: the accuracy that the same share of labels buys.

    python python/examples/peers.py            (in an environment with the package and python/requirements-test.txt)

Three sets that the frameworks bring; every method sees the rows once, in the same orders, standardised, and predicts each
row before its label may be asked. Accuracy is progressive, over all rows: a mean over the orders, with its standard error.
Times are of one loop. River's sampler has no budget: its discount factor is the one that comes nearest to the share.
scikit-activeml's classifiers get one label of each class before they start.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np
from river import active, datasets, linear_model
from skactiveml.classifier import SklearnClassifier
from skactiveml.stream import Split, VariableUncertainty
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import StandardScaler

import askfew

ORDERS = 5


def sets() -> Iterator[tuple[str, Any, Any]]:
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer", X, y
    pairs = list(datasets.Phishing())
    yield "phishing", np.array([list(x.values()) for x, _ in pairs], float), np.array([int(y) for _, y in pairs])
    X, y = load_digits(return_X_y=True)
    yield "digits, 0-4", X, (y < 5).astype(int)


def ours(X: Any, y: Any, share: float) -> tuple[float, float]:
    sampler = askfew.Sampler("auto", budget=share, bias=1, normalize=True)
    trace = sampler.run(X, y)
    return float((trace["prediction"] == trace["label"]).mean()), float(trace["asked"].mean())


def at_random(X: Any, y: Any, share: float) -> tuple[float, float]:
    sampler = askfew.Sampler(learner="pa-1", rule=f"random:q={share}", bias=1, normalize=True)
    trace = sampler.run(X, y)
    return float((trace["prediction"] == trace["label"]).mean()), float(trace["asked"].mean())


def of_river(X: Any, y: Any, share: float) -> tuple[float, float]:
    best = (0.0, 2.0)
    for factor in np.geomspace(10, 100_000, 17).tolist():
        model = active.EntropySampler(linear_model.LogisticRegression(), discount_factor=factor, seed=1)
        right = asked = 0
        for row, label in zip(X.tolist(), y.tolist(), strict=True):
            x = dict(enumerate(row))
            prediction, ask = model.predict_one(x)
            right += int(bool(prediction) == bool(label))
            if ask:
                asked += 1
                model.learn_one(x, bool(label))
        if abs(asked / len(y) - share) < abs(best[1] - share):
            best = (right / len(y), asked / len(y))
    return best


def of_skactiveml(strategy: Any, X: Any, y: Any) -> tuple[float, float]:
    model = SklearnClassifier(SGDClassifier(loss="log_loss", random_state=0), classes=[0, 1], random_state=0)
    first = [int(np.flatnonzero(y == k)[0]) for k in (0, 1)]
    model.fit(X[first], y[first])
    right = asked = 0
    for k in range(len(y)):
        x = X[k:k + 1]
        right += int(model.predict(x)[0] == y[k])
        indices, utilities = strategy.query(x, clf=model, return_utilities=True)
        strategy.update(x, indices, budget_manager_param_dict={"utilities": utilities})
        if len(indices) > 0:
            asked += 1
            model.partial_fit(x, y[k:k + 1])
    return right / len(y), asked / len(y)


def main() -> None:
    names = ("askfew", "river", "scikit-activeml", "scikit-learn", "numpy")
    print(", ".join(f"{name} {version(name)}" for name in names), f"; {ORDERS} orders of the rows each")
    print(f"{'set':14} {'rows':>5} {'method':36} {'labels':>7} {'accuracy':>14} {'seconds':>8}")
    share = 0.05
    methods: dict[str, Callable[[Any, Any], tuple[float, float]]] = {
        "askfew auto": lambda X, y: ours(X, y, share),
        "askfew pa-1, at random": lambda X, y: at_random(X, y, share),
        "River EntropySampler, logistic": lambda X, y: of_river(X, y, share),
        "scikit-activeml VariableUncertainty": lambda X, y: of_skactiveml(
            VariableUncertainty(budget=share, random_state=0), X, y),
        "scikit-activeml Split": lambda X, y: of_skactiveml(Split(budget=share, random_state=0), X, y),
    }
    for name, X, y in sets():
        X = StandardScaler().fit_transform(X)
        orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(ORDERS)]
        for method, work in methods.items():
            start = time.perf_counter()
            found = np.array([work(X[order], y[order]) for order in orders])
            seconds = (time.perf_counter() - start) / ORDERS
            accuracy, asked = found.mean(axis=0)
            error = found[:, 0].std(ddof=1) / np.sqrt(ORDERS)
            print(f"{name:14} {len(y):5} {method:36} {asked:7.1%} {accuracy:7.1%} ± {error:4.1%} {seconds:8.2f}")


if __name__ == "__main__":
    main()
