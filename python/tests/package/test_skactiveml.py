from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from skactiveml.classifier import ParzenWindowClassifier
from skactiveml.stream import FixedUncertainty
from sklearn.datasets import make_classification

from askfew.skactiveml import PacedBudget, SelectiveSampling


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_classification(600, n_features=2, n_redundant=0, n_clusters_per_class=1, class_sep=1.2, random_state=0)


def run_tutorial(strategy: Any, X: Any, y: Any) -> tuple[float, int]:
    """The loop of scikit-activeml's stream tutorial."""
    classifier = ParzenWindowClassifier(classes=[0, 1], random_state=0)
    X_train, y_train = list(X[:10]), list(y[:10].astype(float))
    classifier.fit(X_train, y_train)
    right, queried = 0, 0
    for x, label in zip(X[10:], y[10:], strict=True):
        candidates = x.reshape(1, -1)
        right += int(classifier.predict(candidates)[0] == label)
        indices, utilities = strategy.query(candidates=candidates, clf=classifier, return_utilities=True)
        strategy.update(candidates=candidates, queried_indices=indices, budget_manager_param_dict={"utilities": utilities})
        if len(indices) > 0:
            X_train.append(x)
            y_train.append(float(label))
            queried += 1
            classifier.fit(X_train[-300:], y_train[-300:])
    return right / (len(X) - 10), queried


def test_the_stream_tutorial_spends_the_budget_and_learns(data: tuple[Any, Any]) -> None:
    X, y = data
    accuracy, queried = run_tutorial(SelectiveSampling(budget=0.1, random_state=0), X, y)
    assert accuracy > 0.85
    assert 0.5 * 59 < queried <= 60


def test_a_query_changes_nothing_and_an_update_follows_the_indices(data: tuple[Any, Any]) -> None:
    X, y = data
    classifier = ParzenWindowClassifier(classes=[0, 1]).fit(X[:50], y[:50])
    strategy = SelectiveSampling(budget=0.2, random_state=0)
    first = strategy.query(X[50:150], clf=classifier, return_utilities=True)
    again = strategy.query(X[50:150], clf=classifier, return_utilities=True)
    assert (first[0] == again[0]).all()
    assert strategy.decider_.tally() == (0, 0)
    strategy.update(X[50:150], first[0], {"utilities": first[1]})
    assert strategy.decider_.tally() == (100, len(first[0]))
    strategy.update(X[150:160], [0, 3], {"utilities": np.zeros(10)})
    assert strategy.decider_.tally() == (110, len(first[0]) + 2)


def test_one_by_one_is_the_same_as_a_batch(data: tuple[Any, Any]) -> None:
    X, y = data
    classifier = ParzenWindowClassifier(classes=[0, 1]).fit(X[:50], y[:50])
    batch = SelectiveSampling(budget=0.2, random_state=0).query(X[50:], clf=classifier)
    strategy = SelectiveSampling(budget=0.2, random_state=0)
    alone = []
    for row in range(50, 600):
        indices, utilities = strategy.query(X[row:row + 1], clf=classifier, return_utilities=True)
        strategy.update(X[row:row + 1], indices, {"utilities": utilities})
        alone += [row - 50] * len(indices)
    assert batch.tolist() == alone


def test_copies_go_on_alike(data: tuple[Any, Any]) -> None:
    X, y = data
    classifier = ParzenWindowClassifier(classes=[0, 1]).fit(X[:50], y[:50])
    strategy = SelectiveSampling(budget=0.2, random_state=0)
    indices, utilities = strategy.query(X[:100], clf=classifier, return_utilities=True)
    strategy.update(X[:100], indices, {"utilities": utilities})
    expected = strategy.query(X[100:], clf=classifier).tolist()
    for other in (copy.deepcopy(strategy), pickle.loads(pickle.dumps(strategy))):
        assert other.query(X[100:], clf=classifier).tolist() == expected


def test_the_pacer_is_a_budget_manager(data: tuple[Any, Any]) -> None:
    X, y = data
    manager = PacedBudget(budget=0.1, random_state=0)
    rng = np.random.default_rng(0)
    queried = 0
    for _ in range(2000):
        utilities = rng.random(1)
        indices = manager.query_by_utility(utilities)
        assert (manager.query_by_utility(utilities) == indices).all()
        manager.update(X[:1], indices, utilities)
        queried += len(indices)
    assert 0.5 * 200 < queried <= 201
    strategy = FixedUncertainty(classes=[0, 1], budget_manager=PacedBudget(budget=0.1), random_state=0)
    accuracy, queried = run_tutorial(strategy, X, y)
    assert accuracy > 0.8
    assert 0 < queried <= 60


def test_wrong_parameters_are_refused(data: tuple[Any, Any]) -> None:
    X, y = data
    classifier = ParzenWindowClassifier(classes=[0, 1]).fit(X[:50], y[:50])
    for wrong in ({"budget": -1.0}, {"budget": 1.5}, {"rule": "colour"}, {"rule": 3}):
        with pytest.raises((TypeError, ValueError)):
            SelectiveSampling(**wrong).query(X, clf=classifier)
