"""Learners by name: every class in this folder that has a name."""

from reference.by_name import classes_by_name
from reference.learners.learner import Learner

LEARNERS = classes_by_name(__name__, __path__, Learner)
