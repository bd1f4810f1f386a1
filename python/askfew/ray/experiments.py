"""Experiments as tasks of Ray. The library divides the work into jobs and puts their results together, as on one machine."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pathlib
import tempfile
from collections.abc import Callable, Generator, Iterable
from typing import Any

import ray

from .. import _core, papers, workflows
from .._progress import Progress, shown
from ..errors import ConfigError
from ..results import CompareResult, CoverageResult, ReproduceResult, TuneResult
from ..workflows import Runner

OTHER_BUILD = "a node of the cluster has another build of askfew than this process: install the same wheel on every node"

# Results of jobs by their keys, as JSON.
Found = list[tuple[str, str]]


@functools.cache
def build_digest() -> str:
    """A digest of the bytes of this build's engine: two builds of the same version may give different results."""
    return hashlib.blake2b(pathlib.Path(_core.__file__).read_bytes(), digest_size=16).hexdigest()


def _run_jobs(name: str, columns: dict[str, Any], options: dict[str, Any], build: str, keys: list[str]) -> Found:
    """A task of Ray: runs the jobs with these keys. The columns are in the object store, and are read there. build: that of
    the process that puts the results together."""
    if build != build_digest():
        raise ConfigError(OTHER_BUILD)
    results = _core.Results("", "")
    _core.run_part(name, columns, options, results, keys)
    return [(key, results.get(key) or "") for key in keys]


def finished(submit: Callable[[list[str]], Any], parts: Iterable[list[str]]) -> Generator[Any, None, None]:
    """The results of tasks as they come; a task is started for each part. Tasks that run are ended with the iterator."""
    waiting = [submit(part) for part in parts]
    try:
        while waiting:
            done, waiting = ray.wait(waiting)
            yield ray.get(done[0])
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    finally:
        for task in waiting:
            ray.cancel(task, force=True)


def most_costly_first(left: list[tuple[str, float]]) -> list[str]:
    """Keys in an order that leaves short jobs to the end, when workers become idle."""
    return [key for key, _ in sorted(left, key=lambda job: -job[1])]


def _digest(name: str, columns: dict[str, Any], options: dict[str, Any]) -> str:
    """What the results depend on and the keys of jobs do not contain."""
    settings = {key: value for key, value in options.items() if value is not None and key != "threads"}
    digest = hashlib.blake2b(json.dumps([name, build_digest(), settings], sort_keys=True).encode(), digest_size=16)
    for key, column in sorted(columns.items()):
        digest.update(f"{key} {column if isinstance(column, int) else column.size}".encode())
        if not isinstance(column, int):
            digest.update(column)
    return digest.hexdigest()


def _on_ray(resume: str | os.PathLike[str] | None) -> Runner:
    def run(name: str, data: Any, options: dict[str, Any], progress: Progress | None) -> str:
        stored = ray.put(_core.load_columns(name, data, options))
        columns = ray.get(stored)  # in the store, as the workers see it
        kept = _core.Results("", "") if resume is None else _core.Results(os.fspath(resume), _digest(name, columns, options))
        single = {**options, "threads": 1}
        left, result = _core.run_part(name, columns, single, kept, [])
        task = ray.remote(_run_jobs)
        parts = [[key] for key in most_costly_first(left)]
        tasks = finished(functools.partial(task.remote, name, stored, single, build_digest()), parts)
        with shown(progress, name, "jobs") as show, contextlib.closing(tasks):
            for done, found in enumerate(tasks, start=1):
                for key, text in found:
                    kept.add(key, text)
                if show is not None:
                    show(done, len(parts))
        if result is None:
            left, result = _core.run_part(name, columns, single, kept, [])
        assert result is not None, left
        return result

    return run


def compare(X: Any, y: Any = None, *, resume: str | os.PathLike[str] | None = None, **options: Any) -> CompareResult:
    """`askfew.compare` with a task of Ray for each sampler and rate: the same options, the same result.

    The data is read here, put into the object store once, and read there by all workers. resume: a file that keeps the
    result of every finished job; after Ctrl-C or a crash the same call goes on from there. Results of other data or
    options may be in the same file.
    """
    return workflows.compare(X, y, _run=_on_ray(resume), **options)


