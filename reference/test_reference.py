"""Self-checks of the reference: equivalences and invariants that the papers state, and small cases worked by hand.

    python3 -m unittest reference.test_reference
"""

import gzip
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from reference import coin, svmlight  # noqa: E402  (sets how numpy is loaded)
import numpy as np  # noqa: E402
from reference.learners import LEARNERS  # noqa: E402
from reference.replay import Sampler, build, replay  # noqa: E402
from reference.rules import RULES  # noqa: E402
from reference.rules.rule import Score  # noqa: E402
from reference.task import Task  # noqa: E402

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


class Coins(unittest.TestCase):
    def test_philox_from_its_definition_equals_numpy(self):
        for seed, task, purpose in [(0, 0, coin.ASKING), (1, 3, coin.LEARNING), (2**64 - 1, 2**63 + 5, coin.ASKING)]:
            expected = coin.generator(seed, task, purpose).random(41)
            got = [coin.draw(seed, task, t, purpose) for t in range(1, 42)]
            self.assertEqual(got, list(expected))

    def test_tasks_seeds_and_purposes_have_their_own_coins(self):
        firsts = {coin.draw(s, k, 1, p) for s in range(3) for k in range(3) for p in (coin.ASKING, coin.LEARNING)}
        self.assertEqual(len(firsts), 18)


class Learners(unittest.TestCase):
    def test_2_norm_is_the_perceptron(self):
        expected, got = (replay(*stream(), learner, "margin:b=1") for learner in ("perceptron", "p-norm:p=2"))
        self.assertEqual(decisions(got), decisions(expected))
        np.testing.assert_allclose(margins(got), margins(expected), rtol=1e-12, atol=1e-12)

    def test_p_norm_weights_are_the_gradient_of_half_the_squared_norm(self):
        learner = build(LEARNERS, "p-norm:p=3", TASK)
        learner.theta = stream()[0][0]
        step = 1e-6 * np.eye(DIMENSION)
        potential = lambda theta: np.sum(np.abs(theta) ** 3) ** (2 / 3) / 2
        gradient = [(potential(learner.theta + e) - potential(learner.theta - e)) / 2e-6 for e in step]
        np.testing.assert_allclose(learner.weights(), gradient, atol=1e-8)

    def test_winnow_weights_stay_in_the_simplex(self):
        for name, size in [("winnow", DIMENSION), ("winnow-balanced", 2 * DIMENSION)]:
            learner = build(LEARNERS, f"{name}:eta=0.3", TASK)
            np.testing.assert_array_equal(learner.w, np.full(size, 1 / size))
            for x, y in zip(*stream()):
                learner.update(x, y[0])
                self.assertAlmostEqual(learner.w.sum(), 1.0, places=12)
                self.assertTrue((learner.w > 0).all())

    def test_balanced_winnow_is_odd_in_x_and_winnow_need_not_be(self):
        x, y = stream()[0][0], 1
        balanced = build(LEARNERS, "winnow-balanced:eta=0.3", TASK)
        self.assertEqual(balanced.margin(x), 0.0)
        balanced.update(x, y)
        self.assertGreater(balanced.margin(x), 0.0)
        self.assertAlmostEqual(balanced.margin(x), -balanced.margin(-x), places=15)

    def test_pa_has_no_loss_after_its_update(self):
        learner = build(LEARNERS, "pa", TASK)
        for x, y in zip(*stream()):
            learner.update(x, y[0])
            self.assertGreaterEqual(y[0] * learner.margin(x), 1 - 1e-12)

    def test_pa_1_and_pa_2_tend_to_pa_as_c_grows_and_take_smaller_steps(self):
        x, y = stream()[0][0], -1
        moved = {}
        for spec in ("pa", "pa-1:C=1e9", "pa-2:C=1e9", "pa-1:C=0.01", "pa-2:C=0.01"):
            learner = build(LEARNERS, spec, TASK)
            learner.update(x, y)
            moved[spec] = learner.w
        np.testing.assert_allclose(moved["pa-1:C=1e9"], moved["pa"])
        np.testing.assert_allclose(moved["pa-2:C=1e9"], moved["pa"])
        np.testing.assert_allclose(moved["pa-1:C=0.01"], 0.01 * y * x)
        np.testing.assert_allclose(moved["pa-2:C=0.01"], y * x / (x @ x + 100))

    def test_pa_leaves_w_at_a_zero_vector(self):
        for spec in ("pa", "pa-1:C=1", "pa-2:C=1"):
            learner = build(LEARNERS, spec, TASK)
            learner.update(np.zeros(DIMENSION), -1)
            self.assertEqual(learner.w.tolist(), [0.0] * DIMENSION)
            rows = replay(np.zeros((1, DIMENSION)), np.array([[-1]]), spec, "always")
            self.assertEqual(decisions(rows), [(1, -1, 1)])

    def test_alma_stays_in_the_unit_ball(self):
        learner = build(LEARNERS, "alma:alpha=0.5", TASK)
        for x, y in zip(*unit_stream()):
            if learner.loses(learner.margin(x), y[0]):
                learner.update(x, y[0])
            self.assertLessEqual(np.linalg.norm(learner.w), 1 + 1e-12)
        self.assertGreater(learner.k, 10)

    def test_dkm_keeps_norm_one_and_reflects_the_margin(self):
        learner = build(LEARNERS, "reflect", TASK)
        instances, labels = unit_stream()
        learner.start(instances[0], labels[0, 0])
        for x, y in zip(instances[1:], labels[1:]):
            before = learner.margin(x)
            learner.update(x, y[0])
            self.assertAlmostEqual(learner.margin(x), -before, places=12)
            self.assertAlmostEqual(np.linalg.norm(learner.v), 1.0, places=12)

    def test_modified_perceptron_projects_the_margin_to_zero(self):
        learner = build(LEARNERS, "reflect:step=1", TASK)
        instances, labels = unit_stream()
        learner.start(instances[0], labels[0, 0])
        learner.update(instances[1], labels[1, 0])
        self.assertAlmostEqual(learner.margin(instances[1]), 0.0, places=14)

    def test_shifting_weighs_updates_by_their_age_when_lambda_is_one(self):
        learner = build(LEARNERS, "shifting:lambda=1", TASK)
        instances, labels = stream(20)
        for x, y in zip(instances, labels):
            learner.update(x, y[0])
        ages = np.arange(1, 21)[:, None] / 20
        np.testing.assert_allclose(learner.w, (ages * labels * instances).sum(axis=0))

    def test_budget_larger_than_the_stream_is_the_perceptron(self):
        instances, labels = stream(integers=True)
        expected = replay(instances, labels, "perceptron", "margin:b=1")
        self.assertEqual(replay(instances, labels, "budget:B=201", "margin:b=1"), expected)

    def test_budget_replaces_the_drawn_slot(self):
        learner = build(LEARNERS, "budget:B=3", Task(1, seed=5, index=2))
        for value in (1.0, 2.0, 4.0, 8.0):
            learner.update(np.array([value]), 1)
        expected = [1.0, 2.0, 4.0]
        expected[int(3 * coin.draw(5, 2, 1, coin.LEARNING))] = 8.0
        self.assertEqual([v[0] for v in learner.cache], expected)


