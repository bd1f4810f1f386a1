"""The exceptions of the package. Their words are those of the command line."""

from __future__ import annotations


class AskfewError(Exception):
    """The base of all exceptions of askfew."""


class ConfigError(AskfewError, ValueError):
    """An unknown name, a parameter out of its range, options that contradict each other."""


class DataError(AskfewError, ValueError):
    """Malformed data, with its place."""


class ModelError(AskfewError, ValueError):
    """A model that is damaged, truncated or foreign."""


class NumericError(AskfewError, ArithmeticError):
    """A number that is no longer finite. Nothing was learned."""


class MemoryLimitError(AskfewError, MemoryError):
    """More memory than `max_memory` allows."""


class FileError(AskfewError, OSError):
    """A file that cannot be opened, read or written."""


class DataWarning(UserWarning):
    """Something about the data is probably a mistake, such as a label that is nearly the same as a positive one or texts that
    are not UTF-8; or a part of the data was left out, or a sampler failed on it while others did not."""


LabelWarning = DataWarning  # its earlier name
