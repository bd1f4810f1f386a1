"""Calls everything that crosses the border a million times, and says how the memory of the process grew.

    python python/scripts/leaks.py [calls]            (in an environment with the package)

The exit code is 1 if a call leaks more than a byte on average.
"""

from __future__ import annotations

import contextlib
import gc
import pathlib
import pickle
import sys
from collections.abc import Callable

import numpy as np

import askfew

RNG = np.random.default_rng(0)
X = RNG.normal(size=(64, 20))
Y = np.where(X[:, 0] > 0, 1, -1)
SAMPLER = askfew.Sampler("sel-p")
SAMPLER.run(X, Y)
SESSION = askfew.Session(sampler="sel-p", keep=10)
LINE = {"a": 1.0, "b": 2.0}


def resident() -> int:
    """The resident memory in bytes."""
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096


def ask_and_tell(k: int) -> None:
    query = SAMPLER.ask(X[k % 64])
    if query.asked:
        SAMPLER.tell(X[k % 64], int(Y[k % 64]), query)


def refuse(k: int) -> None:
    with contextlib.suppress(askfew.DataError):
        SAMPLER.ask(np.full(20, np.nan))


def take(k: int) -> None:
    if SESSION.take(LINE, id=k % 1000).asked:
        SESSION.tell(k % 1000, 1)


CALLS: dict[str, tuple[Callable[[int], object], int]] = {
    "ask and tell": (ask_and_tell, 1),
    "peek": (lambda k: SAMPLER.peek(X[k % 64]), 1),
    "named features": (lambda k: SAMPLER_OF_NAMES.ask(LINE), 1),
    "an error": (refuse, 1),
    "predict": (lambda k: SAMPLER.predict(X), 10),
    "run": (lambda k: SAMPLER.run(X, Y), 20),
    "pickle": (lambda k: pickle.loads(pickle.dumps(SAMPLER)), 100),
    "a session": (take, 5),
}
SAMPLER_OF_NAMES = askfew.Sampler("sel-p")


def main() -> int:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    leaks = 0
    for name, (call, cost) in CALLS.items():
        number = max(1000, calls // cost)
        for k in range(min(number, 20_000)):
            call(k)
        before = resident()
        for k in range(number):
            call(k)
        grown = resident() - before
        leaks += grown > max(number, 1 << 20)
        print(f"{name:16} {number:9,} calls: {grown / 1024:8.0f} KiB more")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
