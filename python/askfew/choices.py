"""Questions with choices, as labelling tools ask them: one of several labels, or any number of them."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from urllib.parse import quote

from ._arrays import label_list
from .errors import ConfigError
from .sampler import Sampler
from .sessions import Decision, Session


@dataclass(frozen=True)
class Prediction:
    """What the model would choose. score: how certain it is, from 0 to 1; the most doubtful label counts."""

    choices: tuple[str, ...]
    score: float


@dataclass(frozen=True)
class Question(Prediction):
    """The decision about a text. in_question: the labels that are worth an answer; why: one sentence for each."""

    id: str | int
    in_question: tuple[str, ...]
    why: str
    repeated: bool

    @property
    def asked(self) -> bool:
        """Whether a person should answer."""
        return bool(self.in_question)


def _score(margins: Sequence[float]) -> float:
    """A score from 0 to 1 in the order of the margins."""
    doubt = min(abs(margin) for margin in margins)
    return doubt / (1 + doubt)


class ChoiceSession:
    """A session whose answers are choices from a list of labels.

    ledger: a file that records everything; with `multiple` a folder with a ledger for each label. None: nothing is kept.
    labels: the choices. An answer has exactly one of them; with `multiple` any number, also none. Each label is then a
        session of its own, with its own budget. The options are those of `Session`.

    >>> with ChoiceSession(None, ["spam", "ham"], sampler="sel-p") as session:
    ...     question = session.take("free prizes", id=1)
    ...     question.asked, session.tell(1, ["spam"], by="ann"), session.predict("free prizes").choices
    (True, 'learned', ('spam',))
    """

    def __init__(self, ledger: str | os.PathLike[str] | None, labels: Sequence[str], *, multiple: bool = False,
                 **options: Any) -> None:
        self.labels = tuple(labels)
        self.multiple = multiple
        if not self.labels or len(set(self.labels)) < len(self.labels):
            raise ConfigError("labels must be different names, at least one")
        if not multiple and len(self.labels) < 2:
            raise ConfigError("one of several labels is chosen: name at least two, or allow multiple choices")
        if multiple:
            folder = None if ledger is None else pathlib.Path(ledger)
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
            self._sessions = [Session(folder and folder / f"{quote(label, safe=' ')}.ledger", **options) for label in self.labels]
        elif len(self.labels) == 2:
            self._sessions = [Session(ledger, labels=label_list(self.labels), **options)]
        else:
            self._sessions = [Session(ledger, classes=self.labels, **options)]
        self._copies: list[Sampler] | None = None

    def _chosen(self, found: Sequence[Any]) -> tuple[str, ...]:
        """The labels that decisions or queries predict."""
        if self.multiple:
            return tuple(label for label, one in zip(self.labels, found, strict=True) if one.margin > 0)
        name = found[0].prediction
        return (name if name in self.labels else self.labels[0 if name == 1 else 1],)

    def take(self, text: str, id: str | int) -> Question:
        """Decides about a text, which is a round. The same text with the same id again is answered as before."""
        found: list[Decision] = [session.take(text, id) for session in self._sessions]
        chosen, score = self._chosen(found), _score([one.margin for one in found])
        if not self.multiple:
            (only,) = found
            return Question(chosen, score, id, self.labels if only.asked else (), only.why, only.repeated)
        pairs = list(zip(self.labels, found, strict=True))
        return Question(chosen, score, id, tuple(label for label, one in pairs if one.asked),
                        "; ".join(f"{label}: {one.why}" for label, one in pairs), found[0].repeated)

    def predict(self, text: str) -> Prediction:
        """What the model would choose now. It is not a round: nothing changes."""
        if self._copies is None:
            self._copies = [session.sampler() for session in self._sessions]
        found = [copy.peek(text) for copy in self._copies]
        return Prediction(choices=self._chosen(found), score=_score([one.margin for one in found]))

    def tell(self, id: str | int, choices: Sequence[str] | None, *, by: str | None = None) -> str:
        """Tells the answer; None: skipped. Returns the outcome; of several labels, the first that is not "never asked"."""
        if choices is not None:
            unknown = [choice for choice in choices if choice not in self.labels]
            if unknown:
                raise ConfigError(f"{unknown[0]!r} is not one of the labels {', '.join(map(repr, self.labels))}")
            if not self.multiple and len(choices) != 1:
                raise ConfigError(f"one of several labels is chosen, not {len(choices)}")
        if self.multiple:
            answers: list[Any] = [None if choices is None else 1 if label in choices else -1 for label in self.labels]
        else:
            answers = [None if choices is None else choices[0]]
        outcomes = [session.tell(id, answer, by=by).outcome for session, answer in zip(self._sessions, answers, strict=True)]
        self._copies = None
        return next((outcome for outcome in outcomes if outcome != "never asked"), outcomes[0])

    def pending(self) -> list[str | int | float]:
        """The ids of the questions that wait for an answer, the oldest first."""
        return list(dict.fromkeys(id for session in self._sessions for id in session.pending()))

    def report(self) -> dict[str, Any]:
        """The counts and estimates so far; with `multiple`, by label."""
        reports = [session.report() for session in self._sessions]
        return dict(zip(self.labels, reports, strict=True)) if self.multiple else reports[0]

    def close(self) -> None:
        """Writes what is left to write."""
        for session in self._sessions:
            session.close()

    def __enter__(self) -> ChoiceSession:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
