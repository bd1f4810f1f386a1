"""A scikit-learn classifier that learns from the labels that it asks for, and looks at no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from . import _arrays
from .sampler import Sampler

__all__ = ["LazyLabels", "SelectiveClassifier"]


class LazyLabels:
    """Labels that are found one at a time, when they are asked for.

    find: called with the number of a row, returns its label.

    >>> labels = LazyLabels(3, lambda row: row % 2)
    >>> len(labels), labels[1]
    (3, 1)
    """

    def __init__(self, size: int, find: Callable[[int], Any]) -> None:
        self._size = size
        self._find = find

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, row: int) -> Any:
        return self._find(row)


def _is_lazy(y: Any) -> bool:
    if isinstance(y, LazyLabels):
        return True
    return isinstance(y, (list, tuple, np.ndarray)) and len(y) > 0 and callable(y[0])


class SelectiveClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that asks for few labels.

    One pass over the data, in their order. Labels that are not asked are never looked at: `y` may be `LazyLabels` or
    hold functions without arguments, which are called for asked labels only. `classes` must then be given.

    Parameters
    ----------
    sampler : a preset of the catalog, such as "sel-p:b=0.5"; by default pa-log, or auto with a budget.
    budget : labels that may be asked: 500, 0.05 or "5%" of the rows.
    horizon : the rows that the budget covers; by default those of `fit`, unknown for `partial_fit`.
    audit : ask every label at least with this probability.
    learner, rule, update : instead of a preset.
    classes : the classes, if `fit` must not find them in y.
    bias : the value of a constant feature; 0 for none.
    normalize : scale every row to norm 1.
    seed : of the coins.

    Attributes
    ----------
    classes_ : the classes.
    n_asked_ : the labels asked so far.
    asked_ : which rows of the last call were asked.
    sampler_ : the askfew.Sampler.

    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(500, random_state=0)
    >>> model = SelectiveClassifier("sel-p", budget=100).fit(X, y)
    >>> bool(model.n_asked_ <= 100)
    True
    """

    def __init__(self, sampler: str | None = None, *, budget: str | float | None = None, horizon: int | None = None,
                 audit: str | float | None = None, learner: str | None = None, rule: str | None = None,
                 update: str | None = None, classes: Sequence[Any] | None = None, bias: float = 1.0,
                 normalize: bool = False, seed: int = 1) -> None:
        self.sampler = sampler
        self.budget = budget
        self.horizon = horizon
        self.audit = audit
        self.learner = learner
        self.rule = rule
        self.update = update
        self.classes = classes
        self.bias = bias
        self.normalize = normalize
        self.seed = seed

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _matrix(self, X: Any, reset: bool) -> Any:
        return validate_data(self, X, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32], reset=reset)

    def _start(self, classes: npt.NDArray[Any], rows: int | None = None) -> None:
        if len(classes) < 2:
            raise ValueError(f"{type(self).__name__} needs at least two classes, and there is only one class")
        self.classes_ = classes
        several = list(range(len(classes))) if len(classes) > 2 else None
        horizon = self.horizon
        if horizon is None and self.budget is not None and "/" not in str(self.budget):
            horizon = rows
        self.sampler_ = Sampler(self.sampler, budget=self.budget, horizon=horizon, audit=self.audit,
                                learner=self.learner, rule=self.rule, update=self.update, seed=self.seed,
                                classes=several, bias=self.bias, normalize=self.normalize)
        self.n_asked_ = 0

    def fit(self, X: Any, y: Any) -> SelectiveClassifier:
        """Learns from one pass over the rows. Without `classes`, they are the different values in y."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if _is_lazy(y):
            if self.classes is None:
                raise ValueError("labels that are found when they are asked need `classes`")
            X = self._matrix(X, True)
            self._start(np.asarray(self.classes), X.shape[0])
            return self._learn(X, y, False)
        X, y = validate_data(self, X, y, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32])
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        self._start(unique_labels(y) if self.classes is None else np.asarray(self.classes), X.shape[0])
        return self._learn(X, y, False)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> SelectiveClassifier:
        """Learns from more rows. The first call needs the classes."""
        first = not hasattr(self, "sampler_")
        given = classes if classes is not None else self.classes
        if first and given is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        if not first and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes={classes!r} is not the same as on the last call to partial_fit: {self.classes_!r}")
        if not _is_lazy(y):
            y = column_or_1d(y, warn=True)
        X = self._matrix(X, first)
        if first:
            self._start(np.unique(np.asarray(given)))
        return self._learn(X, y, True)

    def _learn(self, X: Any, y: Any, more: bool) -> SelectiveClassifier:
        if X.shape[0] != len(y):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: {[X.shape[0], len(y)]}")
        codes = None if _is_lazy(y) else self._codes(y)
        if codes is not None:
            trace = self.sampler_.run(X, codes, more=more)
            self.asked_ = np.asarray(trace["asked"])
        else:
            self.asked_ = self._ask_rows(X, y)
        self.n_asked_ += int(self.asked_.sum())
        return self

    def _codes(self, y: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
        """The labels as the sampler has them; None if one of them is no class: it may never be asked."""
        numbers = {label: k for k, label in enumerate(self.classes_.tolist())}
        values, inverse = np.unique(y, return_inverse=True) if y.dtype != object else (None, None)
        found = [numbers.get(label) for label in (y if values is None else values).tolist()]
        if None in found:
            return None
        codes = np.asarray(found) if inverse is None else np.asarray(found)[inverse]
        return codes if len(self.classes_) > 2 else np.where(codes == 1, 1, -1)

    def _ask_rows(self, X: Any, y: Any) -> npt.NDArray[np.bool_]:
        """Row by row, so that the labels that are not asked stay untouched."""
        asked = np.zeros(X.shape[0], bool)
        rows = X.tocsr() if _arrays.is_sparse(X) else X
        numbers = {label: k for k, label in enumerate(self.classes_.tolist())}
        for row in range(len(asked)):
            x = rows[row]
            query = self.sampler_.ask(x)
            if not query.asked:
                continue
            label = y[row]
            if callable(label):
                label = label()
            number = numbers.get(getattr(label, "item", lambda label=label: label)())
            if number is None:
                raise ValueError(f"the label {label!r} of row {row} was asked and is not one of the classes {self.classes_}")
            self.sampler_.tell(x, number if len(self.classes_) > 2 else 2 * number - 1, query)
            asked[row] = True
        return asked

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The margins: one per row for two classes, else one for each class."""
        check_is_fitted(self)
        return self.sampler_.decision_function(self._matrix(X, False))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The predicted classes."""
        margins = self.decision_function(X)
        numbers = (margins > 0).astype(int) if margins.ndim == 1 else np.argmax(margins, axis=1)
        return np.asarray(self.classes_[numbers])

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Probabilities that rise with the margins; they are not calibrated."""
        check_is_fitted(self)
        return self.sampler_.predict_proba(self._matrix(X, False))
