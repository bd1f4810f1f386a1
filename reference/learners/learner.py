"""What every learner has besides margin(x) and update(x, y).

A learner may add loses(margin, y), the loss of the update policy margin, and spread(x) >= 0, how little it knows
about x, for the rules that need it.
"""


import numpy as np


class Learner:
    """A learner of the catalog has its `name` there."""

    default_policy = "mistake"
    unit_norm = False  # whether each instance must have norm 1, or be zero
    starting = False  # whether the next asked label begins the hypothesis (start) and does not update it
    slow = False  # whether a round here takes more than O(dimension): tests then run it on brief streams
    max_features = float("inf")  # tests run it on streams of at most so many

    def norm(self, x):
        """Of x in the space where the learner is linear."""
        return float(np.sqrt(x @ x))
