"""The commands of the command line as functions, on files or on arrays."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pathlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from . import _arrays, _core
from ._progress import Progress, shown
from .errors import ConfigError
from .results import (
    BoundResult,
    ComparePoint,
    CompareResult,
    CoverageResult,
    Covered,
    EvaluateResult,
    Mean,
    RunResult,
    TaskResult,
    Tuned,
    TuneResult,
)
from .sampler import Sampler, _text

T = TypeVar("T")


def _data(X: Any, y: Any) -> Any:
    """Paths as a list, or arrays as the engine reads them."""
    if y is None:
        paths = [X] if isinstance(X, (str, os.PathLike)) else X
        if not isinstance(paths, (list, tuple)) or not all(isinstance(path, (str, os.PathLike)) for path in paths):
            raise ConfigError("y is missing: only X of paths has its labels in its files")
        return [os.fspath(path) for path in paths]
    if isinstance(X, (str, os.PathLike)):
        raise ConfigError(f"X is the path {os.fspath(X)!r}, whose file has the labels: leave y out")
    ids, ends, names = _arrays.label_ids(y)
    return _arrays.rows(X), ids, ends, names


def _some(name: str, value: str | Iterable[T] | None) -> str | list[T] | None:
    """A list that is given has something in it."""
    if value is None or isinstance(value, str):
        return value
    if not (found := list(value)):
        raise ConfigError(f"`{name}` is empty")
    return found


def _list(value: str | Iterable[Any]) -> str:
    return value if isinstance(value, str) else ",".join(str(one) for one in value)


def _names(options: dict[str, Any]) -> dict[str, Any]:
    """The same options, with lists of labels as the texts that the command line has."""
    lists = {name: _arrays.label_list(value) for name, value in options.items()
             if name in ("positive", "negative", "labels") and isinstance(value, (list, tuple))}
    return {**options, **lists}


def _rates(value: str | Iterable[Any]) -> str:
    return value if isinstance(value, str) else ",".join(_text(one, True) or "" for one in value)


def run(X: Any, y: Any = None, *, sampler: str | None = None, budget: str | float | None = None,
        audit: str | float | None = None, progress: Progress | None = None, **options: Any) -> RunResult:
    """Runs a sampler over labelled data; labels are revealed only where it asks for them.

    X: paths of files, or a synthetic stream such as "synthetic:linear-noise", or, with y, an array, a sparse matrix or
    texts. Options are those of `askfew run` with underscores: learner, rule, update, horizon, seed, positive, labels,
    multiclass, normalize, resume, baseline, control, final_classifier, threads and so on. `progress` is called with
    the rounds so far and their number, 0 while it is unknown; True shows a bar of tqdm.

    >>> result = run("synthetic:linear-noise:n=500", sampler="sel-p")
    >>> result.all.rounds
    500
    """
    given = {"sampler": sampler, "budget": _text(budget, False), "audit": _text(audit, True), **_names(options)}
    with shown(progress, "run", "rounds") as show:
        found = _core.run(_data(X, y), given, show)
    raw = json.loads(found["json"])
    return RunResult(all=TaskResult._of("all", raw["macro"]),
                     tasks=[TaskResult._of(row["task"], row) for row in raw["tasks"]], sampler=raw["sampler"],
                     seed=raw["seed"], seconds=raw["seconds"], notes=found["notes"],
                     model=Sampler.from_bytes(found["model"]), raw=raw)


@contextlib.contextmanager
def _model_file(model: Sampler | str | os.PathLike[str]) -> Iterator[str]:
    if not isinstance(model, Sampler):
        yield os.fspath(model)
        return
    with tempfile.TemporaryDirectory(prefix="askfew-") as folder:
        path = pathlib.Path(folder) / "model.askfew"
        path.write_bytes(model.to_bytes())
        yield str(path)


def evaluate(model: Sampler | str | os.PathLike[str], X: Any, y: Any = None, *, progress: Progress | None = None,
             **options: Any) -> EvaluateResult:
    """Compares the predictions of a model with the labels of data that it was not trained on. Nothing is learned.

    model: a Sampler, or the path of a model file. Data and the options of the data as in `run`.

    >>> model = run("synthetic:linear-noise:n=500", sampler="sel-p").model
    >>> result = evaluate(model, "synthetic:linear-noise:n=500,seed=2")
    >>> result.accuracy.low < result.accuracy.value < result.accuracy.high
    True
    """
    with _model_file(model) as path, shown(progress, "evaluate", "examples") as show:
        return EvaluateResult._of(json.loads(_core.evaluate(path, _data(X, y), options, show)))


# Runs the jobs of an experiment: its name, data as `_data` makes it, options, progress. Returns the library's JSON.
Runner = Callable[[str, Any, dict[str, Any], Progress | None], str]


def _here(name: str, data: Any, options: dict[str, Any], progress: Progress | None) -> str:
    """On the threads of this process."""
    with shown(progress, name, "jobs") as show:
        return _core.experiment(name, data, options, show)


def compare(X: Any, y: Any = None, *, samplers: str | Iterable[str] | None = None,
            rates: str | Iterable[float] | None = None, runs: int | None = None, progress: Progress | None = None,
            _run: Runner = _here, **options: Any) -> CompareResult:
    """Compares samplers at given shares of labels, several runs each. Data and options as in `run`.

    A sampler that fails is a warning, and its points say why; if all fail, the error of the first is raised.

    >>> result = compare("synthetic:linear-noise:n=300", samplers=["sel-p", "sel-p-fixed"], rates=[0.1], runs=1)
    >>> [point.sampler for point in result.points]
    ['sel-p', 'sel-p-fixed']
    """
    samplers, rates = _some("samplers", samplers), _some("rates", rates)
    given = {"samplers": None if samplers is None else _list(samplers), "rates": None if rates is None else _rates(rates),
             "runs": runs, **_names(options)}
    points = json.loads(_run("compare", _data(X, y), given, progress))
    return CompareResult([ComparePoint(p["sampler"], p["rate"], p["settings"], _mean(p["share"]), _mean(p["f1"]),
                                       _mean(p["accuracy"]), p.get("failure")) for p in points])


def _mean(sample: dict[str, Any] | None) -> Mean:
    if sample is None:
        return Mean(math.nan, math.nan, math.nan)
    deviation, half_width = (math.nan if value is None else value for value in (sample["deviation"], sample["half_width"]))
    return Mean(sample["mean"], deviation, half_width)


def tune(X: Any, y: Any = None, *, sampler: str | None = None, grid: Sequence[str] | None = None,
         rate: str | float | None = None, progress: Progress | None = None, _run: Runner = _here,
         **options: Any) -> TuneResult:
    """Tries parameters of a sampler on the first examples. `grid`: texts such as "b=0.1,1,10". Data as in `run`.

    A candidate that fails is a warning, as in `compare`.
    """
    given = {"sampler": sampler, "grid": None if grid is None else list(grid), "rate": _text(rate, True),
             **_names(options)}
    return TuneResult([_tuned(row) for row in json.loads(_run("tune", _data(X, y), given, progress))])


def _tuned(row: dict[str, Any]) -> Tuned:
    known: dict[str, Any] = {name: math.nan if value is None else value for name, value in row.items()}
    return Tuned(**known)


def coverage(X: Any, y: Any = None, *, sampler: str | None = None, budget: str | float | None = None,
             audit: str | float | None = None, runs: int | None = None, progress: Progress | None = None,
             _run: Runner = _here, **options: Any) -> CoverageResult:
    """Runs an audited sampler many times, and counts how often its intervals contain the truth. Data as in `run`.

    >>> found = coverage("synthetic:linear-noise:n=500", sampler="sel-p", audit=0.05, runs=4)
    >>> found.error.at_end
    1.0
    """
    given = {"sampler": sampler, "budget": _text(budget, False), "audit": _text(audit, True), "runs": runs,
             **_names(options)}
    raw = json.loads(_run("coverage", _data(X, y), given, progress))
    figures: dict[str, Any] = {name: Covered(**value) if isinstance(value, dict) else value for name, value in raw.items()}
    return CoverageResult(**figures)


def bound(X: Any, y: Any = None, *, sampler: str | None = None, seeds: int | None = None,
          progress: Progress | None = None, **options: Any) -> BoundResult:
    """The bounds of the papers' theorems for a sampler on a data set, next to its real mistakes. Data as in `run`."""
    with shown(progress, "bound", "runs") as show:
        raw = json.loads(_core.bound(_data(X, y), {"sampler": sampler, "seeds": seeds, **_names(options)}, show))
    return BoundResult(raw["tasks"], raw)
