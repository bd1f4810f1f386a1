"""askfew in scikit-activeml: its rules as a query strategy for streams, and its budget as a budget manager."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from skactiveml.base import BudgetManager, SingleAnnotatorStreamQueryStrategy
from skactiveml.utils import check_scalar

from . import _core

__all__ = ["PacedBudget", "SelectiveSampling"]


def _decider(rule: str, budget: float, horizon: int | None, seed: int) -> _core.Decider:
    return _core.Decider(rule, f"{100 * budget:.15g}%" if budget < 1 else "", horizon or 0, seed)


def _seed(random_state: Any) -> int:
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(random_state.randint(2**31 - 1))


def _chosen(decider: _core.Decider, margins: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """The rows that would be asked, one after the other; the decider stays as it is."""
    trial = decider.copy()
    return np.flatnonzero([trial.decide(float(margin))[1] for margin in margins])


def _follow(decider: _core.Decider, margins: npt.NDArray[np.float64], queried: Any) -> None:
    asked = np.zeros(len(margins), bool)
    asked[np.asarray(queried, dtype=np.intp)] = True
    for margin, is_asked in zip(margins, asked, strict=True):
        decider.follow(float(margin), bool(is_asked))


class SelectiveSampling(SingleAnnotatorStreamQueryStrategy):  # type: ignore[misc]
    """A rule of askfew on the margins of any classifier, with its coins and its budget.

    The margin of a candidate is the difference between the two largest probabilities of the classifier. The rule turns
    it into a probability of asking, and the budget steers the rule's scale. `query` changes nothing; `update` follows
    `queried_indices`, whoever chose them. Utilities are minus the margins: the largest is the least certain.

    Parameters
    ----------
    budget : float, default=None
        The share of labels; None is 0.1.
    rule : str
        A rule of the catalog that needs no spread, such as "margin:b=0.1".
    horizon : int, default=None
        The number of candidates that the budget covers, if it is known.
    random_state : int or RandomState, default=None
        The seed of the coins.
    """

    def __init__(self, budget: float | None = None, rule: str = "margin:b=1", horizon: int | None = None,
                 random_state: Any = None) -> None:
        super().__init__(budget=budget, random_state=random_state)
        self.rule = rule
        self.horizon = horizon

    def _make(self, candidates: Any, return_utilities: Any, reset: bool) -> Any:
        candidates, _ = self._validate_data(candidates, return_utilities, reset=reset)
        check_scalar(self.rule, "rule", str)
        if not hasattr(self, "decider_"):
            self.decider_ = _decider(self.rule, self.budget_, self.horizon, _seed(self.random_state))
        return candidates

    def query(self, candidates: Any, clf: Any, X: Any = None, y: Any = None, fit_clf: bool = False,
              return_utilities: bool = False) -> Any:
        """Which candidates to ask. `fit_clf`: fit a copy of the classifier to X and y first."""
        from sklearn.base import clone

        candidates = self._make(candidates, return_utilities, not hasattr(self, "n_features_in_"))
        if fit_clf:
            clf = clone(clf).fit(X, y)
        shares = np.sort(clf.predict_proba(candidates), axis=1)
        margins = shares[:, -1] - shares[:, -2] if shares.shape[1] > 1 else np.ones(len(shares))
        queried = _chosen(self.decider_, margins)
        return (queried, -margins) if return_utilities else queried

    def update(self, candidates: Any, queried_indices: Any, budget_manager_param_dict: Any = None) -> SelectiveSampling:
        """Counts the candidates and the queried ones. `budget_manager_param_dict` has the utilities of `query`."""
        candidates = self._make(candidates, False, not hasattr(self, "n_features_in_"))
        utilities = (budget_manager_param_dict or {}).get("utilities")
        margins = np.zeros(len(candidates)) if utilities is None else -np.asarray(utilities, dtype=np.float64)
        _follow(self.decider_, margins, queried_indices)
        return self


class PacedBudget(BudgetManager):  # type: ignore[misc]
    """askfew's budget for strategies of scikit-activeml: spends it on the largest utilities.

    Utilities are at most 1. A rule `margin` sees 1 - utility as a margin, and its scale is steered so that the share of
    queried candidates is the budget.

    Parameters
    ----------
    budget : float, default=None
        The share of labels; None is 0.1.
    horizon : int, default=None
        The number of candidates that the budget covers, if it is known.
    random_state : int, default=None
        The seed of the coins.
    """

    def __init__(self, budget: float | None = None, horizon: int | None = None, random_state: Any = None) -> None:
        super().__init__(budget=budget)
        self.horizon = horizon
        self.random_state = random_state

    def _make(self) -> None:
        self._validate_budget()
        if not hasattr(self, "decider_"):
            self.decider_ = _decider("margin:b=1", self.budget_, self.horizon, _seed(self.random_state))

    def query_by_utility(self, utilities: Any) -> npt.NDArray[np.intp]:
        """Which of the utilities are worth their label; nothing changes."""
        utilities = self._validate_data(utilities)
        self._make()
        return _chosen(self.decider_, np.maximum(0, 1 - utilities))

    def update(self, candidates: Any, queried_indices: Any, utilities: Any = None) -> PacedBudget:
        """Counts the candidates and the queried ones."""
        self._make()
        margins = np.zeros(len(candidates)) if utilities is None else np.maximum(0, 1 - np.asarray(utilities))
        _follow(self.decider_, margins, queried_indices)
        return self
