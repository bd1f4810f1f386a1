"""Sessions: instances come one at a time, their labels at any later time, and a ledger records everything."""

from __future__ import annotations

import json
import os
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

import numpy as np

from . import _core
from ._arrays import label_list
from .errors import ConfigError, DataError
from .sampler import Sampler, _text


@dataclass(frozen=True)
class Decision:
    """The answer to an instance. `asked`: get its label and tell it; `why`: one sentence.

    In a session of topics, `topics` has the decision about each topic, and `ask` the names of those in question. The
    prediction, the margin, the probability and the sentence of the whole are then those of the topic nearest to 0.
    """

    id: Any
    prediction: Any
    margin: float
    asked: bool
    probability: float
    why: str
    repeated: bool = False
    changes: tuple[dict[str, Any], ...] = ()
    ask: tuple[str, ...] = ()
    topics: Mapping[str, Decision] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.asked


@dataclass(frozen=True)
class Receipt:
    """What became of a label: "learned", "repeated", "corrected", "skipped", "unsure", "kept", "expired", "never asked",
    "unknown", "volunteered" or "collected" (docs/late-labels.md explains them).

    updated: the learner changed; latency: seconds since the question; error: why it could not be used. In a session of
    topics, `outcomes` has the outcome of each topic, `outcome` is that of the first, and updated means any learner.
    """

    id: Any
    outcome: str
    updated: bool = False
    latency: float | None = None
    error: str | None = None
    outcomes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Replay:
    """What a ledger replays to."""

    report: dict[str, Any]
    sampler: Sampler
    lines: int
    torn_bytes: int
    set_aside: int
    unrecorded: int


def _fields(instance: Any) -> dict[str, Any]:
    """An instance as a line of the stream has it: a text, named features, or numbers."""
    if isinstance(instance, str):
        return {"text": instance}
    if instance is None:
        raise DataError("the instance is None: expected a text, numbers, or a mapping from names to values")
    if isinstance(instance, Mapping):
        return {"features": {str(name): value for name, value in instance.items()}}
    return {"x": np.asarray(instance, dtype=np.float64).tolist()}


def _plain(value: Any) -> Any:
    """A number of numpy as one of Python."""
    return getattr(value, "item", lambda: value)()


def _instance_line(id: Any, instance: Any) -> dict[str, Any]:
    return {"id": f"{clock.time_ns()}" if id is None else _plain(id), **_fields(instance)}


def _label_line(id: Any, label: Any, by: str | None) -> dict[str, Any]:
    line: dict[str, Any] = {"id": _plain(id)}
    if isinstance(label, Mapping):  # of topics: what is said about each of them
        line["labels"] = {str(name): None if said is None else bool(said) for name, said in label.items()}
    elif isinstance(label, (list, tuple, set, frozenset)):  # of topics: those that the instance has
        line["labels"] = sorted(str(name) for name in label)
    else:
        line["label"] = _plain(label)
    return line if by is None else {**line, "by": by}


def _decision(answers: Sequence[Mapping[str, Any]]) -> Decision:
    """The decision about an instance; changes that were noticed come after it."""
    first, *changes = answers
    if "error" in first:
        raise DataError(first["error"])
    noticed = tuple(change["change"] for change in changes)
    repeated = first.get("repeated", False)
    if "topics" not in first:
        return _single(first["id"], first, repeated, noticed)
    topics = {name: _single(first["id"], topic, repeated) for name, topic in first["topics"].items()}
    nearest = min(topics.values(), key=lambda topic: abs(topic.margin))
    return replace(nearest, asked=bool(first["ask"]), changes=noticed, ask=tuple(first["ask"]), topics=topics)


def _single(id: Any, answer: Mapping[str, Any], repeated: bool, changes: tuple[dict[str, Any], ...] = ()) -> Decision:
    return Decision(id=id, prediction=answer["prediction"], margin=answer["margin"], asked=answer["ask"],
                    probability=answer["probability"], why=answer.get("why", ""), repeated=repeated, changes=changes)


def _receipt(answers: Sequence[Mapping[str, Any]]) -> Receipt:
    first = answers[0]
    if "outcomes" in first:
        outcomes = first["outcomes"]
        return Receipt(id=first["id"], outcome=next(iter(outcomes.values())), updated=bool(first["updated"]),
                       latency=first.get("latency"), error=first.get("error"), outcomes=outcomes)
    if "outcome" not in first:
        raise DataError(first["error"])
    return Receipt(id=first["id"], outcome=first["outcome"], updated=first.get("updated", False),
                   latency=first.get("latency"), error=first.get("error"))


