"""The results of the workflows: dataclasses with `to_pandas()` and `plot()`."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from .sampler import Sampler

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def _frame(rows: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame(list(rows))


def _frame_with_failures(rows: Sequence[dict[str, Any]]) -> pandas.DataFrame:
    """The same, with a column `failure` only where one of the samplers failed."""
    frame = _frame(rows)
    return frame if any(row["failure"] for row in rows) else frame.drop(columns="failure", errors="ignore")


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
        """One row per task."""
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
    """A mean over runs, the standard deviation of a run, and half the width of the 95% interval around the mean.

    The last two are nan for a single run.
    """

    mean: float
    deviation: float
    half_width: float


@dataclass(frozen=True)
class ComparePoint:
    """One sampler at one share of labels. failure: why the sampler failed; then all figures are nan."""

    sampler: str
    rate: float
    settings: str
    share: Mean
    f1: Mean
    accuracy: Mean
    failure: str | None = None


@dataclass(frozen=True)
class CompareResult:
    """The results of `compare`: sampler by sampler, rate by rate."""

    points: list[ComparePoint]

    def to_pandas(self) -> pandas.DataFrame:
        """One row per point; errors are half the widths of 95% intervals. If a sampler failed, a column says why."""
        return _frame_with_failures([
            {"sampler": p.sampler, "rate": p.rate, "settings": p.settings, "share": p.share.mean, "f1": p.f1.mean,
             "f1_error": p.f1.half_width, "accuracy": p.accuracy.mean, "accuracy_error": p.accuracy.half_width,
             "failure": p.failure} for p in self.points])

    def plot(self, metric: str = "f1", ax: Axes | None = None) -> Axes:
        """The curve of every sampler over the share of labels; `metric` is f1 or accuracy."""
        from ._plots import plot_compare

        return plot_compare(self, metric, ax)


@dataclass(frozen=True)
class Tuned:
    """A candidate of `tune`. failure: why it failed; then all figures are nan."""

    sampler: str
    learner: str
    rule: str
    update: str
    share: float
    f1: float
    accuracy: float
    failure: str | None = None


@dataclass(frozen=True)
class TuneResult:
    """The results of `tune`, the best candidate first; those that failed come last."""

    tuned: list[Tuned]

    @property
    def best(self) -> Tuned:
        """The best candidate: `Sampler(learner=best.learner, rule=best.rule, update=best.update)`."""
        return self.tuned[0]

    def to_pandas(self) -> pandas.DataFrame:
        """One row per candidate. If one failed, a column says why."""
        return _frame_with_failures([asdict(tuned) for tuned in self.tuned])

    def plot(self, metric: str = "f1", ax: Axes | None = None) -> Axes:
        """The figure of every candidate, the best first; `metric` is f1 or accuracy."""
        from ._plots import plot_tune

        return plot_tune(self, metric, ax)


@dataclass(frozen=True)
class Covered:
    """How often an interval contained the truth, at the end of a run and at all times; its width in the median run."""

    at_end: float
    always: float
    width: float


@dataclass(frozen=True)
class CoverageResult:
    """The results of `coverage`: shares of the runs, the share of labels asked, and the mean true error and F."""

    error: Covered
    precision: Covered
    recall: Covered
    f1: Covered
    recent_error: Covered
    recent_f1: Covered
    share: float
    true_error: float
    true_f1: float

    def _figures(self) -> dict[str, Covered]:
        return {name: value for name, value in vars(self).items() if isinstance(value, Covered)}

    def to_pandas(self) -> pandas.DataFrame:
        """One row per figure."""
        return _frame([{"figure": name, **asdict(value)} for name, value in self._figures().items()])

    def plot(self, ax: Axes | None = None) -> Axes:
        """How often the interval of every figure contained the truth, at the end and at all times."""
        from ._plots import plot_coverage

        return plot_coverage(self._figures(), ax)


@dataclass(frozen=True)
class BoundResult:
    """The results of `bound`. `raw` is what `askfew bound --json` writes."""

    tasks: list[dict[str, Any]]
    raw: dict[str, Any] = field(repr=False)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per theorem."""
        return _frame([{"task": task["task"], "mistakes": task["mistakes"]["mean"], **theorem}
                       for task in self.tasks for theorem in task["theorems"]])

    def plot(self, ax: Axes | None = None) -> Axes:
        """The bound of every theorem that applies, next to the real mistakes."""
        from ._plots import plot_bound

        return plot_bound(self, ax)


