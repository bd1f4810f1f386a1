"""The commands of the command line as functions, on files or on arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from . import _arrays, _core
from .sampler import Sampler, _text

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Progress = Callable[[int, int], object]


def _data(X: Any, y: Any) -> Any:
    """Paths as a list, or arrays as the engine reads them."""
    if y is None:
        paths = [X] if isinstance(X, (str, os.PathLike)) else list(X)
        return [os.fspath(path) for path in paths]
    ids, ends, names = _arrays.label_ids(y)
    return _arrays.rows(X), ids, ends, names


def _list(value: str | Iterable[Any]) -> str:
    return value if isinstance(value, str) else ",".join(str(one) for one in value)


def _rates(value: str | Iterable[Any]) -> str:
    return value if isinstance(value, str) else ",".join(_text(one, True) or "" for one in value)


def _frame(rows: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(list(rows))


@dataclass(frozen=True)
class TaskResult:
    """The results of a task, or of all tasks: counts are sums, rates are means over the tasks."""

    task: str
    rounds: int
    asked: int
    expected_asked: float
    updates: int
    mistakes: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    estimate: dict[str, Any] | None = None

    @classmethod
    def _of(cls, task: str, row: dict[str, Any]) -> TaskResult:
        names = ("rounds", "asked", "expected_asked", "updates", "mistakes", "accuracy", "precision", "recall", "f1")
        return cls(task=task, **{name: row[name] for name in names}, estimate=row.get("estimate"))


@dataclass(frozen=True)
class RunResult:
    """The results of `run`. `raw` is what `askfew run --json` writes."""

    all: TaskResult
    tasks: list[TaskResult]
    sampler: dict[str, str]
    seed: int
    seconds: float
    notes: list[str]
    model: Sampler = field(repr=False)
    raw: dict[str, Any] = field(repr=False)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a task."""
        rows = [asdict(task) for task in self.tasks]
        for row in rows:
            del row["estimate"]
        return _frame(rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """F and the share of labels of every task."""
        from ._plots import plot_run

        return plot_run(self, ax)


@dataclass(frozen=True)
class Mean:
    """A mean over runs, the standard deviation of a run, and half the width of the 95% interval around the mean."""

    mean: float
    deviation: float
    half_width: float


@dataclass(frozen=True)
class ComparePoint:
    """One sampler at one share of labels."""

    sampler: str
    rate: float
    settings: str
    share: Mean
    f1: Mean
    accuracy: Mean


@dataclass(frozen=True)
class CompareResult:
    """The results of `compare`: sampler by sampler, rate by rate."""

    points: list[ComparePoint]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a point; errors are half the widths of 95% intervals."""
        return _frame([{"sampler": p.sampler, "rate": p.rate, "settings": p.settings, "share": p.share.mean,
                        "f1": p.f1.mean, "f1_error": p.f1.half_width, "accuracy": p.accuracy.mean,
                        "accuracy_error": p.accuracy.half_width} for p in self.points])

    def plot(self, metric: str = "f1", ax: Axes | None = None) -> Axes:
        """The curve of every sampler over the share of labels; `metric` is f1 or accuracy."""
        from ._plots import plot_compare

        return plot_compare(self, metric, ax)


@dataclass(frozen=True)
class Tuned:
    """A candidate of `tune`."""

    sampler: str
    learner: str
    rule: str
    update: str
    share: float
    f1: float
    accuracy: float


@dataclass(frozen=True)
class TuneResult:
    """The results of `tune`, the best candidate first."""

    tuned: list[Tuned]

    @property
    def best(self) -> Tuned:
        """The best candidate: `Sampler(learner=best.learner, rule=best.rule, update=best.update)`."""
        return self.tuned[0]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a candidate."""
        return _frame([asdict(tuned) for tuned in self.tuned])


@dataclass(frozen=True)
class BoundResult:
    """The results of `bound`. `raw` is what `askfew bound --json` writes."""

    tasks: list[dict[str, Any]]
    raw: dict[str, Any] = field(repr=False)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a theorem."""
        return _frame([{"task": task["task"], "mistakes": task["mistakes"]["mean"], **theorem}
                       for task in self.tasks for theorem in task["theorems"]])


def run(X: Any, y: Any = None, *, sampler: str | None = None, budget: str | float | None = None,
        audit: str | float | None = None, progress: Progress | None = None, **options: Any) -> RunResult:
    """Runs a sampler over labelled data; labels are revealed only where it asks for them.

    X: paths of files, or a synthetic stream such as "synthetic:linear-noise", or, with y, an array, a sparse matrix or
    texts. Options are those of `askfew run` with underscores: learner, rule, update, horizon, seed, positive, labels,
    multiclass, normalize, resume, baseline, control, final_classifier, threads and so on. `progress` is called with
    the rounds so far and their number, 0 while it is unknown.

    >>> result = run("synthetic:linear-noise:n=500", sampler="sel-p")
    >>> result.all.rounds
    500
    """
    given = {"sampler": sampler, "budget": _text(budget, False), "audit": _text(audit, True), **options}
    found = _core.run(_data(X, y), given, progress)
    raw = json.loads(found["json"])
    return RunResult(all=TaskResult._of("all", raw["macro"]),
                     tasks=[TaskResult._of(row["task"], row) for row in raw["tasks"]], sampler=raw["sampler"],
                     seed=raw["seed"], seconds=raw["seconds"], notes=found["notes"],
                     model=Sampler.from_bytes(found["model"]), raw=raw)


def compare(X: Any, y: Any = None, *, samplers: str | Iterable[str] | None = None,
            rates: str | Iterable[float] | None = None, runs: int | None = None, progress: Progress | None = None,
            **options: Any) -> CompareResult:
    """Compares samplers at given shares of labels, several runs each. Data and options as in `run`.

    >>> result = compare("synthetic:linear-noise:n=300", samplers=["sel-p", "sel-p-fixed"], rates=[0.1], runs=1)
    >>> [point.sampler for point in result.points]
    ['sel-p', 'sel-p-fixed']
    """
    given = {"samplers": None if samplers is None else _list(samplers), "rates": None if rates is None else _rates(rates),
             "runs": runs, **options}
    points = json.loads(_core.compare(_data(X, y), given, progress))
    return CompareResult([ComparePoint(p["sampler"], p["rate"], p["settings"], _mean(p["share"]), _mean(p["f1"]),
                                       _mean(p["accuracy"])) for p in points])


def _mean(sample: dict[str, Any]) -> Mean:
    return Mean(sample["mean"], sample["deviation"], sample["half_width"])


def tune(X: Any, y: Any = None, *, sampler: str | None = None, grid: Sequence[str] | None = None,
         rate: str | float | None = None, progress: Progress | None = None, **options: Any) -> TuneResult:
    """Tries parameters of a sampler on the first examples. `grid`: texts such as "b=0.1,1,10". Data as in `run`."""
    given = {"sampler": sampler, "grid": None if grid is None else list(grid), "rate": _text(rate, True), **options}
    return TuneResult([Tuned(**row) for row in _core.tune(_data(X, y), given, progress)])


def bound(X: Any, y: Any = None, *, sampler: str | None = None, seeds: int | None = None,
          progress: Progress | None = None, **options: Any) -> BoundResult:
    """The bounds of the papers' theorems for a sampler on a data set, next to its real mistakes. Data as in `run`."""
    raw = json.loads(_core.bound(_data(X, y), {"sampler": sampler, "seeds": seeds, **options}, progress))
    return BoundResult(raw["tasks"], raw)
