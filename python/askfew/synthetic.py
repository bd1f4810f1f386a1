"""Synthetic streams, files and coins as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core


def _matrix(found: tuple[Any, ...]) -> Any:
    begins, indices, values, columns, _, _, dense = found
    if dense:
        matrix = np.zeros((len(begins) - 1, columns))
        matrix[np.repeat(np.arange(len(begins) - 1), np.diff(begins)), indices] = values
        return matrix
    from scipy.sparse import csr_matrix

    return csr_matrix((values, indices, begins), shape=(len(begins) - 1, columns))


def _labels(found: tuple[Any, ...]) -> Any:
    labels, ends = found[4], found[5]
    if np.array_equal(ends, np.arange(1, len(ends) + 1)):
        return labels
    return [part.tolist() for part in np.split(labels, ends[:-1])]


def load(path: str, format: str = "auto") -> tuple[Any, Any]:
    """The examples of a file whose labels are numbers, or of a synthetic stream: X, dense or sparse, and y.

    y is an array of labels, or a list of lists where examples have several.
    """
    found = _core.read_stream(path, format)
    return _matrix(found), _labels(found)


def make(name: str, **params: Any) -> tuple[Any, Any]:
    """A synthetic stream by its name and parameters; `askfew.catalog()["synthetic"]` lists them.

    >>> X, y = make("linear-noise", n=100)
    >>> X.shape[0], len(y)
    (100, 100)
    """
    text = ",".join(f"{key}={value}" for key, value in params.items())
    return load(f"synthetic:{name}:{text}" if text else f"synthetic:{name}")


def coins(n: int, seed: int = 1, task: int = 0, purpose: str = "ask") -> npt.NDArray[np.float64]:
    """The coins of rounds 1 to n: a rule asks in a round if the coin is below its probability.

    >>> coins(3, seed=1).shape
    (3,)
    """
    return _core.coins(n, seed, task, purpose)
