"""Turns what Python programs have into what the engine reads in place."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import ConfigError, DataError, DataWarning

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))

LARGEST_LABEL = 1 << 30  # from here on the engine numbers names

# Compressed rows: begins, indices, values, number of columns (0: not fixed).
Sparse = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], int]


def _floats(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if values.dtype in FLOATS:
        return values
    if values.dtype.kind not in "buif" and values.dtype != object:
        raise DataError(f"X: values of type {values.dtype} are no numbers")
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"X: {error}: give numbers, or a list of texts, such as one column of a table") from None


def _sparse(matrix: Any) -> Sparse:
    csr = matrix.tocsr()
    if len(csr.shape) == 1:
        csr = csr.reshape(1, -1).tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    kind = np.int32 if csr.indices.dtype == np.int32 and csr.indptr.dtype == np.int32 else np.int64
    return (np.ascontiguousarray(csr.indptr, dtype=kind), np.ascontiguousarray(csr.indices, dtype=kind),
            np.ascontiguousarray(_floats(csr.data)), int(csr.shape[1]))


def _texts(array: npt.NDArray[Any]) -> list[str]:
    for row, text in enumerate(array):
        if not isinstance(text, str):
            raise DataError(f"X[{row}]: {text!r} is not a text")
    return [str(text) for text in array]


def is_sparse(x: Any) -> bool:
    """Is it a matrix of scipy.sparse?"""
    return hasattr(x, "tocsr")


def rows(x: Any) -> Any:
    """The rows of a matrix or a list of texts, as the engine reads them: in place where the type permits."""
    if is_sparse(x):
        return _sparse(x)
    if isinstance(x, (str, Mapping)):
        raise ConfigError(f"X is one {'text' if isinstance(x, str) else 'instance'}, expected a list of them")
    if isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(one, (str, dict)) for one in x):
        return list(x)
    try:
        array = np.asarray(x)
    except ValueError:
        raise DataError("X has rows of different lengths") from None
    if array.ndim == 0:
        raise ConfigError(f"X is of type {type(x).__name__}, expected a matrix, or a list of texts")
    if array.ndim == 1 and (array.dtype.kind == "S" or (array.dtype == object and any(isinstance(one, bytes) for one in array))):
        raise DataError("X has bytes, expected texts: decode them first")
    if array.ndim == 1 and (array.dtype.kind == "U" or (array.dtype == object and any(isinstance(one, str) for one in array))):
        return _texts(array)
    if array.ndim != 2:
        raise ConfigError(f"X has {array.ndim} dimension{'s' if array.ndim > 1 else ''}, expected 2: one row an instance")
    if array.shape[1] == 0 and len(array) > 0:
        raise ConfigError("X has no columns")
    return np.ascontiguousarray(_floats(array))


def count(x: Any) -> int:
    """The number of rows of what `rows` returned."""
    if isinstance(x, tuple):
        return len(x[0]) - 1
    return len(x)


def instance(x: Any) -> Any:
    """One instance as rows: a text, a row of scipy.sparse, a mapping from names to values, or numbers."""
    if isinstance(x, str):
        return [x]
    if is_sparse(x):
        return _sparse(x)
    if isinstance(x, Mapping):
        return [dict(x)]
    array = np.asarray(x)
    return np.ascontiguousarray(_floats(array if array.ndim == 2 else array.reshape(1, -1)))


def _is_missing(label: Any) -> bool:
    """None, NaN, and what pandas has for them."""
    return (label is None or type(label).__name__ in ("NAType", "NaTType")
            or (isinstance(label, (float, np.floating)) and bool(np.isnan(label))))


def _expect_several(y: Any) -> None:
    if y is None or isinstance(y, str):
        raise ConfigError(f"y is {y!r}, expected a label for each row")


def expect_label(label: Any) -> None:
    """Refuses a missing label."""
    if _is_missing(label):
        raise DataError(f"{label!r} is not a label")


def _expect_labels(y: Any) -> None:
    """Refuses missing labels. A list is looked at before it is an array, which may turn NaN into a text."""
    _expect_several(y)
    values = y if isinstance(y, (list, tuple)) else np.asarray(y).ravel()
    if isinstance(values, np.ndarray) and values.dtype != object and values.dtype.kind != "f":
        return
    for row, label in enumerate(values):
        if _is_missing(label):
            raise DataError(f"y[{row}]: {label!r} is not a label: leave out the rows without one")


def _unknown(label: object) -> ConfigError:
    return ConfigError(f"the label {label!r} is not one of the classes")


def _codes(y: Any, numbers: Mapping[Any, int], default: int | None) -> npt.NDArray[np.intp]:
    """The number of every label; `default` for a label that is not in `numbers`; None: such a label is an error."""
    _expect_labels(y)
    array = np.asarray(y)
    if array.dtype == object or array.ndim != 1:
        values, inverse = list(y), None
    else:
        unique, inverse = np.unique(array, return_inverse=True)
        values = unique.tolist()
    found = [numbers.get(value, default) for value in values]
    for value, number in zip(values, found, strict=True):
        if number is None:
            raise _unknown(value)
    codes = np.array(found, dtype=np.intp)
    return codes if inverse is None else codes[inverse]


def label_list(labels: Iterable[Any]) -> str:
    """The text of an option that names these labels, such as that of the command line."""
    return _core.joined_labels([str(label) for label in labels])


def label_counts(y: Any) -> dict[Any, int]:
    """How often each label is there."""
    array = np.asarray(y)
    if array.dtype == object or array.ndim != 1:
        return dict(Counter(y))
    values, counts = np.unique(array, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def signs(y: Any) -> npt.NDArray[np.int8]:
    """Labels -1 (or 0, or False) and +1 as int8."""
    _expect_several(y)
    array = np.asarray(y)
    if array.ndim != 1:
        raise ConfigError(f"y has {array.ndim} dimensions, expected 1: one label a row")
    if array.dtype.kind not in "buif":
        raise ConfigError("y holds labels -1 and +1, or 0 and 1; see `positive`, `classes` and `topics` for others")
    positive = array == 1
    wrong = ~(positive | (array == 0) | (array == -1))
    if wrong.any():
        raise ConfigError(f"label {array[wrong][0]} is not -1, 0 or +1; see `positive`, `classes` and `topics` for others")
    if positive.any() and (array == 0).any() and (array == -1).any():
        sentence = "the labels are -1, 0 and 1, and both -1 and 0 are negative: give `classes` if they are three classes"
        warnings.warn(sentence, DataWarning, stacklevel=3)
    return np.where(positive, np.int8(1), np.int8(-1))


def encode(y: Any, kind: str, numbers: Mapping[Any, int] | None, tasks: int) -> npt.NDArray[np.int8]:
    """The label of every row and task, -1 or +1."""
    if kind == "plain":
        return signs(y)[:, None]
    assert numbers is not None
    if kind == "positive":
        return np.where(_codes(y, numbers, 0) == 1, 1, -1).astype(np.int8)[:, None]
    if kind == "classes":
        codes = _codes(y, numbers, None)
        out = np.full((len(codes), tasks), -1, np.int8)
        out[np.arange(len(codes)), codes] = 1
        return out
    return topics(y, numbers, tasks)


def topics(y: Any, numbers: Mapping[Any, int], tasks: int) -> npt.NDArray[np.int8]:
    """The topics of every row: an indicator matrix, or an iterable of topics for each row."""
    if is_sparse(y):
        y = y.toarray()
    if isinstance(y, np.ndarray) and y.ndim == 2:
        if y.shape[1] != tasks:
            raise ConfigError(f"y has {y.shape[1]} columns, expected one for each of the {tasks} topics")
        return np.where(y > 0, 1, -1).astype(np.int8)
    out = np.full((len(y), tasks), -1, np.int8)
    for row, labels in enumerate(y):
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise ConfigError(f"y[{row}] is {labels!r}, expected a list of topics")
        for label in labels:
            if label in numbers:  # other labels are of no task
                out[row, numbers[label]] = 1
    return out


def label_ids(y: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64] | None, list[str]]:
    """Labels for a workflow: their numbers, where the labels of each row end (topics), and their names."""
    if is_sparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2):
        matrix = y.toarray() if is_sparse(y) else y
        found = [list(np.flatnonzero(row > 0)) for row in matrix]
        return _topic_ids(found)
    values: Any = y if isinstance(y, (list, tuple)) else np.asarray(y)
    if len(values) > 0 and isinstance(values[0], (list, tuple, set, frozenset)):
        return _topic_ids(values)
    _expect_labels(y)
    array = np.asarray(y)
    if array.dtype.kind in "bui" or (array.dtype.kind == "f" and np.array_equal(array, np.round(array))):
        if array.size > 0 and max(-int(array.min()), int(array.max())) >= LARGEST_LABEL:
            raise DataError(f"y: labels that are numbers are smaller than {LARGEST_LABEL:,}; give others as texts")
        return array.astype(np.int32), None, []
    names, ids = np.unique(array.astype(str), return_inverse=True)
    return ids.astype(np.int32), None, names.tolist()


def _topic_ids(y: Iterable[Iterable[Any]]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], list[str]]:
    lists = [[str(label) for label in labels] for labels in y]
    names = sorted({label for labels in lists for label in labels})
    ids = {name: k for k, name in enumerate(names)}
    flat = np.array([ids[label] for labels in lists for label in labels], np.int32)
    return flat, np.cumsum([len(labels) for labels in lists], dtype=np.int64), names
