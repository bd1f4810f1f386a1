"""A bank of LASECs. No paper: Moroshko and Crammer (2014) do not say how to choose c if the drift is unknown; the
weights follow fixed share, Herbster and Warmuth (1998).

member k is LASEC with c_k, k = 1..K, on a geometric grid from c_min to c_max;  f_k is its x'D^-1 e, clipped to [-1, 1]
margin sum of p_k f_k, p starts at 1/K;  spread sum of p_k r_k
update p_k times exp(-(y - f_k)^2/8), scaled to sum 1, then p = (1 - share) p + share/K; members with a mistake update
"""

import numpy as np

from reference.learners.lasec import Lasec
from reference.learners.learner import Learner
from reference.task import sgn

ROUNDING = 1e-13


class LasecBank(Learner):
    name = "lasec-bank"
    slow = True
    default_policy = "asked"

    def __init__(self, task, b, c_min, c_max, K, share, form="auto"):
        if c_min > c_max:
            raise ValueError(f"lasec-bank needs c_min <= c_max: {c_min:g}, {c_max:g}")
        self.K = int(K)
        self.share = share
        self.members = [Lasec(task, b, c) for c in np.geomspace(c_min, c_max, self.K)]
        self.p = np.full(self.K, 1 / self.K)

    def estimates(self, x):
        """Estimates that differ from 0 by rounding only become 0: rounding must not decide whether a member is wrong."""
        raw = np.array([x @ np.linalg.solve(member.D, member.e) for member in self.members])
        return np.clip(np.where(np.abs(raw) < ROUNDING, 0, raw), -1, 1)

    def margin(self, x):
        return float(self.p @ self.estimates(x))

    def spread(self, x):
        return float(self.p @ [member.spread(x) for member in self.members])

    def update(self, x, y):
        estimates = self.estimates(x)
        weighed = self.p * np.exp(-(y - estimates)**2 / 8)
        self.p = (1 - self.share) * weighed / weighed.sum() + self.share / self.K
        for member, estimate in zip(self.members, estimates):
            if sgn(estimate) != y:
                member.update(x, y)