def tune(X: Any, y: Any = None, *, resume: str | os.PathLike[str] | None = None, **options: Any) -> TuneResult:
    """`askfew.tune` with a task of Ray for each candidate. `resume` as in `compare`."""
    return workflows.tune(X, y, _run=_on_ray(resume), **options)


def coverage(X: Any, y: Any = None, *, resume: str | os.PathLike[str] | None = None, **options: Any) -> CoverageResult:
    """`askfew.coverage` with a task of Ray for each run. `resume` as in `compare`."""
    return workflows.coverage(X, y, _run=_on_ray(resume), **options)


def _kept_file(output: str | os.PathLike[str], paper: str, seed: int, quick: bool) -> pathlib.Path:
    """Where the program keeps the results of finished jobs."""
    return pathlib.Path(output) / "work" / f"{paper}{'-quick' if quick else ''}-{_core.__version__}-{seed}.jsonl"


def _run_paper_jobs(paper: str, data: str, seed: int, quick: bool, known: str, jobs: list[str]) -> str:
    """A task of Ray: runs these jobs of a paper, given the results of earlier jobs. Returns the lines of their results."""
    with tempfile.TemporaryDirectory(prefix="askfew-") as folder:
        kept = _kept_file(folder, paper, seed, quick)
        kept.parent.mkdir()
        kept.write_text(known)
        wanted = pathlib.Path(folder) / "jobs"
        wanted.write_text("".join(f"{job}\n" for job in jobs))
        papers._run([*papers._command(paper, data, folder, seed, quick), "--threads", "1", "--quiet", "--only", str(wanted)])
        return kept.read_text()[len(known):]


def reproduce(paper: str, *, data: str | os.PathLike[str] | None = None, output: str | os.PathLike[str] = "reproduced",
              seed: int = 1, quick: bool = False, afresh: bool = False, progress: Progress | None = None) -> ReproduceResult:
    """`askfew.reproduce` with its jobs as tasks of Ray. The folder `data` must be the same on all nodes.

    Finished jobs are kept in `output`, as on one machine: after Ctrl-C the same call goes on, here or without Ray.
    """
    folder = os.path.abspath(data if data is not None else os.environ.get("ASKFEW_DATA", "data"))
    command = papers._command(paper, folder, output, seed, quick)
    kept = _kept_file(output, paper, seed, quick)
    task = ray.remote(_run_paper_jobs)
    done = of = 0
    listing = [*command, "--list-jobs"]
    with shown(progress, "reproduce", "jobs") as show:
        # Later jobs may depend on the results of earlier ones: they are listed when these are there.
        jobs = papers._run(listing + (["--afresh"] if afresh else [])).splitlines()
        while jobs:
            known = ray.put(kept.read_text() if kept.exists() else "")
            of += len(jobs)
            tasks = finished(functools.partial(task.remote, paper, folder, seed, quick, known), _parts(jobs))
            with contextlib.closing(tasks):
                for lines in tasks:
                    with kept.open("a") as file:
                        file.write(lines)
                    done += lines.count("\n")
                    if show is not None:
                        show(done, of)
            before = {_key(job) for job in jobs}
            jobs = papers._run(listing).splitlines()
            if any(_key(job) in before for job in jobs):  # the program here does not count what another build has found
                raise ConfigError(OTHER_BUILD)
        papers._run([*command, "--quiet"])
    return papers._report(paper, output, quick)


def _key(job: str) -> str:
    return str(json.loads(job)["key"])


def _parts(jobs: list[str]) -> list[list[str]]:
    """Several parts for each processor, of about the same cost: a task reads the data of the paper first."""
    ordered = most_costly_first([(job, json.loads(job)["cost"]) for job in jobs])
    count = min(len(jobs), 4 * max(1, int(ray.cluster_resources().get("CPU", 1))))
    return [ordered[k::count] for k in range(count)]
