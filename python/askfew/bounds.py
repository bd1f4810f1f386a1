"""The papers' bounds on mistakes and regret.

>>> round(selective_perceptron_bound(Comparator(norm=2, loss=0), b=1), 6)
4.5
"""

from __future__ import annotations

from ._core import (
    Comparator,
    adaptive_perceptron_bound,
    ellipsoid_bound,
    gravity_center_bound,
    hildreth_bound,
    pa_one_bound,
    perceptron_bound,
    rls_regret_bound,
    selective_perceptron_bound,
    selective_winnow_bound,
    volumetric_center_bound,
)

__all__ = [
    "Comparator", "adaptive_perceptron_bound", "ellipsoid_bound", "gravity_center_bound", "hildreth_bound",
    "pa_one_bound", "perceptron_bound", "rls_regret_bound", "selective_perceptron_bound", "selective_winnow_bound",
    "volumetric_center_bound",
]
