"""A loop for recipes of Prodigy: a stream that serves only the texts that are worth asking, and an update function.

The package prodigy is not needed here: a recipe is a function that returns a dictionary, and tasks are dictionaries.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .choices import ChoiceSession
from .errors import DataError

Task = dict[str, Any]


def id_of(task: Task) -> str | int:
    """The task's own id, else Prodigy's hash of its input, else a hash of its text."""
    id = task.get("id", task.get("_input_hash"))
    return hashlib.sha256(str(task["text"]).encode()).hexdigest()[:16] if id is None else id


class Loop:
    """What a recipe returns, with askfew in the loop.

    source: tasks with a `text`, as Prodigy's loaders give them.
    labels: with one label the interface is `classification` (accept: yes, reject: no), with more it is `choice`.
    ledger: where answers are kept. With the same ledger a later start goes on: questions that were not answered come
        again first in their place, answered ones do not.
    multiple: an answer has any number of labels. The options are those of `Session`: `budget`, `audit`, `sampler`...

    A recipe:

        @prodigy.recipe("ask-few", dataset=("Dataset", "positional", None, str), source=("File", "positional", None, str))
        def ask_few(dataset, source):
            loop = askfew.prodigy.Loop(JSONL(source), ["spam"], "spam.ledger", budget=500)
            return loop.components(dataset)
    """

    def __init__(self, source: Iterable[Task], labels: Sequence[str], ledger: str | os.PathLike[str] | None = None, *,
                 multiple: bool = False, **options: Any) -> None:
        self.source = source
        self.view_id = "classification" if len(labels) == 1 else "choice"
        self.session = ChoiceSession(ledger, labels, multiple=multiple or len(labels) == 1, **options)

    def stream(self) -> Iterator[Task]:
        """The tasks that are worth asking. A task is decided when Prodigy wants one more, so it knows the answers before."""
        waiting = set(self.session.pending())
        for task in self.source:
            if not isinstance(task.get("text"), str):
                raise DataError(f"a task has no text: {str(task)[:100]}")
            id = id_of(task)
            question = self.session.take(task["text"], id)
            if not question.asked or (question.repeated and id not in waiting):
                continue
            shown = {**task, "askfew": id, "score": question.score,
                     "meta": {**task.get("meta", {}), "predicted": ", ".join(question.choices) or "none"}}
            if self.view_id == "classification":
                shown["label"] = self.session.labels[0]
            else:
                shown["options"] = [{"id": label, "text": label} for label in self.session.labels]
            yield shown

    def update(self, answers: Sequence[Task]) -> None:
        """Learns a batch of answers: accept, reject, ignore. An answer that comes twice counts once."""
        for task in answers:
            by = task.get("_annotator_id") or task.get("_session_id")
            self.session.tell(task.get("askfew", id_of(task)), self._choices(task), by=by)

    def _choices(self, task: Task) -> list[str] | None:
        """What was chosen; None: nothing can be learned from it."""
        answer = task.get("answer")
        if self.view_id == "classification":
            return {"accept": [self.session.labels[0]], "reject": []}.get(str(answer))
        accepted = list(task.get("accept", []))
        if answer != "accept" or (not self.session.multiple and len(accepted) != 1):
            return None
        return accepted

    def on_exit(self, controller: object = None) -> None:
        """Writes the ledger when Prodigy ends."""
        self.session.close()

    def components(self, dataset: str) -> dict[str, Any]:
        """The dictionary that a recipe returns."""
        style = "multiple" if self.session.multiple else "single"
        return {"dataset": dataset, "view_id": self.view_id, "stream": self.stream(), "update": self.update,
                "on_exit": self.on_exit, "config": {"choice_style": style, "choice_auto_accept": style == "single"}}
