"""The engine: a sampler that asks for the labels that are worth their price."""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _core
from ._progress import shown
from .errors import ConfigError, FileError

TRACE = np.dtype({
    "names": ["round", "task", "margin", "probability", "coin", "asked", "audited", "prediction", "label", "updated", "audit",
              "audit_coin", "chance"],
    "formats": ["u8", "u4", "f8", "f8", "f8", "?", "?", "i4", "i4", "?", "f8", "f8", "f8"],
    "offsets": [0, 32, 8, 16, 24, 44, 45, 36, 40, 46, 48, 56, 64],
    "itemsize": _core.TRACE_ROW_BYTES,
})

Any_Sampler = TypeVar("Any_Sampler", bound="Sampler")


@dataclass(frozen=True)
class Explanation:
    """Why a label was asked or not, besides the query.

    started: False while the learner needs a label first and asks whatever the rule says.
    scale: the rule's scale in this round; 0 if it has none.
    threshold: the largest absolute margin at which the rule would have asked with this round's coin; None: at none.
    held_back: the rule might have asked, but the budget did not allow it.
    heaviest: the features with the largest shares of the margin of an asked instance, as (feature, share).
    """

    started: bool
    scale: float
    threshold: float | None
    held_back: bool
    heaviest: list[tuple[int, float]]


@dataclass(frozen=True)
class Tally:
    """The counts of a sampler so far. `expected_asked` is the sum of the probabilities of asking."""

    rounds: int
    asked: int
    audited: int
    updates: int
    expected_asked: float


@contextlib.contextmanager
def _counted(progress: Callable[[int], object] | bool | None, rows: int) -> Iterator[Callable[[int], object] | None]:
    """What `_run` calls with the rounds so far."""
    if not isinstance(progress, bool):
        yield progress
        return
    with shown(progress, "run", "rounds") as show:
        yield None if show is None else lambda rounds: show(rounds, rows)