def _names(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return label_list(value if isinstance(value, Sequence) else [value])


class Session:
    """A sampler for a live stream: labels may come late, twice, corrected or never.

    ledger: a file that records every line. If it exists, the session continues from it; options that are given must
        then be those of the ledger.
    sync: answer only after the disk has the records.
    expire: forget a question after so many rounds, "1000", or after a time, "30s", "10m", "12h", "7d".
    keep: the number of answered questions that can still be corrected.
    classes: the labels are these classes. topics: an instance has any of these labels, and a decision for each of them;
        ask="together": one decision for all of them. Other options are those of `Sampler`.

    >>> with Session(sampler="sel-p") as session:
    ...     decision = session.take({"free": 1, "money": 1}, id="mail-1")
    ...     if decision.asked:
    ...         receipt = session.tell("mail-1", +1)
    ...     session.pending()
    []

    An instance is a text, a mapping from feature names to values, or an array of numbers. `time`, where it is given, is
    in seconds since 1970; else the machine's clock counts.
    """

    def __init__(self, ledger: str | os.PathLike[str] | None = None, *, sampler: str | None = None,
                 budget: str | float | None = None, audit: str | float | None = None, seed: int | None = None,
                 positive: Any = None, classes: Sequence[Any] | None = None, topics: Sequence[Any] | None = None,
                 ask: str | None = None, expire: str | int | None = None, keep: int | None = None, sync: bool = False,
                 max_memory: int | None = None, **options: Any) -> None:
        if classes and topics:
            raise ConfigError("give `classes` or `topics`: an instance has one label, or any of them")
        given = {"sampler": sampler, "budget": _text(budget, False), "audit": _text(audit, True), "seed": seed,
                 "positive": _names(positive), "labels": _names(topics or classes),
                 "multiclass": True if classes else None, "are_topics": True if topics else None, "ask": ask,
                 "expire": None if expire is None else str(expire), "keep": keep, **options}
        continues = all(value is None for value in given.values())
        path = None if ledger is None else os.fspath(ledger)
        self._core = _core.Session({**given, "ledger": path, "max_memory": max_memory, "continues": continues}, sync)

    def _answers(self, line: Mapping[str, Any], time: float | None) -> list[dict[str, Any]]:
        came = None if time is None else round(time * 1e6)
        try:
            text = json.dumps(line, allow_nan=False)
        except ValueError:
            raise DataError("a number of the instance or its label is not finite") from None
        answers = self._core.answer(text, came)
        return [json.loads(answer) for answer in answers.splitlines()]

    def take(self, instance: Any, id: Any = None, *, time: float | None = None) -> Decision:
        """Decides about an instance. Its id, a text or a whole number, is needed to tell its label.

        The same instance with the same id again is answered as before, and is not a new round.
        """
        return _decision(self._answers(_instance_line(id, instance), time))

    def peek(self, instance: Any) -> Decision:
        """What would be decided about an instance if it came now, without `why`. It is not a round, and not recorded.

        >>> with Session(sampler="sel-p") as session:
        ...     session.peek("cheap watches").asked, session.take("cheap watches", id=1).asked
        (True, True)
        """
        answer = self._answers({"peek": _instance_line(None, instance)}, None)[0]
        return _decision([answer.get("peek", answer)])

    def tell(self, id: Any, label: Any, *, by: str | None = None, time: float | None = None) -> Receipt:
        """Tells a label. None: the labeller declines. `by`: who gave it, for the ledger.

        For topics, a list names those in question that the instance has; a mapping says True, False or None for some.
        """
        return _receipt(self._answers(_label_line(id, label, by), time))

    def pending(self) -> list[str | int | float]:
        """The ids of the questions that wait for a label, the oldest first."""
        return [json.loads(id) if id[0] != '"' else id[1:] for id in self._core.pending()]

    def report(self) -> dict[str, Any]:
        """The counts so far; with an audit, estimates of the quality and the changes that were noticed."""
        return json.loads(self._core.report())["report"]  # type: ignore[no-any-return]

    def sampler(self) -> Sampler:
        """A copy of the model as it is now."""
        return Sampler.from_bytes(self._core.model())

    @property
    def replayed(self) -> int:
        """The number of lines that the ledger had when the session was opened."""
        return self._core.replayed

    def close(self) -> None:
        """Writes what is left to write. The session can be opened again from its ledger."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def replay(ledger: str | os.PathLike[str], *, max_memory: int | None = None) -> Replay:
    """Replays a ledger. Raises DataError if an outcome differs from the recorded one."""
    found = _core.replay(os.fspath(ledger), max_memory if max_memory is not None else _core.usual_memory())
    return Replay(report=json.loads(found["report"])["report"], sampler=Sampler.from_bytes(found["model"]),
                  lines=found["lines"], torn_bytes=found["torn_bytes"], set_aside=found["set_aside"],
                  unrecorded=found["unrecorded"])


def whatif(ledger: str | os.PathLike[str], sampler: str | None = None, *, budget: str | float | None = None,
           audit: str | float | None = None, max_memory: int | None = None, **options: Any) -> dict[str, Any]:
    """What another sampler would have asked on the stream of a ledger, and how good it would have been.

    The result is that of `askfew whatif --json`. The budget "none" removes the ledger's budget.
    """
    given = {"sampler": sampler, "budget": _text(budget, False), "audit": _text(audit, True), **options}
    memory = max_memory if max_memory is not None else _core.usual_memory()
    return json.loads(_core.what_if(os.fspath(ledger), given, memory))  # type: ignore[no-any-return]
