"""What Label Studio said so far: which task is which text, which annotation belongs to which task, what was told."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from ..choices import ChoiceSession
from .config import Labelling

Json = dict[str, Any]

SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (
  id TEXT PRIMARY KEY,       -- the id in the ledger, as JSON
  data TEXT NOT NULL,        -- the data of the task, as JSON
  asked INTEGER NOT NULL,
  task INTEGER UNIQUE,       -- NULL: not in Label Studio
  prediction INTEGER,        -- its id in Label Studio
  score REAL,                -- as Label Studio has it
  told TEXT);                -- the answer that the session knows, as JSON; NULL: none
CREATE TABLE IF NOT EXISTS annotations (
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  choices TEXT NOT NULL,     -- as JSON; null: cancelled
  person TEXT);
CREATE INDEX IF NOT EXISTS annotations_of_a_task ON annotations (task);
"""


class Answers:
    """A session, and the map between its texts and the tasks and annotations of Label Studio.

    Deletions name annotations only, so the map is kept. The answer of a task is its oldest annotation that was not
    cancelled; a task with cancelled annotations only was skipped. Everything may come twice, late, or by polling.
    """

    def __init__(self, folder: str | os.PathLike[str], labelling: Labelling, **options: Any) -> None:
        os.makedirs(folder, exist_ok=True)
        self.labelling = labelling
        self.session = ChoiceSession(os.path.join(folder, "ledger"), labelling.labels, multiple=labelling.multiple, **options)
        self.database = sqlite3.connect(os.path.join(folder, "label-studio.sqlite"), isolation_level=None)
        self.database.executescript(SCHEMA)
        self.learned = 0

    def rows(self, where: str = "1", values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Texts that a condition holds for."""
        cursor = self.database.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(f"SELECT * FROM texts WHERE {where} ORDER BY rowid", values).fetchall()

    def change(self, id: str, **columns: Any) -> None:
        """Changes columns of a text."""
        names = ", ".join(f"{name} = ?" for name in columns)
        self.database.execute(f"UPDATE texts SET {names} WHERE id = ?", [*columns.values(), id])

    def add(self, id: str | int, data: Json, asked: bool, task: int | None) -> None:
        """Keeps a text that was decided, if it is new."""
        self.database.execute("INSERT OR IGNORE INTO texts (id, data, asked, task) VALUES (?, ?, ?, ?)",
                              [json.dumps(id), json.dumps(data), asked, task])

    def annotated(self, task: int, annotations: Iterable[Json]) -> None:
        """Takes annotations that were created or changed."""
        for one in annotations:
            choices = None if one.get("was_cancelled") else list(self.labelling.choices(one.get("result") or []))
            if choices == [] and not self.labelling.multiple:
                choices = None  # nothing was chosen where one must be
            person = one.get("completed_by")
            name = person.get("email") if isinstance(person, dict) else person
            self.database.execute("INSERT OR REPLACE INTO annotations VALUES (?, ?, ?, ?)",
                                  [one["id"], task, json.dumps(choices), None if name is None else str(name)])
        self.settle(task)

    def deleted(self, annotations: Iterable[int]) -> None:
        """Takes annotations back. The session keeps what it has learned until another answer corrects it."""
        for one in annotations:
            found = self.database.execute("DELETE FROM annotations WHERE id = ? RETURNING task", [one]).fetchone()
            if found:
                self.settle(found[0])

    def reconcile(self, task: int, annotations: Sequence[Json]) -> None:
        """Takes what Label Studio has about a task now, in case earlier events were lost."""
        known = {row[0] for row in self.database.execute("SELECT id FROM annotations WHERE task = ?", [task])}
        self.annotated(task, annotations)
        self.deleted(known - {one["id"] for one in annotations})

    def removed(self, tasks: Iterable[int]) -> None:
        """Skips the questions of tasks that Label Studio no longer has. A later answer would still be learned."""
        for task in tasks:
            for row in self.rows("task = ?", [task]):
                self.session.tell(json.loads(row["id"]), None)
                self.change(row["id"], told="null")

    def settle(self, task: int) -> None:
        """Tells the answer of a task, if the session does not know it."""
        found = self.database.execute(
            "SELECT choices, person FROM annotations WHERE task = ? ORDER BY choices = 'null', id LIMIT 1", [task]).fetchone()
        for row in self.rows("task = ?", [task]):
            if found is None or row["told"] == found[0]:
                continue
            self.session.tell(json.loads(row["id"]), json.loads(found[0]), by=found[1])
            self.change(row["id"], told=found[0])
            self.learned += 1

    def close(self) -> None:
        """Writes what is left to write."""
        self.session.close()
        self.database.close()