def _text(value: object, share: bool) -> str | None:
    """A budget or an audit as the command line writes it: 500, 0.05 (a share) or '5%'."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and not share:
        return str(int(value))
    if isinstance(value, (int, float, np.floating)) and not isinstance(value, bool) and 0 < value <= 1:
        return repr(float(value)) if share else f"{float(value) * 100:.15g}%"
    if share:
        raise ConfigError(f"{value!r} is not a share of the labels: give a number above 0 and up to 1, or a text such as '5%'")
    raise ConfigError(f"{value!r} is neither a whole number of labels, nor a share from 0 to 1, nor a text such as '5%'")


class Sampler(_core.Sampler):
    """Decides which labels of a stream are worth asking, and learns from those.

    sampler: a preset of the catalog, such as "sel-p" or "sel-p:b=0.5" (default: pa-log, or auto with a budget);
        or give `learner` and `rule`, with an `update` policy.
    budget: the labels that may be asked: 500, 0.05 or "5%" of the rounds, "200/day".
    horizon: the number of rounds that the budget is for; by default `run` on a new sampler takes the number of its rows.
    audit: ask for every label with at least this probability, so that `report` can estimate the quality of all predictions.
    aim: what predictions aim at: "accuracy", "f1", "recall=0.9" or "precision=0.9".
    seed: of the coins. The same seed and the same instances give the same decisions as on the command line.
    positive, classes, topics: labels other than -1 and +1: the labels that are positive; the classes of a multi-class
        task; the topics, each a task of its own, of which an instance has any number.
    shard: "3/8": only the third eighth of the topics. It decides about them as a sampler of all topics does.
    dimension: the number of features; by default that of the first instance.
    lazy: decide by cheap bounds on the margin where these are enough. The decisions are the same, and second-order
        learners are faster; probabilities and margins of queries and traces may then be bounds.
    max_memory: bytes for matrices and stored examples.
    stop_words and the other options (normalize, bias, ngrams, char_ngrams, stem, tf, tf_idf, bits, dictionary,
        most_words, fold): how instances become features, as on the command line.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(1000, 20))
    >>> y = np.where(X[:, 0] > 0, 1, -1)
    >>> sampler = Sampler("sel-p", seed=1)
    >>> for x, label in zip(X, y):
    ...     query = sampler.ask(x)
    ...     if query.asked:
    ...         changed = sampler.tell(x, label, query)
    >>> sampler.tally().rounds
    1000
    >>> bool(sampler.tally().asked < 1000)
    True

    Objects may be used by many threads: predictions run at the same time, everything else takes turns.
    """

    def __init__(self, sampler: str | None = None, *, budget: str | float | None = None, horizon: int | None = None,
                 audit: str | float | None = None, aim: str | None = None, seed: int = 1, learner: str | None = None,
                 rule: str | None = None, update: str | None = None, positive: Any = None, classes: Sequence[Any] | None = None,
                 topics: Sequence[Any] | None = None, shard: str | None = None, dimension: int | None = None,
                 lazy: bool = False, max_memory: int | None = None, stop_words: str | None = None, **features: Any) -> None:
        self._options: dict[str, Any] = {
            "sampler": sampler, "budget": _text(budget, False), "horizon": horizon, "audit": _text(audit, True), "aim": aim,
            "seed": seed, "learner": learner, "rule": rule, "update": update, "positive": positive, "classes": classes,
            "topics": topics, "shard": shard, "dimension": dimension, "lazy": lazy, "max_memory": max_memory,
            "stop_words": stop_words, **features}
        given = [name for name in ("positive", "classes", "topics") if self._options[name] is not None]
        if len(given) > 1:
            raise ConfigError(f"`{given[0]}` and `{given[1]}` exclude each other")
        kind = given[0] if given else "plain"
        labels: list[Any] = []
        if given:
            value = self._options[kind]
            labels = [value] if isinstance(value, (str, int)) else [getattr(v, "item", lambda v=v: v)() for v in value]
            if len(labels) == 0:
                raise ConfigError(f"`{kind}` is empty")
            name, times = Counter(str(label) for label in labels).most_common(1)[0]
            if times > 1:
                raise ConfigError(f"`{kind}` has {name!r} twice")
            if kind == "classes" and len(labels) == 1:
                raise ConfigError(f"`classes` has only {labels[0]!r}: a task has two classes or more")
        first = 0
        if shard is not None:
            if kind != "topics":
                raise ConfigError("`shard` is a part of the `topics`, which are missing")
            first, end = _core.shard_range(shard, len(labels))
            labels = labels[first:end]
        for_engine = {name: value for name, value in self._options.items()
                      if name not in ("positive", "classes", "topics", "shard", "lazy", "max_memory")}
        self._labels = labels
        super().__init__(for_engine, kind, [str(label) for label in labels], first, self._names(kind, labels),
                         self._numbers(kind, labels), lazy, max_memory if max_memory is not None else _core.usual_memory())

    @staticmethod
    def _names(kind: str, labels: list[Any]) -> list[Any] | None:
        return labels if kind == "classes" else None

    @staticmethod
    def _numbers(kind: str, labels: list[Any]) -> dict[Any, int] | None:
        """From labels to their numbers; binary tasks (plain, and each topic) have none."""
        if kind == "positive":
            return {label: 1 for label in labels}
        return {label: k for k, label in enumerate(labels)} if kind == "classes" else None

    def _codes(self) -> dict[Any, int] | None:
        if self._label_kind == "topics":
            return {label: k for k, label in enumerate(self._labels)}
        return self._numbers(self._label_kind, self._labels)

    @property
    def labels(self) -> list[Any]:
        """The positive labels, the classes or the topics; empty for labels -1 and +1."""
        return list(self._labels)

    @property
    def _tasks(self) -> int:
        return len(self._labels) if self._label_kind in ("classes", "topics") else 1

    def explain(self, x: Any, query: _core.Query) -> Explanation:
        """Why the label of the last query was asked or not. Call it before `tell`."""
        return Explanation(**self._explain(x, query))

    def run(self, X: Any, y: Any, *, times: Any = None, more: bool = False, threads: int = 1,
            progress: Callable[[int], object] | bool | None = None) -> npt.NDArray[Any]:
        """Runs over a labelled block at the speed of the engine; labels are revealed only where they are asked.

        Returns a trace, a structured array with a row for each round and task: `round`, `task`, `margin`,
        `probability`, `coin`, `asked`, `audited`, `prediction`, `label`, `updated`, `audit`, `audit_coin`, `chance` (the
        total probability of asking). Labels are -1 and +1, or the numbers of the classes in `labels`. `progress` is
        called with the rounds so far, a few times a second; True shows a bar of tqdm. `times`: seconds since 1970, for
        budgets such as "200/day". A new sampler assumes that its first block is the whole stream that a budget is
        for; `more` says that further blocks will come. Without `more`, a label of `positive` that no row of the
        first block has is an error: it is probably misspelt.

        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(500, 3))
        >>> trace = Sampler("sel-p").run(X, X[:, 0] > 0)
        >>> trace.dtype.names[:3]
        ('round', 'task', 'margin')
        """
        rows = _arrays.rows(X)
        n = _arrays.count(rows)
        codes = self._encoded(y, more)
        per_row = self._tasks if self._label_kind == "topics" else 1
        trace = np.empty(n * per_row, TRACE)
        seconds = None if times is None else np.ascontiguousarray(times, dtype=np.int64)
        with _counted(progress, n) as count:
            done = self._run(rows, codes, seconds, more, trace.view(np.uint8), None, threads, count) if n > 0 else 0
        return trace[:done * per_row]

    def learn(self, X: Any, y: Any, *, times: Any = None, more: bool = False, threads: int = 1,
              progress: Callable[[int], object] | bool | None = None) -> Tally:
        """The same as `run`, but without the trace, which takes time and memory. Returns the counts afterwards."""
        rows = _arrays.rows(X)
        codes = self._encoded(y, more)
        seconds = None if times is None else np.ascontiguousarray(times, dtype=np.int64)
        if (n := _arrays.count(rows)) > 0:
            with _counted(progress, n) as count:
                self._run(rows, codes, seconds, more, None, None, threads, count)
        return self.tally()

    def _encoded(self, y: Any, more: bool) -> npt.NDArray[np.int8]:
        """The labels of a block as -1 and +1. Those of a new sampler are checked for mistakes."""
        codes = np.ascontiguousarray(_arrays.encode(y, self._label_kind, self._codes(), self._tasks))
        if self._label_kind == "positive" and not self.is_made and len(codes) > 0:
            counts = _arrays.label_counts(y)
            missing = [] if more else [label for label in self._labels if label not in counts]
            for label in missing:
                same = [other for other in counts if str(other) == str(label)]
                if same:
                    raise ConfigError(f"`positive` has {label!r}, a {type(label).__name__}, and y has {same[0]!r}, "
                                      f"a {type(same[0]).__name__}: give labels of one type")
            _core.check_positive([str(label) for label in self._labels],
                                 [(str(label), count) for label, count in counts.items()], [str(label) for label in missing])
        if self._label_kind != "topics" and not self.is_made and not more:
            _core.check_order((codes[:, 0] if codes.shape[1] == 1 else codes.argmax(axis=1)).astype(np.int32))
        return codes

    def _all_margins(self, X: Any) -> npt.NDArray[np.float64]:
        rows = _arrays.rows(X)
        out = np.empty((_arrays.count(rows), self._tasks))
        self._margins(rows, out)
        return out

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The margins, minus the threshold of an `aim`: one per row, or one for each class or topic."""
        margins = self._all_margins(X)
        return margins if self._label_kind in ("classes", "topics") else margins[:, 0]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The predicted labels: -1 and +1, the classes, or a column of -1 and +1 for each topic."""
        margins = self._all_margins(X)
        if self._label_kind == "classes":
            return np.asarray(np.asarray(self._labels)[np.argmax(margins, axis=1)])
        signs = np.where(margins > 0, 1, -1)
        return signs if self._label_kind == "topics" else signs[:, 0]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Probabilities that rise with the margins: 1 / (1 + exp(-margin)), or the softmax over the classes.

        They are not calibrated. Two columns, negative and positive; or one for each class; or, for topics, that of the
        topic.
        """
        margins = self._all_margins(X)
        if self._label_kind == "classes":
            powers = np.exp(margins - margins.max(axis=1, keepdims=True))
            return powers / powers.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]
        positive = np.where(margins >= 0, 1 / (1 + np.exp(-np.abs(margins))), 1 - 1 / (1 + np.exp(-np.abs(margins))))
        return positive if self._label_kind == "topics" else np.column_stack([1 - positive[:, 0], positive[:, 0]])

    def weights(self, task: int = 0) -> npt.NDArray[np.float64] | None:
        """The weights of a task or class if its margin is linear, else None."""
        found = self._weights(task)
        return None if found is None else np.asarray(found)

    def tally(self, task: int = 0) -> Tally:
        """The counts so far."""
        return Tally(**self._tally(task))

    def report(self) -> dict[str, Any]:
        """The results so far, as `askfew run --json` writes them; with an `audit`, also estimates of the quality."""
        return json.loads(self._report())  # type: ignore[no-any-return]

    def config(self) -> dict[str, str]:
        """The learner, the rule and the update policy, with all parameters."""
        return self._config()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, completely or not at all."""
        self._save(os.fspath(path))

    @classmethod
    def load(cls: type[Any_Sampler], path: str | os.PathLike[str], *, lazy: bool = False,
             max_memory: int | None = None) -> Any_Sampler:
        """Reads a model file of Python or of the command line. It continues bit for bit."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise FileError(f"{os.fspath(path)}: {error.strerror}") from None
        return cls.from_bytes(data, lazy=lazy, max_memory=max_memory)

    @classmethod
    def from_bytes(cls: type[Any_Sampler], data: bytes, *, lazy: bool = False,
                   max_memory: int | None = None) -> Any_Sampler:
        """From `to_bytes` or the bytes of a model file."""
        sampler = cls(lazy=lazy, max_memory=max_memory)
        sampler._adopt(data, None)
        return sampler

    def _adopt(self, data: bytes, labels: list[Any] | None) -> None:
        """`labels`: as the caller had them; None: their names in the model."""
        self._set_bytes(data)
        kind = self._label_kind
        self._labels = list(self._label_names) if labels is None else labels
        self._set_names(self._names(kind, self._labels), self._numbers(kind, self._labels))

    def __reduce__(self) -> tuple[Any, ...]:
        data = self.to_bytes() if self.is_made else None
        return _restore, (type(self), self._options, data, self._labels)

    def __copy__(self) -> Sampler:
        restored: Sampler = _restore(*self.__reduce__()[1])
        return restored

    def __deepcopy__(self, memo: dict[int, Any]) -> Sampler:
        return self.__copy__()

    def __repr__(self) -> str:
        config = self.config()
        return f"<askfew.Sampler {config['learner']} + {config['rule']}, update on {config['update']}>"


def _restore(cls: type[Sampler], options: dict[str, Any], data: bytes | None, labels: list[Any]) -> Sampler:
    sampler = cls(**options)
    if data is not None:
        sampler._adopt(data, labels)
    return sampler
