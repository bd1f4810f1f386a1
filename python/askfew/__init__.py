"""askfew: learn from streams whose labels cost money.

A `Sampler` decides for every instance of a stream whether its label is worth its price, and learns from the labels it
gets. The engine, its seeds and its files are those of the command line `askfew`.
"""

from __future__ import annotations

from . import errors
from ._core import Query, __version__
from .errors import AskfewError, ConfigError, DataError, FileError, MemoryLimitError, ModelError, NumericError
from .sampler import Explanation, Sampler, Tally
from .sessions import Session, replay, whatif
from .workflows import bound, compare, run, tune

__all__ = [
    "AskfewError", "ConfigError", "DataError", "Explanation", "FileError", "MemoryLimitError", "ModelError",
    "NumericError", "Query", "Sampler", "Session", "Tally", "__version__", "bound", "catalog", "compare", "errors",
    "replay", "run", "tune", "whatif",
]


def catalog() -> dict[str, list[dict[str, object]]]:
    """The learners, rules, presets and synthetic streams, with their parameters.

    >>> "sel-p" in [preset["name"] for preset in catalog()["presets"]]
    True
    """
    from . import _core

    return _core.catalog()
