"""The base class of learners. Every learner adds margin(x) and update(x, y).

A learner may add loses(margin, y), the condition of the update policy margin, and spread(x) >= 0, which measures how
little the learner knows about x, for the rules that need it.
"""


import numpy as np


class Learner:
    """A learner of the catalog defines `name`, its name there."""

    default_policy = "mistake"
    unit_norm = False  # each instance must have norm 1 or 0
    starting = False  # the next asked label calls start, not update
    rounding = 1  # tests compare margins with a floor for rounding that is larger by this factor
    slow = False  # a round takes more than O(dimension): tests use short streams
    max_features = float("inf")  # tests use streams with at most this many features

    def see(self, x):
        """An instance has come, in every round, before its margin: for learners that learn from instances too."""

    def norm(self, x):
        """The norm of x in the space where the learner is linear."""
        return float(np.sqrt(x @ x))
