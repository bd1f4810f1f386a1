from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_blobs, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from askfew.sklearn import LazyLabels, SelectiveClassifier


def test_every_check_of_scikit_learn_passes_and_none_is_skipped() -> None:
    script = """
from sklearn.utils.estimator_checks import check_estimator
from askfew.sklearn import SelectiveClassifier
for model in (SelectiveClassifier(), SelectiveClassifier("sel-2nd"), SelectiveClassifier(budget=0.5),
              SelectiveClassifier("sel-p", audit=0.1, normalize=True)):
    found = check_estimator(model, on_fail=None, on_skip=None)
    assert len(found) > 50
    print([(one["check_name"], one["status"], one["exception"]) for one in found if one["status"] != "passed"])
"""
    # scikit-learn skips a check of its own without this variable, which must be set before scipy is imported.
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True,
                          env={**os.environ, "SCIPY_ARRAY_API": "1"})
    assert done.stdout == "[]\n" * 4


@pytest.fixture(scope="module")
def data() -> tuple[Any, Any]:
    return make_classification(2000, n_features=20, n_informative=10, class_sep=1.5, random_state=0)


def test_labels_that_are_not_asked_are_never_looked_at(data: tuple[Any, Any]) -> None:
    X, y = data
    plain = SelectiveClassifier("sel-p", budget=0.1).fit(X, y)
    seen = []

    def find(row: int) -> Any:
        seen.append(row)
        return y[row]

    lazy = SelectiveClassifier("sel-p", budget=0.1, classes=[0, 1]).fit(X, LazyLabels(len(y), find))
    assert seen == np.flatnonzero(lazy.asked_).tolist()
    assert (lazy.asked_ == plain.asked_).all()
    assert 0 < lazy.n_asked_ <= 200
    assert (lazy.decision_function(X) == plain.decision_function(X)).all()
    functions = [lambda row=row: find(row) for row in range(len(y))]
    seen.clear()
    again = SelectiveClassifier("sel-p", budget=0.1, classes=[0, 1]).fit(X, functions)
    assert seen == np.flatnonzero(again.asked_).tolist()


def test_a_wrong_label_matters_only_where_it_is_asked(data: tuple[Any, Any]) -> None:
    X, y = data
    model = SelectiveClassifier("sel-p").partial_fit(X, y, classes=[0, 1])
    holes = np.where(model.asked_, y, -99)
    other = SelectiveClassifier("sel-p").partial_fit(X, holes, classes=[0, 1])
    assert (other.asked_ == model.asked_).all()
    assert (other.predict(X) == model.predict(X)).all()
    with pytest.raises(ValueError, match="was asked and is not one of the classes"):
        SelectiveClassifier("sel-p").partial_fit(X, np.full(len(y), -99), classes=[0, 1])


def test_blocks_are_the_same_as_the_whole(data: tuple[Any, Any]) -> None:
    X, y = data
    whole = SelectiveClassifier("sel-p").fit(X, y)
    parts = SelectiveClassifier("sel-p")
    for k in range(0, 2000, 300):
        parts.partial_fit(X[k:k + 300], y[k:k + 300], classes=[0, 1])
    assert parts.n_asked_ == whole.n_asked_
    assert (parts.decision_function(X) == whole.decision_function(X)).all()


def test_sparse_matrices_pipelines_searches_and_pickles(data: tuple[Any, Any]) -> None:
    X, y = data
    dense = SelectiveClassifier("sel-p").fit(X, y).predict(X)
    sparse = SelectiveClassifier("sel-p").fit(scipy.sparse.csc_matrix(X), y).predict(scipy.sparse.csr_matrix(X))
    assert (dense == sparse).mean() > 0.95  # sums have another order
    pipeline = make_pipeline(StandardScaler(), SelectiveClassifier("sel-p"))
    assert cross_val_score(pipeline, X, y, cv=3).min() > 0.7
    search = GridSearchCV(pipeline, {"selectiveclassifier__sampler": ["sel-p:b=0.1", "sel-p:b=1"]}, cv=2).fit(X, y)
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    assert (copy.predict(X) == search.predict(X)).all()


def test_several_classes_with_names() -> None:
    X, numbers = make_blobs(1500, centers=4, n_features=8, random_state=3)
    y = np.array(["north", "east", "south", "west"])[numbers]
    model = make_pipeline(StandardScaler(), SelectiveClassifier("sel-p", budget=0.2)).fit(X, y)
    assert model.score(X, y) > 0.9
    assert set(model.predict(X)) <= set(y)