class SecondOrder(unittest.TestCase):
    def test_the_margin_is_ridge_regression_with_the_instance_itself_labelled_0(self):
        """Azoury and Warmuth's forward regression: min a |u|^2 + sum (y_s - u.x_s)^2 + (0 - u.x)^2, then u.x."""
        instances, labels = stream(30)
        x = instances[-1]
        learner = trained("rls:a=0.7", instances[:-1], labels)
        rows = np.vstack([np.sqrt(0.7) * np.eye(DIMENSION), instances])
        targets = np.concatenate([np.zeros(DIMENSION), labels[:-1, 0], [0.0]])
        u = np.linalg.lstsq(rows, targets, rcond=None)[0]
        self.assertAlmostEqual(learner.margin(x), float(u @ x), places=12)

    def test_the_spread_divides_the_margin_and_falls_at_what_was_learned(self):
        instances, labels = stream(30)
        x = instances[-1]
        for spec, A, v, drift in [("second-order:a=0.7", "A", "v", 0.0), ("lasec:b=0.7,c=5", "D", "e", x @ x / 5)]:
            learner = trained(spec, instances[:-1], labels)
            r = learner.spread(x)
            undivided = x @ np.linalg.solve(getattr(learner, A), getattr(learner, v))
            self.assertAlmostEqual(learner.margin(x), undivided / (1 + r), places=12)
            learner.update(x, 1)
            self.assertAlmostEqual(learner.spread(x), r / (1 + r) + drift, places=12)

    def test_rls_is_the_second_order_perceptron_under_the_policy_asked(self):
        expected = replay(*stream(), "second-order:a=2", "margin:b=0.5", "asked")
        self.assertEqual(replay(*stream(), "rls:a=2", "margin:b=0.5"), expected)
        self.assertNotEqual(replay(*stream(), "second-order:a=2", "margin:b=0.5"), expected)

    def test_a_large_a_is_the_perceptron(self):
        expected = replay(*stream(), "perceptron", "always")
        for spec in ("second-order:a=1e9", "second-order-diagonal:a=1e9"):
            got = replay(*stream(), spec, "always")
            self.assertEqual(decisions(got), decisions(expected))
            np.testing.assert_allclose(1e9 * margins(got), margins(expected), rtol=1e-4, atol=1e-5)

    def test_the_form_changes_nothing(self):
        for name in ("second-order", "rls", "lasec", "arow"):
            expected = replay(*stream(), name, "margin:b=0.5")
            for form in ("auto", "primal", "dual"):
                self.assertEqual(replay(*stream(), f"{name}:form={form}", "margin:b=0.5"), expected)

    def test_lasec_minimises_its_objective(self):
        """Moroshko and Crammer, (1): min over u_1, ..., u_T of b |u_1|^2 + c sum |u_{s+1} - u_s|^2 +
        sum (y_s - u_s.x_s)^2, with y_T = 0, solved as one large least squares problem."""
        b, c, T = 0.7, 3.0, 12
        instances, labels = stream(T)
        learner = trained(f"lasec:b={b},c={c}", instances[:-1], labels)
        start = np.sqrt(b) * np.eye(1, T)
        drift = np.sqrt(c) * (np.eye(T - 1, T, 1) - np.eye(T - 1, T))
        fit = np.array([np.kron(np.eye(1, T, s)[0], x) for s, x in enumerate(instances)])
        system = np.vstack([np.kron(np.vstack([start, drift]), np.eye(DIMENSION)), fit])
        targets = np.concatenate([np.zeros(T * DIMENSION), labels[:-1, 0], [0.0]])
        u = np.linalg.lstsq(system, targets, rcond=None)[0][-DIMENSION:]
        self.assertAlmostEqual(learner.margin(instances[-1]), float(u @ instances[-1]), places=11)

    def test_lasec_without_drift_is_the_second_order_perceptron(self):
        expected = replay(*stream(), "second-order:a=0.5", "margin:b=0.5")
        got = replay(*stream(), "lasec:b=0.5,c=1e12", "margin:b=0.5")
        self.assertEqual(decisions(got), decisions(expected))
        np.testing.assert_allclose(margins(got), margins(expected), rtol=1e-6, atol=1e-9)

    def test_lasec_needs_b_below_c(self):
        for spec in ("lasec:b=3,c=2", "kernel-lasec:b=3,c=2", "lasec:b=0"):
            with self.assertRaises(ValueError):
                build(LEARNERS, spec, TASK)

    def test_arow_has_a_closed_form(self):
        """Its loss is (1 - y m)^2 = (y - m)^2 where it learns: S^-1 = I + sum x x'/r, mu = S sum y x/r."""
        learner = build(LEARNERS, "arow:r=0.7", TASK)
        inverse, moment, updates = np.eye(DIMENSION), np.zeros(DIMENSION), 0
        for x, y in zip(*stream()):
            if learner.loses(learner.margin(x), y[0]):
                learner.update(x, y[0])
                inverse, moment, updates = inverse + np.outer(x, x) / 0.7, moment + y[0] * x / 0.7, updates + 1
        self.assertTrue(20 < updates < 200, updates)
        np.testing.assert_allclose(learner.S, np.linalg.inv(inverse), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(learner.mu, np.linalg.solve(inverse, moment), rtol=1e-9)
        self.assertAlmostEqual(learner.spread(x), x @ np.linalg.solve(inverse, x) / 0.7, places=12)

    def test_arow_learns_nothing_without_a_loss(self):
        for name in ("arow", "arow-diagonal"):
            learner = trained(name, *stream(50))
            x = 9 * stream(51)[0][-1]
            y = 1 if learner.margin(x) > 0 else -1
            self.assertGreater(y * learner.margin(x), 1)
            before = learner.mu.tolist(), learner.S.tolist()
            learner.update(x, y)
            self.assertEqual((learner.mu.tolist(), learner.S.tolist()), before)

    def test_diagonal_forms_are_the_full_ones_on_axes_only(self):
        instances, labels = stream()
        axes = np.eye(DIMENSION)[np.arange(len(instances)) % DIMENSION] * instances[:, :1]
        for full, diagonal in [("second-order", "second-order-diagonal"), ("arow", "arow-diagonal")]:
            expected = replay(axes, labels, full, "variance:kappa=0.9")
            self.assertTrue(20 < sum(row.asked for row in expected) < 180)
            assert_equal_rows(self, replay(axes, labels, diagonal, "variance:kappa=0.9"), expected)
            self.assertNotEqual(decisions(replay(instances, labels, diagonal, "always")),
                                decisions(replay(instances, labels, full, "always")))

    def test_diagonal_forms_keep_the_diagonal_as_printed(self):
        x, z, y = np.array([1.0, 2.0]), np.array([3.0, -1.0]), 1
        learner = build(LEARNERS, "second-order-diagonal:a=2", Task(2))
        learner.update(x, y)
        r = 9 / 3 + 1 / 6
        self.assertAlmostEqual(learner.spread(z), r)
        self.assertAlmostEqual(learner.margin(z), (3 / 3 - 2 / 6) / (1 + r))
        learner = build(LEARNERS, "arow-diagonal:r=3", Task(2))
        learner.update(x, y)  # beta = 1/8
        self.assertEqual(learner.S.tolist(), [[7 / 8, 0.0], [0.0, 1 / 2]])
        self.assertEqual(learner.mu.tolist(), [1 / 8, 1 / 4])
        self.assertAlmostEqual(learner.spread(z), (9 * 7 / 8 + 1 / 2) / 3)


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

    def test_linear_kernels_are_the_primal_learners(self):
        for spec in self.PAIRS:
            instances, labels = unit_stream() if spec.startswith("alma") else stream()
            self.assert_kernel_is_primal(spec, "kernel=linear", instances, instances, labels)

    def test_polynomial_kernels_are_the_primal_learners_on_products_of_features(self):
        instances, labels = stream()
        instances = instances[:, :3]
        products = (instances[:, :, None] * instances[:, None, :]).reshape(len(instances), -1)
        mapped = np.hstack([products, np.sqrt(2 * 0.5) * instances, np.full((len(instances), 1), 0.5)])
        for spec in self.PAIRS:
            if not spec.startswith("alma"):  # these features have no norm 1
                self.assert_kernel_is_primal(spec, "kernel=polynomial,degree=2,offset=0.5", instances, mapped, labels)

    def test_kernels_by_hand(self):
        x, z = np.array([1.0, 2.0]), np.array([4.0, -2.0])
        for params, expected in [("kernel=linear", 0.0), ("kernel=polynomial", 1.0), ("gamma=0.1", np.exp(-2.5)),
                                 ("kernel=polynomial,degree=2,offset=3", 9.0), ("kernel=rbf", np.exp(-25))]:
            learner = build(LEARNERS, "kernel-perceptron:" + params, Task(2))
            self.assertAlmostEqual(learner.K(x, z), expected, places=15)
            learner.update(x, -1)
            self.assertAlmostEqual(learner.margin(z), -expected, places=15)
        with self.assertRaises(ValueError):
            build(LEARNERS, "kernel-perceptron:kernel=cosine", Task(2))

    def test_precision_changes_nothing(self):
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

    def test_kernel_alma_refuses_a_kernel_that_is_not_1(self):
        for kernel in ("linear", "polynomial"):
            with self.assertRaises(ValueError):
                build(LEARNERS, f"kernel-alma:kernel={kernel}", Task(2)).margin(np.array([1.0, 1.0]))

    def test_kernel_budget_draws_like_the_budget(self):
        instances, labels = stream(integers=True)
        expected = replay(instances, labels, "budget:B=7", "margin:b=1", seed=3)
        self.assertEqual(replay(instances, labels, "kernel-budget:B=7,kernel=linear", "margin:b=1", seed=3), expected)

    def test_kernel_spread_is_never_negative_and_falls_to_that_of_a_known_instance(self):
        instances, labels = stream(40)
        learner = trained("kernel-second-order:a=0.5,gamma=0.1", instances, labels)
        known, unknown = learner.spread(instances[0]), learner.spread(np.full(DIMENSION, 100.0))
        self.assertTrue(0 < known <= 2 / 3, known)  # r / (1 + r), r <= K(x, x) / a = 2 of before
        self.assertAlmostEqual(unknown, 1 / 0.5)


class Budgets(unittest.TestCase):
    def test_forgetron_within_its_budget_is_the_kernel_perceptron(self):
        expected = replay(*stream(), "kernel-perceptron:gamma=0.1", "margin:b=1")
        self.assertEqual(replay(*stream(), "forgetron:B=201,gamma=0.1", "margin:b=1"), expected)

    def test_forgetron_shrinks_no_more_than_it_must(self):
        """Q <= 15/32 M at all times, and where phi < 1 the limit is reached."""
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

    def test_forgetron_by_hand(self):
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

    def test_projectron_of_small_eta_is_the_kernel_perceptron(self):
        expected = replay(*stream(), "kernel-perceptron:gamma=0.3", "margin:b=1")
        assert_equal_rows(self, replay(*stream(), "projectron:eta=1e-4,gamma=0.3", "margin:b=1"), expected)

    def test_projectron_loses_nothing_in_the_span_of_its_supports(self):
        expected = replay(*stream(), "perceptron", "margin:b=1")
        assert_equal_rows(self, replay(*stream(), "projectron:eta=1e-6,kernel=linear", "margin:b=1"), expected)
        learner = trained("projectron:eta=1e-6,kernel=linear", *stream())
        self.assertEqual(len(learner.X), DIMENSION)

    def test_projectron_keeps_the_values_at_its_supports(self):
        learner = build(LEARNERS, "projectron:eta=0.5,gamma=0.05", TASK)
        projected = 0
        for x, y in zip(*stream(80)):
            before, supports = learner.G @ learner.w, len(learner.X)
            learner.update(x, y[0])
            if len(learner.X) == supports:
                projected += 1
                np.testing.assert_allclose(learner.G @ learner.w, before + y[0] * learner.k(x), atol=1e-9)
        self.assertTrue(5 < projected < 75, projected)

    def test_projectron_stores_what_is_far_from_its_supports(self):
        x, z = np.array([1.0, 0.0]), np.array([0.6, 0.8])  # delta^2 = 1 - 0.36, the distance of z from the line of x
        for eta, supports in [(0.799, 2), (0.801, 1), (1.0, 0)]:
            learner = build(LEARNERS, f"projectron:eta={eta},kernel=linear", Task(2))
            learner.update(x, 1)
            learner.update(z, 1)
            self.assertEqual(len(learner.X), supports)
            self.assertAlmostEqual(learner.margin(x), [0.0, 1.6, 1.6][supports])


class Starting(unittest.TestCase):
    def test_reflect_starts_at_the_first_instance_that_is_not_zero(self):
        instances = np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
        labels = np.array([[1], [-1], [-1], [1]])
        rows = replay(instances, labels, "reflect", "random:q=0")
        self.assertEqual([row.margin for row in rows], [0.0, 0.0, -1.0, 0.0])
        self.assertEqual(decisions(rows), [(1, -1, 0), (1, -1, 0), (0, -1, 0), (0, -1, 0)])

    def test_no_rule_observes_the_start(self):
        instances = np.array([[1.0], [1.0], [1.0]])
        rows = replay(instances, np.array([[1], [1], [1]]), "reflect", "halving:R=1,s=1")
        self.assertEqual([row.probability for row in rows], [1.0, 1.0, 0.0])


class Rules(unittest.TestCase):
    def test_margin_with_a_huge_b_is_always(self):
        expected = replay(*stream(), "perceptron", "always")
        got = replay(*stream(), "perceptron", "margin:b=1e300")
        self.assertEqual(decisions(got), decisions(expected))
        self.assertEqual(margins(got).tolist(), margins(expected).tolist())

    def test_margin_follows_figure_1(self):
        rule = build(RULES, "margin:b=3", TASK)
        self.assertEqual([rule.probability(1, Score(m)) for m in (0.0, 1.0, -9.0)], [1.0, 0.75, 0.25])

    def test_a_label_is_asked_below_the_probability_only(self):
        for flip, asked in [(0.0, 1), (0.4999, 1), (0.5, 0), (0.75, 0)]:
            sampler = Sampler("perceptron", "random:q=0.5", None, TASK)
            self.assertEqual(sampler.play(1, np.ones(DIMENSION), 1, flip).asked, asked)

    def test_asked_labels_agree_with_the_sum_of_probabilities(self):
        instances, labels = stream(2000)
        rows = replay(instances, np.repeat(labels, 5, axis=1), "perceptron", "margin:b=1")
        p = np.array([row.probability for row in rows])
        asked = sum(row.asked for row in rows)
        self.assertLess(abs(asked - p.sum()), 4 * np.sqrt((p * (1 - p)).sum()))

    def test_adaptive_follows_figure_2(self):
        rule = build(RULES, "adaptive:beta=2", TASK)
        zero, three = 0.0, 3.0
        self.assertEqual(rule.probability(1, Score(0.0, zero)), 1.0)
        rule.observe(Score(0.0, three), mistake=False, updated=False)
        self.assertEqual(rule.probability(2, Score(1.0, zero)), 0.0)
        self.assertAlmostEqual(rule.probability(2, Score(6.0, three)), 18 / 24)
        rule.observe(Score(0.0, three), mistake=True, updated=True)
        b = 18 * np.sqrt(2)
        self.assertAlmostEqual(rule.probability(3, Score(6.0, zero)), b / (b + 6))

    def test_halving_follows_figure_1(self):
        rule = build(RULES, "halving:R=2", TASK)
        for mistake, threshold in [(False, 1), (True, 1), (False, 1), (False, 0.5), (False, 0.5), (False, 0.25)]:
            rule.observe(Score(0.0), mistake, updated=mistake)
            self.assertEqual(rule.s, threshold)
        self.assertEqual(rule.probability(9, Score(-0.25)), 1.0)
        self.assertEqual(rule.probability(9, Score(0.2500001)), 0.0)

    def test_log_threshold_asks_at_small_margins(self):
        rule = build(RULES, "log-threshold:c=2", TASK)
        norm = 3.0
        self.assertEqual(rule.probability(10, Score(1e9, norm)), 1.0)
        for updated in (True, False, True, True):
            rule.observe(Score(0.0, norm), False, updated)
        edge = 3 * np.sqrt(2 * np.log(10) / 3)
        self.assertEqual(rule.probability(10, Score(edge * 0.999, norm)), 1.0)
        self.assertEqual(rule.probability(10, Score(edge * 1.001, norm)), 0.0)

    def test_next_label_asks_one_round_late(self):
        rule = build(RULES, "log-threshold:c=1,next=1", TASK)
        norm = 1.0
        rule.decided(2, Score(0.0, norm))
        rule.observe(Score(0.0, norm), True, True)
        self.assertEqual(rule.probability(3, Score(0.0, norm)), 0.0)
        rule.decided(3, Score(0.0, norm))
        self.assertEqual(rule.probability(4, Score(9.0, norm)), 1.0)
        rule.decided(4, Score(9.0, norm))
        self.assertEqual(rule.probability(5, Score(0.0, norm)), 0.0)

    def test_transient_asks_while_few_are_stored(self):
        rule = build(RULES, "log-threshold:c=1,lambda=8", TASK)
        norm = 1.0
        for stored, probability in [(1, 1.0), (2, 1.0), (3, 0.0)]:
            rule.N = stored
            self.assertEqual(rule.probability(5, Score(9.0, norm)), probability)


    def test_variance_follows_the_spread_alone(self):
        rule = build(RULES, "variance:kappa=0.5", TASK)
        for t, spread, probability in [(1, 1e9, 0.0), (4, 1.0, 0.0), (4, 1.1, 1.0), (100, 0.1, 0.0), (100, 0.2, 1.0)]:
            for margin in (0.0, 5.0):
                self.assertEqual(rule.probability(t, Score(margin, spread=spread)), probability)
        rule = build(RULES, "variance:kappa=2", TASK)
        self.assertEqual([rule.probability(3, Score(0.0, spread=r)) for r in (0.12, 0.13)], [0.0, 1.0])  # 1/9

    def test_variance_with_rls_does_not_depend_on_labels(self):
        """Cesa-Bianchi, Gentile and Orabona (2009): its queries are decided by the instances."""
        instances, labels = stream()
        flipped = np.where(np.arange(len(labels))[:, None] % 3 == 0, -labels, labels)
        got, expected = (replay(instances, y, "rls", "variance:kappa=0.5") for y in (labels, flipped))
        self.assertEqual([row.asked for row in got], [row.asked for row in expected])
        self.assertTrue(10 < sum(row.asked for row in got) < 190)
        self.assertNotEqual(decisions(got), decisions(expected))

    def test_dgs_by_hand(self):
        rule = build(RULES, "dgs:alpha=0.1,delta=0.2", TASK)
        for asked in ([], [1.0, 3.0]):
            for spread in asked:
                rule.observe(Score(0.0, spread=spread), False, False)
            edge = np.sqrt(0.1 * 2.0 * (4 * (0.5 + 0.75) * bool(asked) + 36 * np.log(7 / 0.2)) * np.log(7))
            self.assertEqual(rule.probability(7, Score(-0.999 * edge, spread=2.0)), 1.0)
            self.assertEqual(rule.probability(7, Score(1.001 * edge, spread=2.0)), 0.0)
        self.assertEqual(rule.probability(1, Score(0.0, spread=1.0)), 1.0)
        self.assertEqual(rule.probability(1, Score(1e-9, spread=1.0)), 0.0)

    def test_dgs_sums_over_asked_rounds_before_they_are_learned(self):
        sampler = Sampler("rls:a=1", "dgs:alpha=1e-9", None, Task(1))
        x = np.array([2.0])
        rows = [sampler.play(t, x, 1, 0.5) for t in (1, 2)]
        self.assertEqual([row.asked for row in rows], [1, 0])
        self.assertAlmostEqual(sampler.rule.sum, 4 / 5)  # r = 4 / 1

    def test_rules_of_the_spread_need_one(self):
        for rule in ("variance", "dgs"):
            for learner in ("perceptron", "pa", "kernel-perceptron"):
                with self.assertRaises(ValueError):
                    Sampler(learner, rule, None, TASK)


class Specs(unittest.TestCase):
    def test_values_are_numbers_where_they_can_be(self):
        params = {}
        build({"name": lambda task, **given: params.update(given)}, "name:a=1e-3,form=dual,lambda=2", TASK)
        self.assertEqual(params, {"a": 0.001, "form": "dual", "lambda_": 2.0})


class Policies(unittest.TestCase):
    def test_updates_follow_the_policy(self):
        for policy, wanted in [("mistake", lambda row: row.prediction != row.label), ("asked", lambda row: True),
                               ("margin", lambda row: row.label * row.margin < 1)]:
            rows = replay(*stream(), "pa-1:C=0.1", "random:q=0.7", policy)
            for row in rows:
                self.assertEqual(row.updated, int(row.asked and wanted(row)))

    def test_margin_policy_needs_a_loss(self):
        with self.assertRaises(ValueError):
            replay(*stream(), "perceptron", "always", "margin")

    def test_unit_norms_are_required_where_the_paper_does(self):
        for learner in ("reflect", "alma:alpha=0.5"):
            with self.assertRaises(ValueError):
                replay(*stream(), learner, "always")


class Svmlight(unittest.TestCase):
    def read(self, content, **options):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.svm")
            with open(path, "wb") as file:
                file.write(content)
            instances, labels = svmlight.read(path, **options)
            return instances.tolist(), labels.tolist()

    def test_binary_labels_comments_and_empty_instances(self):
        content = b"# head\n+1 1:0.5 3:-2 # note\n\n0\n-1 2:1e1\n1 1:0\n"
        expected = [[0.5, 0, -2], [0, 0, 0], [0, 10, 0], [0, 0, 0]], [[1], [-1], [-1], [1]]
        self.assertEqual(self.read(content), expected)
        self.assertEqual(self.read(gzip.compress(content)), expected)

    def test_many_labels_make_tasks(self):
        content = b"3,17 1:1\n 1:2\n0 1:3\n"
        self.assertEqual(self.read(content, labels=[17, 0, 3]), ([[1], [2], [3]], [[1, -1, 1], [-1] * 3, [-1, 1, -1]]))
        self.assertEqual(self.read(content, positive=[0, 3])[1], [[1], [-1], [1]])

    def test_normalize_keeps_zero_vectors(self):
        self.assertEqual(self.read(b"1 1:3 2:4\n0\n", normalize=True)[0], [[0.6, 0.8], [0, 0]])

    def test_bad_lines_are_refused(self):
        for content in (b"2 1:1\n", b"1 0:1\n", b" 1:1\n", b"1 3:1:2\n"):
            with self.assertRaises(ValueError):
                self.read(content)


if __name__ == "__main__":
    unittest.main()
