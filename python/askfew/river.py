"""askfew in River: an active classifier with its own learner."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from river import active

from .errors import ConfigError
from .sampler import Sampler

__all__ = ["SelectiveSampler"]

MOST_QUESTIONS = 10_000


def _key(x: Mapping[Hashable, Any]) -> Hashable:
    return frozenset(x.items())


class SelectiveSampler(active.base.ActiveLearningClassifier):  # type: ignore[misc]
    """An active classifier of River that is a sampler of askfew: learner, rule, coins and budget.

    `predict_one` returns the prediction and whether to ask for the label. `learn_one` learns the label of a question
    that `predict_one` asked, now or later; labels that were not asked are not learned. Features have names, as in lines
    of JSON: numbers, texts and booleans are accepted.

    Behind a transformer that learns, such as a scaler, the features may differ between question and label: then a label
    must come before the next prediction; others are not learned, with a warning.

    Parameters
    ----------
    sampler
        A preset of the catalog, such as "sel-p:b=0.5"; by default pa-log, or auto with a budget.
    budget
        The labels that may be asked: 500, or a share such as 0.05.
    horizon
        The instances that the budget covers, if their number is known.
    classes
        The classes; by default False and True.
    bias
        The value of a constant feature; 0 for none.
    normalize
        Scale every instance to norm 1.
    seed
        Of the coins.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> model = preprocessing.StandardScaler() | SelectiveSampler("sel-p")
    >>> sampler = SelectiveSampler("sel-p", normalize=True)
    >>> metric = evaluate.progressive_val_score(datasets.Phishing(), sampler, metrics.Accuracy())
    >>> metric.get() > 0.75
    True
    >>> sampler.n_asked < 1250
    True
    """

    def __init__(self, sampler: str | None = None, budget: str | float | None = None, horizon: int | None = None,
                 classes: Sequence[Any] | None = None, bias: float = 1.0, normalize: bool = False,
                 seed: int | None = 1) -> None:
        self.sampler = sampler
        self.budget = budget
        self.horizon = horizon
        self.classes = classes
        self.bias = bias
        self.normalize = normalize
        self.seed = seed
        self._sampler = Sampler(sampler, budget=budget, horizon=horizon, classes=None if classes is None else list(classes),
                                bias=bias, normalize=normalize, seed=1 if seed is None else seed)
        # Asked queries by the features of their instances: an instance may be asked more than once.
        self._questions: OrderedDict[Hashable, list[Any]] = OrderedDict()
        self._last: Hashable = None

    @property
    def _wrapped_model(self) -> Any:
        return None

    @property
    def _supervised(self) -> bool:
        return True

    def _more_tags(self) -> set[str]:
        return set()

    def __str__(self) -> str:
        return type(self).__name__

    @property
    def _labels(self) -> list[Any]:
        return [False, True] if self.classes is None else list(self.classes)

    @property
    def _multiclass(self) -> bool:
        return self.classes is not None

    @classmethod
    def _unit_test_params(cls) -> Any:
        yield {"classes": [False, True, "brickface", "cement", "foliage", "grass", "path", "sky", "window"]}

    @property
    def n_asked(self) -> int:
        """The labels asked so far."""
        return self._sampler.tally().asked

    def _ask_for_label(self, x: Mapping[Hashable, Any], y_pred: Any) -> bool:
        query = self._sampler.ask(x)
        self._last = None
        if query.asked:
            key = _key(x)
            self._questions.setdefault(key, []).append(query)
            self._last = key
            if len(self._questions) > MOST_QUESTIONS:
                self._questions.popitem(last=False)
        return bool(query.asked)

    def predict_proba_one(self, x: Mapping[Hashable, Any], **kwargs: Any) -> Any:
        """The probability of each label, not calibrated, and whether its label is asked."""
        if self._sampler.is_made:
            shares = self._sampler.predict_proba([dict(x)])[0].tolist()
        else:
            shares = [1 / len(self._labels)] * len(self._labels)
        return dict(zip(self._labels, shares, strict=True)), self._ask_for_label(x, None)

    def learn_one(self, x: Mapping[Hashable, Any], y: Any, **kwargs: Any) -> None:
        """Learns the label of a question. A label that was not asked is not learned."""
        if self.classes is None and y not in (False, True):
            raise ConfigError(f"the label {y!r} is not True or False: give `classes` for others")
        key = _key(x)
        if key not in self._questions:
            if self._last is None or self._last not in self._questions:
                return
            if len(self._questions) > 1:
                warnings.warn("a label is not learned: no question has its features, and several wait. Behind a transformer "
                              "that learns, a label must come before the next prediction.", RuntimeWarning, stacklevel=2)
                return
            key = self._last
        queries = self._questions[key]
        query = queries.pop(0)
        if not queries:
            del self._questions[key]
        self._sampler.tell(x, y if self.classes is not None else (1 if y else -1), query)
