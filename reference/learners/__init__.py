"""Learners by name."""

from reference.learners.alma import Alma
from reference.learners.arow import Arow
from reference.learners.arow_diagonal import ArowDiagonal
from reference.learners.budget import Budget
from reference.learners.council import Council
from reference.learners.forgetron import Forgetron
from reference.learners.kernel_alma import KernelAlma
from reference.learners.kernel_budget import KernelBudget
from reference.learners.kernel_lasec import KernelLasec
from reference.learners.kernel_pa import KernelPa, KernelPa1, KernelPa2
from reference.learners.kernel_perceptron import KernelPerceptron
from reference.learners.kernel_second_order import KernelRls, KernelSecondOrder
from reference.learners.lasec import Lasec
from reference.learners.lasec_bank import LasecBank
from reference.learners.ellipsoid import Ellipsoid
from reference.learners.gravity_center import GravityCenter
from reference.learners.p_norm import PNorm
from reference.learners.pa import Pa, Pa1, Pa2
from reference.learners.perceptron import Perceptron
from reference.learners.projectron import Projectron
from reference.learners.reflect import Reflect
from reference.learners.second_order import Rls, SecondOrder
from reference.learners.second_order_diagonal import SecondOrderDiagonal
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
    "second-order": SecondOrder,
    "second-order-diagonal": SecondOrderDiagonal,
    "rls": Rls,
    "lasec": Lasec,
    "lasec-bank": LasecBank,
    "council": Council,
    "arow": Arow,
    "arow-diagonal": ArowDiagonal,
    "kernel-perceptron": KernelPerceptron,
    "kernel-budget": KernelBudget,
    "forgetron": Forgetron,
    "projectron": Projectron,
    "kernel-pa": KernelPa,
    "kernel-pa-1": KernelPa1,
    "kernel-pa-2": KernelPa2,
    "kernel-alma": KernelAlma,
    "kernel-second-order": KernelSecondOrder,
    "kernel-rls": KernelRls,
    "kernel-lasec": KernelLasec,
    "ellipsoid": Ellipsoid,
    "volumetric-center": VolumetricCenter,
    "gravity-center": GravityCenter,
}
