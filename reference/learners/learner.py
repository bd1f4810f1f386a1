"""What every learner has besides margin(x) and update(x, y).

A learner may add loses(margin, y), the loss of the update policy margin, and spread(x) >= 0, how little it knows
about x, for the rules that need it.
"""


import numpy as np


class Learner:
    default_policy = "mistake"
    unit_norm = False  # whether each instance must have norm 1, or be zero
    starting = False  # whether the next asked label begins the hypothesis (start) and does not update it

    def norm(self, x):
        """Of x in the space where the learner is linear."""
        return float(np.sqrt(x @ x))
