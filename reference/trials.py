"""Small streams for the self-checks of the reference, and comparisons of their runs."""

import reference  # noqa: F401  (sets how numpy is loaded)
import numpy as np

from reference.learners import LEARNERS
from reference.sampler import build
from reference.task import Task

DIMENSION = 8
TASK = Task(DIMENSION)


def stream(rounds=200, integers=False):
    rng = np.random.default_rng(11)
    instances = rng.normal(size=(rounds, DIMENSION))
    if integers:
        instances = np.rint(2 * instances)
    noisy = instances @ rng.normal(size=DIMENSION) + rng.normal(size=rounds)
    return instances, np.where(noisy > 0, 1, -1)[:, None]


def unit_stream():
    instances, labels = stream()
    return instances / np.linalg.norm(instances, axis=1)[:, None], labels


def decisions(rows):
    return [(row.asked, row.prediction, row.updated) for row in rows]


def margins(rows):
    return np.array([row.margin for row in rows])


def assert_equal_rows(test, got, expected):
    test.assertEqual(decisions(got), decisions(expected))
    np.testing.assert_allclose(margins(got), margins(expected), rtol=1e-9, atol=1e-12)


def trained(spec, instances, labels):
    learner = build(LEARNERS, spec, Task(instances.shape[1]))
    for x, y in zip(instances, labels[:, 0]):
        learner.update(x, int(y))
    return learner
