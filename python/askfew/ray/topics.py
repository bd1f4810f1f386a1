"""Topics that are shared among actors of Ray: together they decide as one sampler."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
import ray

from .. import _arrays, _core
from ..errors import ConfigError, FileError
from ..sampler import Sampler

MANIFEST = "shards.json"
MAX_RESTARTS = 10  # of a shard in one call


@dataclass(frozen=True)
class TopicAnswers:
    """The decisions about a block. `codes`: rows x topics; 1 is a positive prediction, plus 2 if the label was asked."""

    codes: npt.NDArray[np.uint8]

    @property
    def predictions(self) -> npt.NDArray[np.int8]:
        """-1 and +1."""
        return ((self.codes & 1).astype(np.int8) << 1) - 1

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Whether the label was asked."""
        return self.codes >= 2


def _topic_ids(y: Any, numbers: dict[Any, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The positive labels of a block: their rows and their topics."""
    if _arrays.is_sparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2):
        if y.shape[1] != len(numbers):
            raise ConfigError(f"y has {y.shape[1]} columns, expected one for each of the {len(numbers)} topics")
        rows, topics = (y > 0).nonzero()
        return np.asarray(rows, np.int64), np.asarray(topics, np.int64)
    found = [(row, numbers[label]) for row, labels in enumerate(y) for label in labels if label in numbers]
    pairs = np.array(found, np.int64).reshape(-1, 2)
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


class Shard:
    """What an actor holds: a sampler with some of the topics. Blocks are read in the object store, without a copy."""

    def __init__(self, options: dict[str, Any], shard: str, topics: int, threads: int, path: str | None) -> None:
        if path is None:
            self._sampler = Sampler(**options, shard=shard)
        else:
            self._sampler = Sampler.load(path, lazy=options["lazy"], max_memory=options.get("max_memory"))
        self._first, self._end = _core.shard_range(shard, topics)
        self._threads = threads

    def run(self, block: tuple[Any, tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]], more: bool) -> Any:
        """Runs over a block of rows and labels, and returns the codes of the answers."""
        rows, labels = block
        count = _arrays.count(rows)
        y = np.full((count, self._end - self._first), -1, np.int8)
        own = (labels[1] >= self._first) & (labels[1] < self._end)
        y[labels[0][own], labels[1][own] - self._first] = 1
        codes = np.empty(y.shape, np.uint8)
        self._sampler._run(rows, y, None, more, None, codes, self._threads, None)
        return codes

    def margins(self, rows: Any) -> Any:
        """The margins of a block."""
        out = np.empty((_arrays.count(rows), self._end - self._first))
        self._sampler._margins(rows, out)
        return out

    def save(self, path: str) -> None:
        """Writes the model of the shard."""
        self._sampler.save(path)

    def model(self) -> bytes:
        """The model of the shard."""
        return self._sampler.to_bytes()


class TopicShards:
    """A sampler with many topics, which are shared among actors. It decides as `Sampler(topics=topics)` does, bit by bit.

    topics: all topics. shards: the number of actors. threads: of each actor, which is also the processors that it reserves.
    folder: where the shards save their models after every `every` blocks; all nodes must have it. An actor that dies is
        started again from there, learns the blocks since then once more, and has the same bits as before. Without a folder
        all blocks stay in the object store for that. `TopicShards.load(folder)` goes on after this program has ended.
    The other options are those of `Sampler`.

    >>> with TopicShards(["sport", "art"], shards=2, sampler="sel-p") as model:  # doctest: +SKIP
    ...     answers = model.run(X, y)
    """

    def __init__(self, topics: Sequence[Any], *, shards: int, threads: int = 1, folder: str | os.PathLike[str] | None = None,
                 every: int = 100, **options: Any) -> None:
        if not isinstance(shards, int) or not 1 <= shards <= len(topics):
            raise ConfigError(f"{shards!r} shards of {len(topics)} topics, accepted: 1 to {len(topics)}")
        if every < 1 or threads < 1:
            raise ConfigError(f"`every` is {every} and `threads` is {threads}, accepted: 1 or more")
        options = {"lazy": False, **options}
        self._topics = [getattr(topic, "item", lambda topic=topic: topic)() for topic in topics]
        self._numbers = {topic: k for k, topic in enumerate(self._topics)}
        self._options = {**options, "topics": self._topics}
        Sampler(**self._options)  # refuses impossible options here
        self._folder = None if folder is None else pathlib.Path(folder).absolute()
        if self._folder is not None and (self._folder / MANIFEST).exists():
            raise ConfigError(f"{self._folder} has saved shards: go on with TopicShards.load, or give another folder")
        self._every = every
        self._threads = threads
        self._shards = shards
        self._blocks: list[tuple[Any, bool]] = []  # since the last save, in the object store
        self._learned = self._saved = self._rounds = self._opened = 0
        self._actors: list[Any] = []
        self._start_all()

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> TopicShards:
        """Goes on from the last save. `rounds` says how many instances the shards have learned."""
        path = pathlib.Path(folder).absolute() / MANIFEST
        try:
            saved = json.loads(path.read_text())
        except (OSError, ValueError) as error:
            raise FileError(f"{path}: {getattr(error, 'strerror', None) or 'not the list of saved shards'}") from None
        self = cls.__new__(cls)
        self._topics = saved["topics"]
        self._numbers = {topic: k for k, topic in enumerate(self._topics)}
        self._options = saved["options"] | {"topics": self._topics}
        self._folder = path.parent
        self._every, self._threads, self._shards = saved["every"], saved["threads"], saved["shards"]
        self._blocks = []
        self._learned = self._saved = saved["blocks"]
        self._rounds, self._opened = saved["rounds"], saved["opened"]
        self._actors = []
        self._start_all()
        return self

    @property
    def rounds(self) -> int:
        """The instances that were learned."""
        return self._rounds

    @property
    def topics(self) -> list[Any]:
        """All topics, in the order of the columns of answers."""
        return list(self._topics)

    def run(self, X: Any, y: Any, *, more: bool = False) -> TopicAnswers:
        """Runs over a labelled block; labels are revealed only where they are asked. See `Sampler.run`.

        y: an indicator matrix (dense or of scipy.sparse), or the topics of every row. If a block is refused, nothing is
        learned from it.
        """
        rows = _arrays.rows(X)
        labels = _topic_ids(y, self._numbers)
        if (count := _arrays.count(rows)) != (size := y.shape[0] if hasattr(y, "shape") else len(y)):
            raise ConfigError(f"X has {count} rows, y has {size} labels")
        if count == 0:
            return TopicAnswers(np.empty((0, len(self._topics)), np.uint8))
        block = (ray.put((rows, labels)), more)
        try:
            parts = self._gather(lambda actor, _: actor.run.remote(*block))
        except BaseException as error:
            self._start_all()  # some shards may have learned the block
            raise error.cause if isinstance(error, ray.exceptions.RayTaskError) else error from None
        self._blocks.append(block)
        codes = np.concatenate(parts, axis=1)
        self._learned += 1
        self._rounds += count
        self._opened += int((codes.max(axis=1) >= 2).sum())
        if self._folder is not None and self._learned % self._every == 0:
            self.save()
        return TopicAnswers(codes)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """The margins, minus the threshold of an `aim`: a column for each topic."""
        rows = ray.put(_arrays.rows(X))
        return np.concatenate(self._gather(lambda actor, _: actor.margins.remote(rows)), axis=1)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """A column of -1 and +1 for each topic."""
        return np.where(self.decision_function(X) > 0, 1, -1)

    def sampler(self) -> Sampler:
        """All topics in one sampler of this process: the bytes are those of a sampler that saw the same blocks."""
        models = self._gather(lambda actor, _: actor.model.remote())
        return Sampler.from_bytes(_core.merge_shards(models, self._opened), lazy=self._options["lazy"])

    def save(self) -> None:
        """Saves all shards to the folder, so that the blocks so far are not needed any more."""
        if self._folder is None:
            raise ConfigError("the shards have no `folder` to save to")
        if self._learned == 0:
            raise ConfigError("the shards have learned no block yet, so there is nothing to save")
        self._folder.mkdir(parents=True, exist_ok=True)
        before, now = self._saved, self._learned
        self._gather(lambda actor, k: actor.save.remote(str(self._path(k, now))))
        options = {name: value for name, value in self._options.items() if name != "topics"}
        manifest = {"shards": self._shards, "blocks": now, "rounds": self._rounds, "opened": self._opened,
                    "every": self._every, "threads": self._threads, "options": options, "topics": self._topics}
        temporary = self._folder / f"{MANIFEST}.tmp"
        temporary.write_text(json.dumps(manifest))
        temporary.replace(self._folder / MANIFEST)
        self._saved = now
        self._blocks.clear()
        for k in range(self._shards if before != now else 0):
            self._path(k, before).unlink(missing_ok=True)

    def _path(self, k: int, blocks: int) -> pathlib.Path:
        assert self._folder is not None
        return self._folder / f"shard-{k + 1}-of-{self._shards}-{blocks}.askfew"

    def _start(self, k: int) -> Any:
        """An actor with what shard k has learned from all blocks so far."""
        path = None if self._saved == 0 else str(self._path(k, self._saved))
        actor = ray.remote(Shard).options(num_cpus=self._threads, scheduling_strategy="SPREAD").remote(
            self._options, f"{k + 1}/{self._shards}", len(self._topics), self._threads, path)
        for block in self._blocks:
            actor.run.remote(*block)  # calls of an actor are done in order
        return actor

    def _start_all(self) -> None:
        for actor in self._actors:
            ray.kill(actor)
        self._actors = [self._start(k) for k in range(self._shards)]

    def _gather(self, call: Callable[[Any, int], Any]) -> list[Any]:
        """The results of a call of every actor. An actor that has died is started again."""
        tasks = [call(actor, k) for k, actor in enumerate(self._actors)]
        return [self._result(call, k, task) for k, task in enumerate(tasks)]

    def _result(self, call: Callable[[Any, int], Any], k: int, task: Any) -> Any:
        for _ in range(MAX_RESTARTS):
            try:
                return ray.get(task)
            except ray.exceptions.RayActorError:
                ray.kill(self._actors[k])  # it may be alive where nobody reaches it
                self._actors[k] = self._start(k)
                task = call(self._actors[k], k)
        return ray.get(task)

    def close(self) -> None:
        """Ends the actors. What was not saved is lost."""
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []
        self._blocks = []

    def __enter__(self) -> TopicShards:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
