"""The experiments of the papers, run by the program that the package brings."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable

from .__main__ import PROGRAM
from ._progress import Progress, shown
from .errors import AskfewError, ConfigError, DataError, FileError
from .results import ReproduceResult, Verdict

PAPERS = ("cbgz-2006", "second-order", "monteleoni-2007", "cavallanti-2008", "moroshko-2014", "drift-rates", "defaults", "slides")
FILES, DATA = 2, 3  # exit codes of the program; the options are right


def reproduce(paper: str, *, data: str | os.PathLike[str] | None = None, output: str | os.PathLike[str] = "reproduced",
              seed: int = 1, threads: int | None = None, quick: bool = False, afresh: bool = False,
              progress: Progress | None = None) -> ReproduceResult:
    """Runs the experiments of a paper, and compares the results with the paper's claims.

    paper: one of `askfew.papers.PAPERS`.
    data: the folder of the data sets, see `askfew data list`; by default the variable ASKFEW_DATA, or "data". The report
    and finished jobs are written to `output`: after Ctrl-C the same call goes on from there, unless `afresh`. `quick`: a
    small version in seconds. `progress` is called with the jobs so far and their number, at most every 20 seconds and at
    the end; True shows a bar of tqdm.
    """
    command = _command(paper, data, output, seed, quick)
    command += ["--threads", str(threads)] if threads is not None else []
    command += ["--afresh"] if afresh else []
    with shown(progress, "reproduce", "jobs") as show:
        _run(command, show)
    return _report(paper, output, quick)


def _command(paper: str, data: str | os.PathLike[str] | None, output: str | os.PathLike[str], seed: int,
             quick: bool) -> list[str]:
    if paper not in PAPERS:
        raise ConfigError(f"no experiment {paper!r}, known: {', '.join(PAPERS)}")
    command = [str(PROGRAM), "reproduce", paper, "--output", os.fspath(output), "--seed", str(seed)]
    command += ["--data", os.fspath(data)] if data is not None else []
    return command + (["--quick"] if quick else [])


def _report(paper: str, output: str | os.PathLike[str], quick: bool) -> ReproduceResult:
    name = pathlib.Path(output) / f"{paper}{'-quick' if quick else ''}"
    figures = json.loads(name.with_name(f"{name.name}.json").read_text())
    verdicts = [Verdict(**verdict) for verdict in figures.pop("verdicts")]
    return ReproduceResult(paper, verdicts, name.with_name(f"{name.name}.html"), figures)


def _run(command: list[str], show: Callable[[int, int], object] | None = None) -> str:
    """Runs the program, and returns what it printed."""
    said: list[str] = []
    jobs = 0
    with (tempfile.TemporaryFile("w+") as printed,
          subprocess.Popen(command, stdout=printed, stderr=subprocess.PIPE, text=True) as process):
        assert process.stderr is not None
        try:
            for line in process.stderr:
                done = re.match(r"\S+: (\d+) of (\d+) jobs", line)
                if done is None:
                    said.append(line.removeprefix("askfew: ").rstrip())
                    continue
                jobs = int(done[2])
                if show is not None:
                    show(int(done[1]), jobs)
            code = process.wait()
        except BaseException:
            process.send_signal(signal.SIGINT)  # finished jobs are on the disk
            process.wait()
            raise
        if code == 0:
            if show is not None:
                show(jobs, jobs)
            printed.seek(0)
            return printed.read()
    kind = {FILES: FileError, DATA: DataError}.get(code, AskfewError)
    raise kind("\n".join(said) or f"the program ended with code {code}")
