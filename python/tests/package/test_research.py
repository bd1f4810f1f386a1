"""Bounds and confidence sequences refuse numbers that no theorem allows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from askfew import ConfigError, bounds, estimate

U = bounds.Comparator(norm=2)


@pytest.mark.parametrize(("bound", "words"), [
    (lambda: bounds.perceptron_bound(bounds.Comparator(norm=-1)), "`norm` = -1 is out of range, accepted: at least 0"),
    (lambda: bounds.perceptron_bound(bounds.Comparator(norm=float("nan"))), "`norm` = nan"),
    (lambda: bounds.perceptron_bound(bounds.Comparator(norm=1, loss=-3)), "`loss` = -3"),
    (lambda: bounds.ellipsoid_bound(bounds.Comparator(norm=1, gamma=0), 3), "`gamma` = 0"),
    (lambda: bounds.selective_perceptron_bound(U, -1), "`b` = -1"),
    (lambda: bounds.adaptive_perceptron_bound(U, 0), "`beta` = 0"),
    (lambda: bounds.selective_winnow_bound(U, 1, 10), "`alpha` = 1"),
    (lambda: bounds.pa_one_bound(U, 0), "`c` = 0"),
])
def test_bounds_refuse_numbers_that_their_theorems_do_not_allow(bound: Callable[[], float], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        bound()


def test_a_correction_has_the_probability_of_a_label_that_was_asked() -> None:
    sequence = estimate.ConfidenceSequence(floor=0.1)
    sequence.add(0.5, True)
    for probability in (0, -1, 2, float("nan")):
        with pytest.raises(ConfigError, match="is not a probability"):
            sequence.correct(probability, True, False)
    assert sequence.value() == 1