@dataclass(frozen=True)
class Measured:
    """A figure with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class TaskQuality:
    """How good the predictions of a task, or of one class against the rest, are."""

    task: str
    true_positives: int
    false_positives: int
    true_negatives: int
    false_negatives: int
    accuracy: Measured
    precision: Measured
    recall: Measured
    f1: Measured

    @classmethod
    def _of(cls, row: dict[str, Any]) -> TaskQuality:
        values: dict[str, Any] = {name: Measured(**value) if isinstance(value, dict) else value
                                  for name, value in row.items()}
        return cls(**values)


@dataclass(frozen=True)
class CurvePoint:
    """Precision and recall if all examples whose margin is at least the threshold are called positive."""

    threshold: float
    precision: Measured
    recall: Measured

    @classmethod
    def _of(cls, raw: dict[str, Any]) -> CurvePoint:
        return cls(threshold=raw["threshold"], precision=Measured(**raw["precision"]), recall=Measured(**raw["recall"]))


@dataclass(frozen=True)
class EvaluateResult:
    """The results of `evaluate`. `raw` is what `askfew evaluate --json` writes.

    accuracy: of the single task or of all classes; None for several topics.
    curve: of a single task, the precision and recall of every threshold.
    class_counts: of classes, the examples by true class and predicted class.
    """

    examples: int
    accuracy: Measured | None
    tasks: list[TaskQuality]
    average_precision: Measured | None
    curve: list[CurvePoint] = field(repr=False)
    class_counts: list[list[int]] | None = field(repr=False)
    notes: list[str]
    raw: dict[str, Any] = field(repr=False)

    @classmethod
    def _of(cls, raw: dict[str, Any]) -> EvaluateResult:
        return cls(examples=raw["examples"], accuracy=Measured(**raw["accuracy"]) if "accuracy" in raw else None,
                   tasks=[TaskQuality._of(row) for row in raw["tasks"]],
                   average_precision=Measured(**raw["average_precision"]) if "average_precision" in raw else None,
                   curve=[CurvePoint._of(point) for point in raw.get("curve", [])],
                   class_counts=raw.get("class_counts"), notes=raw["notes"], raw=raw)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per task or class; the bounds of 95% intervals end in `_low` and `_high`."""
        rows = []
        for task in self.tasks:
            row: dict[str, Any] = {}
            for name, value in vars(task).items():
                if isinstance(value, Measured):
                    row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
                else:
                    row[name] = value
            rows.append(row)
        return _frame(rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Precision over recall of a single task; else F of every task or class with its interval."""
        from ._plots import plot_evaluate

        return plot_evaluate(self, ax)


@dataclass(frozen=True)
class Verdict:
    """A claim of a paper, and what was found. `tie`: the difference is too small to tell."""

    holds: bool
    tie: bool
    claim: str
    found: str


@dataclass(frozen=True)
class ReproduceResult:
    """The results of `reproduce`. `page`: the report as HTML, `figures`: every number in it."""

    paper: str
    verdicts: list[Verdict]
    page: pathlib.Path
    figures: dict[str, Any] = field(repr=False)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per claim."""
        return _frame([asdict(verdict) for verdict in self.verdicts])

    def plot(self, ax: Axes | None = None) -> Axes:
        """The claims that hold, the ties and the claims that do not hold. The figures of the paper are in `page`."""
        from ._plots import plot_reproduce

        return plot_reproduce(self, ax)
