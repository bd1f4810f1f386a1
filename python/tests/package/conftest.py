from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from askfew.__main__ import PROGRAM


class Stream:
    """A stream as arrays and as files of the command line."""

    def __init__(self, folder: pathlib.Path, rows: int, columns: int, density: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        mask = rng.random((rows, columns)) < density
        mask[:, 0] = True  # no empty row
        self.X = np.where(mask, np.round(rng.normal(size=(rows, columns)), 4), 0.0)
        self.X[self.X == 0] = 0.0
        teacher = rng.normal(size=columns)
        self.y = np.where(self.X @ teacher + 0.3 * rng.normal(size=rows) > 0, 1, -1)
        self.classes = np.argmax(self.X @ rng.normal(size=(columns, 4)), axis=1)
        self.csr = scipy.sparse.csr_matrix(self.X)
        self.folder = folder
        self._svmlight("binary.svm", self.y)
        self._svmlight("classes.svm", self.classes)
        with (folder / "dense.jsonl").open("w") as file:
            for x, y in zip(self.X.tolist(), self.y.tolist(), strict=True):
                file.write(f'{{"x": {x}, "label": {y}}}\n')

    def _svmlight(self, name: str, labels: Any) -> None:
        with (self.folder / name).open("w") as file:
            for x, label in zip(self.X, labels.tolist(), strict=True):
                pairs = " ".join(f"{k + 1}:{x[k]!r}" for k in np.flatnonzero(x))
                file.write(f"{label} {pairs}\n".replace("np.float64(", "").replace(")", ""))


@pytest.fixture(scope="session")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Stream:
    return Stream(tmp_path_factory.mktemp("stream"), rows=400, columns=12, density=0.5, seed=1)


@pytest.fixture(scope="session")
def cli() -> Callable[..., str]:
    """Runs the command line of the package; `python -m askfew` only starts it."""

    def call(*arguments: Any) -> str:
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout

    return call


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address and the token of a server that runs during the tests."""
    folder = tmp_path_factory.mktemp("server")
    program = [sys.executable, "-m", "askfew", "serve", str(folder / "team"), "--port", "0", "--no-sync"]
    with (folder / "log").open("w") as log, subprocess.Popen(program, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            assert process.stdout is not None
            said = ""
            while "listening on" not in said:
                line = process.stdout.readline()
                assert line, (folder / "log").read_text()
                said += line
            yield re.findall(r"listening on (\S+)", said)[0], re.findall(r"token of admin[^:]*: (\S+)", said)[0]
        finally:
            process.terminate()


def trace_text(trace: Any, names: list[str] | None = None) -> str:
    """A trace as the command line writes it."""
    audited = bool((trace["audit"] > 0).any())
    lines = ["round,task,margin,probability,coin,asked,prediction,label,updated" +
             (",audit,audit_coin,chance" if audited else "")]
    for row in trace:
        prediction, label = (names[row[k]] if names else int(row[k]) for k in ("prediction", "label"))
        lines.append(f"{row['round']},{row['task']},{row['margin']:.17g},{row['probability']:.17g},{row['coin']:.17g},"
                     f"{int(row['asked'])},{prediction},{label},{int(row['updated'])}" +
                     (f",{row['audit']:.17g},{row['audit_coin']:.17g},{row['chance']:.17g}" if audited else ""))
    return "\n".join(lines) + "\n"
