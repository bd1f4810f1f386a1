"""Confidence sequences from labels that were asked with known probabilities."""

from __future__ import annotations

from . import _core
from .errors import ConfigError


class ConfidenceSequence:
    """Bounds on the share of rounds with a property, such as a mistake, that is visible only where a label was asked.

    The bounds hold at all times together with probability 1 - alpha, whatever the data are: look as often as you like,
    and stop when they are narrow enough. Every round's probability of being asked must be known and fixed before its
    coin is tossed; the upper bound needs `floor`, a least probability (an audit).

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> sequence = ConfidenceSequence(floor=0.1)
    >>> for mistake in rng.random(20000) < 0.2:
    ...     sequence.add(0.1, mistake if rng.random() < 0.1 else None)
    >>> low, high = sequence.interval()
    >>> low < 0.2 < high
    True
    """

    def __init__(self, floor: float) -> None:
        self._sequence = _core.CountSequence(floor)
        self._floor = floor
        self._rounds = 0
        self._uncovered = 0

    def add(self, probability: float, counts: bool | None = None) -> None:
        """Adds a round. `counts`: whether it has the property; None: its label was not asked."""
        if not 0 <= probability <= 1:
            raise ConfigError(f"{probability!r} is not a probability")
        self._rounds += 1
        if counts is None:
            self._uncovered += probability < self._floor
        else:
            if probability == 0:
                raise ConfigError("a label that is asked with probability 0 does not come")
            self._sequence.label(bool(counts), probability)

    def correct(self, probability: float, before: bool, after: bool) -> None:
        """Replaces a label that was added before."""
        if not 0 < probability <= 1:
            raise ConfigError(f"{probability!r} is not a probability with which a label was asked")
        self._sequence.retract(before, probability)
        self._sequence.label(after, probability)

    @property
    def rounds(self) -> int:
        """The number of rounds, asked or not."""
        return self._rounds

    def value(self) -> float:
        """The estimated share of rounds with the property."""
        return self._sequence.value(self._rounds) / self._rounds if self._rounds > 0 else 0.0

    def interval(self, alpha: float = 0.05) -> tuple[float, float]:
        """The bounds of that share."""
        if not 0 < alpha < 1:
            raise ConfigError(f"`alpha` {alpha!r} is not in (0, 1)")
        if self._rounds == 0:
            return 0.0, 1.0
        low, high = self._sequence.bounds(alpha, self._rounds, self._uncovered)
        return low / self._rounds, high / self._rounds
