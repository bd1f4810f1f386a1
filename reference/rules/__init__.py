"""Query rules by name."""

from reference.rules.adaptive import Adaptive
from reference.rules.always import Always
from reference.rules.dgs import Dgs
from reference.rules.halving import Halving
from reference.rules.log_threshold import LogThreshold
from reference.rules.margin import Margin
from reference.rules.random import Random
from reference.rules.soft_threshold import SoftThreshold
from reference.rules.variance import Variance

RULES = {
    "always": Always,
    "random": Random,
    "margin": Margin,
    "adaptive": Adaptive,
    "halving": Halving,
    "log-threshold": LogThreshold,
    "soft-threshold": SoftThreshold,
    "variance": Variance,
    "dgs": Dgs,
}
