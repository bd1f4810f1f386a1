"""Learners by name."""

from reference.learners.alma import Alma
from reference.learners.budget import Budget
from reference.learners.ellipsoid import Ellipsoid
from reference.learners.gravity_center import GravityCenter
from reference.learners.p_norm import PNorm
from reference.learners.pa import Pa, Pa1, Pa2
from reference.learners.perceptron import Perceptron
from reference.learners.reflect import Reflect
from reference.learners.shifting import Shifting
from reference.learners.volumetric_center import VolumetricCenter
from reference.learners.winnow import BalancedWinnow, Winnow

LEARNERS = {
    "perceptron": Perceptron,
    "reflect": Reflect,
    "shifting": Shifting,
    "pa": Pa,
    "pa-1": Pa1,
    "pa-2": Pa2,
    "alma": Alma,
    "winnow": Winnow,
    "winnow-balanced": BalancedWinnow,
    "p-norm": PNorm,
    "budget": Budget,
    "ellipsoid": Ellipsoid,
    "volumetric-center": VolumetricCenter,
    "gravity-center": GravityCenter,
}
