"""Self-checks of the second-order learners: closed forms, equivalences, small cases worked by hand."""

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
from reference.trials import DIMENSION, TASK, assert_equal_rows, decisions, margins, stream, trained  # noqa: E402


class SecondOrder(unittest.TestCase):
    def test_the_margin_equals_ridge_regression_with_the_instance_itself_labelled_0(self):
        """Azoury and Warmuth's forward regression: min a |u|^2 + sum (y_s - u.x_s)^2 + (0 - u.x)^2, then u.x."""
        instances, labels = stream(30)
        x = instances[-1]
        learner = trained("rls:a=0.7", instances[:-1], labels)
        rows = np.vstack([np.sqrt(0.7) * np.eye(DIMENSION), instances])
        targets = np.concatenate([np.zeros(DIMENSION), labels[:-1, 0], [0.0]])
        u = np.linalg.lstsq(rows, targets, rcond=None)[0]
        self.assertAlmostEqual(learner.margin(x), float(u @ x), places=12)

    def test_the_margin_is_divided_by_1_plus_the_spread_which_falls_after_an_update(self):
        instances, labels = stream(30)
        x = instances[-1]
        for spec, A, v, drift in [("second-order:a=0.7", "A", "v", 0.0), ("lasec:b=0.7,c=5", "D", "e", x @ x / 5)]:
            learner = trained(spec, instances[:-1], labels)
            r = learner.spread(x)
            undivided = x @ np.linalg.solve(getattr(learner, A), getattr(learner, v))
            self.assertAlmostEqual(learner.margin(x), undivided / (1 + r), places=12)
            learner.update(x, 1)
            self.assertAlmostEqual(learner.spread(x), r / (1 + r) + drift, places=12)

    def test_rls_equals_the_second_order_perceptron_with_the_policy_asked(self):
        expected = replay(*stream(), "second-order:a=2", "margin:b=0.5", "asked")
        self.assertEqual(replay(*stream(), "rls:a=2", "margin:b=0.5"), expected)
        self.assertNotEqual(replay(*stream(), "second-order:a=2", "margin:b=0.5"), expected)

    def test_second_order_with_a_large_a_equals_the_perceptron(self):
        expected = replay(*stream(), "perceptron", "always")
        for spec in ("second-order:a=1e9", "second-order-diagonal:a=1e9"):
            got = replay(*stream(), spec, "always")
            self.assertEqual(decisions(got), decisions(expected))
            np.testing.assert_allclose(1e9 * margins(got), margins(expected), rtol=1e-4, atol=1e-5)

    def test_the_parameter_form_changes_nothing(self):
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

    def test_lasec_without_drift_equals_the_second_order_perceptron(self):
        expected = replay(*stream(), "second-order:a=0.5", "margin:b=0.5")
        got = replay(*stream(), "lasec:b=0.5,c=1e12", "margin:b=0.5")
        self.assertEqual(decisions(got), decisions(expected))
        np.testing.assert_allclose(margins(got), margins(expected), rtol=1e-6, atol=1e-9)

    def test_lasec_needs_b_below_c(self):
        for spec in ("lasec:b=3,c=2", "kernel-lasec:b=3,c=2", "lasec:b=0"):
            with self.assertRaises(ValueError):
                build(LEARNERS, spec, TASK)

    def test_arow_equals_its_closed_form(self):
        """Where AROW updates, its loss is (1 - y m)^2 = (y - m)^2: S^-1 = I + sum x x'/r, mu = S sum y x/r."""
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

    def test_diagonal_forms_equal_the_full_forms_only_on_instances_along_axes(self):
        instances, labels = stream()
        axes = np.eye(DIMENSION)[np.arange(len(instances)) % DIMENSION] * instances[:, :1]
        for full, diagonal in [("second-order", "second-order-diagonal"), ("arow", "arow-diagonal")]:
            expected = replay(axes, labels, full, "variance:kappa=0.9")
            self.assertTrue(20 < sum(row.asked for row in expected) < 180)
            assert_equal_rows(self, replay(axes, labels, diagonal, "variance:kappa=0.9"), expected)
            self.assertNotEqual(decisions(replay(instances, labels, diagonal, "always")),
                                decisions(replay(instances, labels, full, "always")))

    def test_diagonal_forms_equal_cases_computed_by_hand(self):
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


if __name__ == "__main__":
    unittest.main()
