"""Self-checks of the kernel learners and their budgets: equivalences, invariants, small cases worked by hand."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import reference  # noqa: E402, F401  (sets how numpy is loaded)
import numpy as np  # noqa: E402
from reference.learners import LEARNERS  # noqa: E402
from reference.replay import replay  # noqa: E402
from reference.sampler import build  # noqa: E402
from reference.task import Task  # noqa: E402
from reference.trials import DIMENSION, TASK, assert_equal_rows, stream, trained, unit_stream  # noqa: E402


class Kernels(unittest.TestCase):
    PAIRS = ["perceptron:rate=0.5", "pa", "pa-1:C=0.1", "pa-2:C=0.5", "alma:alpha=0.6", "budget:B=5",
             "second-order:a=0.7", "rls:a=0.7", "lasec:b=0.7,c=5"]

    @staticmethod
    def kernel_spec(spec, kernel):
        name, _, params = spec.partition(":")
        return f"kernel-{name}:" + ",".join(filter(None, [params, kernel]))

    def assert_kernel_is_primal(self, spec, kernel, instances, mapped, labels):
        rules = ["margin:b=0.5"]
        if hasattr(LEARNERS[spec.split(":")[0]], "spread"):
            rules += ["variance:kappa=0.5", "dgs:alpha=0.001"]
        for rule in rules:
            with self.subTest(learner=spec, kernel=kernel, rule=rule):
                expected = replay(mapped, labels, spec, rule)
                self.assertTrue(5 < sum(row.updated for row in expected) < len(labels))
                assert_equal_rows(self, replay(instances, labels, self.kernel_spec(spec, kernel), rule), expected)

    def test_linear_kernels_equal_the_primal_learners(self):
        for spec in self.PAIRS:
            instances, labels = unit_stream() if spec.startswith("alma") else stream()
            self.assert_kernel_is_primal(spec, "kernel=linear", instances, instances, labels)

    def test_polynomial_kernels_equal_the_primal_learners_on_products_of_features(self):
        instances, labels = stream()
        instances = instances[:, :3]
        products = (instances[:, :, None] * instances[:, None, :]).reshape(len(instances), -1)
        mapped = np.hstack([products, np.sqrt(2 * 0.5) * instances, np.full((len(instances), 1), 0.5)])
        for spec in self.PAIRS:
            if not spec.startswith("alma"):  # these features do not have norm 1
                self.assert_kernel_is_primal(spec, "kernel=polynomial,degree=2,offset=0.5", instances, mapped, labels)

    def test_kernels_equal_values_computed_by_hand(self):
        x, z = np.array([1.0, 2.0]), np.array([4.0, -2.0])
        for params, expected in [("kernel=linear", 0.0), ("kernel=polynomial", 1.0), ("gamma=0.1", np.exp(-2.5)),
                                 ("kernel=polynomial,degree=2,offset=3", 9.0), ("kernel=rbf", np.exp(-25))]:
            learner = build(LEARNERS, "kernel-perceptron:" + params, Task(2))
            self.assertAlmostEqual(learner.K(x, z), expected, places=15)
            learner.update(x, -1)
            self.assertAlmostEqual(learner.margin(z), -expected, places=15)
        with self.assertRaises(ValueError):
            build(LEARNERS, "kernel-perceptron:kernel=cosine", Task(2))

    def test_the_parameter_precision_changes_nothing(self):
        expected = replay(*stream(), "kernel-rls:gamma=0.1", "margin:b=0.5")
        self.assertEqual(replay(*stream(), "kernel-rls:gamma=0.1,precision=single", "margin:b=0.5"), expected)

    def test_kernel_pa_has_no_loss_after_its_update(self):
        learner = build(LEARNERS, "kernel-pa:gamma=0.1", TASK)
        for x, y in zip(*stream(50)):
            learner.update(x, y[0])
            self.assertGreaterEqual(y[0] * learner.margin(x), 1 - 1e-12)

    def test_kernel_pa_stores_nothing_where_the_kernel_is_zero(self):
        learner = trained("kernel-pa:kernel=linear", np.zeros((1, 2)), np.array([[1]]))
        self.assertEqual(len(learner.X), 0)

    def test_kernel_alma_stays_in_the_unit_ball(self):
        learner = build(LEARNERS, "kernel-alma:alpha=0.5,gamma=2", TASK)
        for x, y in zip(*unit_stream()):
            if learner.loses(learner.margin(x), y[0]):
                learner.update(x, y[0])
            self.assertLessEqual(learner.norm_of_f(), 1 + 1e-12)
        self.assertGreater(learner.count, 10)

    def test_kernel_alma_refuses_instances_whose_kernel_with_themselves_is_not_1(self):
        for kernel in ("linear", "polynomial"):
            with self.assertRaises(ValueError):
                build(LEARNERS, f"kernel-alma:kernel={kernel}", Task(2)).margin(np.array([1.0, 1.0]))

    def test_kernel_budget_with_a_linear_kernel_removes_the_same_supports_as_budget(self):
        instances, labels = stream(integers=True)
        expected = replay(instances, labels, "budget:B=7", "margin:b=1", seed=3)
        self.assertEqual(replay(instances, labels, "kernel-budget:B=7,kernel=linear", "margin:b=1", seed=3), expected)

    def test_kernel_spread_is_positive_and_smaller_for_a_known_instance(self):
        instances, labels = stream(40)
        learner = trained("kernel-second-order:a=0.5,gamma=0.1", instances, labels)
        known, unknown = learner.spread(instances[0]), learner.spread(np.full(DIMENSION, 100.0))
        self.assertTrue(0 < known <= 2 / 3, known)  # r / (1 + r) with r <= K(x, x) / a = 2, before the update
        self.assertAlmostEqual(unknown, 1 / 0.5)


class Budgets(unittest.TestCase):
    def test_forgetron_within_its_budget_equals_the_kernel_perceptron(self):
        expected = replay(*stream(), "kernel-perceptron:gamma=0.1", "margin:b=1")
        self.assertEqual(replay(*stream(), "forgetron:B=201,gamma=0.1", "margin:b=1"), expected)

    def test_forgetron_shrinks_its_weights_no_more_than_the_limit_demands(self):
        """Q <= 15/32 M at all times, with equality where phi < 1."""
        learner = build(LEARNERS, "forgetron:B=6,gamma=0.05", TASK)
        shrunk = 0
        for x, y in zip(*stream()):
            learner.update(x, y[0])
            self.assertLessEqual(len(learner.w), 6)
            self.assertLessEqual(learner.Q, 15 / 32 * learner.M)
            self.assertTrue((np.diff(abs(learner.w)) >= 0).all(), "an older support weighs more than a younger one")
            if abs(learner.w[-1]) < 1:
                shrunk += 1
                self.assertAlmostEqual(learner.Q, 15 / 32 * learner.M, places=12)
        self.assertTrue(0 < shrunk < 194, shrunk)

    def test_forgetron_equals_a_case_computed_by_hand(self):
        """B = 1, orthogonal instances: mu = s, Psi(phi) = -s^2 phi^2 + 2 s phi."""
        learner = build(LEARNERS, "forgetron:B=1,kernel=linear", TASK)
        learner.update(np.eye(DIMENSION)[0], 1)
        learner.update(np.eye(DIMENSION)[1], -1)  # s = 1: 2 phi - phi^2 = 15/32 2, so phi = 3/4
        self.assertEqual(learner.w.tolist(), [-0.75])
        self.assertEqual(learner.Q, 15 / 16)
        learner.update(np.eye(DIMENSION)[2], 1)  # s = 3/4: Q = 15/32 3, so 1 - (1 - 3/4 phi)^2 = 15/32
        phi = (1 - np.sqrt(17 / 32)) / 0.75
        np.testing.assert_allclose(learner.w, [phi], rtol=1e-15)
        self.assertEqual(learner.X.tolist(), [np.eye(DIMENSION)[2].tolist()])

    def test_projectron_with_a_small_eta_equals_the_kernel_perceptron(self):
        expected = replay(*stream(), "kernel-perceptron:gamma=0.3", "margin:b=1")
        assert_equal_rows(self, replay(*stream(), "projectron:eta=1e-4,gamma=0.3", "margin:b=1"), expected)

    def test_projectron_loses_nothing_in_the_span_of_its_supports(self):
        expected = replay(*stream(), "perceptron", "margin:b=1")
        assert_equal_rows(self, replay(*stream(), "projectron:eta=1e-4,kernel=linear", "margin:b=1"), expected)
        learner = trained("projectron:eta=1e-4,kernel=linear", *stream())
        self.assertEqual(len(learner.X), DIMENSION)

    def test_a_projection_keeps_the_values_of_f_at_the_supports(self):
        learner = build(LEARNERS, "projectron:eta=0.5,gamma=0.05", TASK)
        projected = 0
        for x, y in zip(*stream(80)):
            before, supports = learner.G @ learner.w, len(learner.X)
            learner.update(x, y[0])
            if len(learner.X) == supports:
                projected += 1
                np.testing.assert_allclose(learner.G @ learner.w, before + y[0] * learner.k(x), atol=1e-9)
        self.assertTrue(5 < projected < 75, projected)

    def test_projectron_stores_only_instances_far_from_its_supports(self):
        x, z = np.array([1.0, 0.0]), np.array([0.6, 0.8])  # delta^2 = 1 - 0.36: distance of z from the line of x
        for eta, supports in [(0.799, 2), (0.801, 1), (1.0, 0)]:
            learner = build(LEARNERS, f"projectron:eta={eta},kernel=linear", Task(2))
            learner.update(x, 1)
            learner.update(z, 1)
            self.assertEqual(len(learner.X), supports)
            self.assertAlmostEqual(learner.margin(x), [0.0, 1.6, 1.6][supports])


if __name__ == "__main__":
    unittest.main()
