"""askfew: learn from streams whose labels cost money.

A `Sampler` decides for every instance of a stream whether its label is worth its price, and learns from the labels it
gets. The engine, its seeds and its files are those of the command line `askfew`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from . import errors
from ._core import Query, __version__
from .errors import (
    AskfewError,
    ConfigError,
    DataError,
    DataWarning,
    FileError,
    LabelWarning,
    MemoryLimitError,
    ModelError,
    NumericError,
)
from .sampler import Explanation, Sampler, Tally

if TYPE_CHECKING:
    from . import bounds, estimate, synthetic
    from .papers import reproduce
    from .sessions import Session, replay, whatif
    from .workflows import bound, compare, coverage, evaluate, run, tune

__all__ = [
    "AskfewError", "ConfigError", "DataError", "DataWarning", "Explanation", "FileError", "LabelWarning", "MemoryLimitError",
    "ModelError", "NumericError", "Query", "Sampler", "Session", "Tally", "__version__", "bound", "bounds", "catalog", "compare",
    "coverage", "errors", "estimate", "evaluate", "replay", "reproduce", "run", "synthetic", "tune", "whatif",
]

# Imported at their first use, so that `import askfew` is quick.
_MODULES = ("bounds", "client", "estimate", "papers", "ray", "river", "skactiveml", "sklearn", "synthetic")
_LATER = {"Session": "sessions", "replay": "sessions", "whatif": "sessions", "reproduce": "papers", "bound": "workflows",
          "compare": "workflows", "coverage": "workflows", "evaluate": "workflows", "run": "workflows", "tune": "workflows"}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_LATER})


def catalog() -> dict[str, list[dict[str, object]]]:
    """The learners, rules, presets and synthetic streams, with their parameters.

    >>> "sel-p" in [preset["name"] for preset in catalog()["presets"]]
    True
    """
    from . import _core

    return _core.catalog()
