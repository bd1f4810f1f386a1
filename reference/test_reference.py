"""Self-checks of the reference: equivalences and invariants that the papers state, and small cases worked by hand."""

import gzip
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from reference import coin, svmlight  # noqa: E402  (sets how numpy is loaded)
import numpy as np  # noqa: E402
from reference.learners import LEARNERS  # noqa: E402
from reference.replay import replay  # noqa: E402
from reference.rules import RULES  # noqa: E402
from reference.rules.rule import Query, Score  # noqa: E402
from reference.sampler import Sampler, build  # noqa: E402
from reference.task import Task  # noqa: E402
from reference.trials import DIMENSION, TASK, decisions, margins, stream, unit_stream  # noqa: E402


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
    def test_p_norm_with_p_2_equals_the_perceptron(self):
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

    def test_the_margin_of_balanced_winnow_is_odd_in_x(self):
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

    def test_pa_does_not_change_w_at_a_zero_vector(self):
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

    def test_shifting_with_lambda_1_weighs_updates_by_their_age(self):
        learner = build(LEARNERS, "shifting:lambda=1", TASK)
        instances, labels = stream(20)
        for x, y in zip(instances, labels):
            learner.update(x, y[0])
        ages = np.arange(1, 21)[:, None] / 20
        np.testing.assert_allclose(learner.w, (ages * labels * instances).sum(axis=0))

    def test_a_budget_larger_than_the_stream_equals_the_perceptron(self):
        instances, labels = stream(integers=True)
        expected = replay(instances, labels, "perceptron", "margin:b=1")
        self.assertEqual(replay(instances, labels, "budget:B=201", "margin:b=1"), expected)

    def test_budget_replaces_the_support_that_was_drawn(self):
        learner = build(LEARNERS, "budget:B=3", Task(1, seed=5, index=2))
        for value in (1.0, 2.0, 4.0, 8.0):
            learner.update(np.array([value]), 1)
        expected = [1.0, 2.0, 4.0]
        expected[int(3 * coin.draw(5, 2, 1, coin.LEARNING))] = 8.0
        self.assertEqual([v[0] for v in learner.cache], expected)


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
    def test_margin_with_a_huge_b_asks_for_every_label(self):
        expected = replay(*stream(), "perceptron", "always")
        got = replay(*stream(), "perceptron", "margin:b=1e300")
        self.assertEqual(decisions(got), decisions(expected))
        self.assertEqual(margins(got).tolist(), margins(expected).tolist())

    def test_margin_follows_figure_1(self):
        rule = build(RULES, "margin:b=3", TASK)
        self.assertEqual([rule.probability(1, Score(m)) for m in (0.0, 1.0, -9.0)], [1.0, 0.75, 0.25])

    def test_a_label_is_asked_only_if_the_coin_is_below_the_probability(self):
        for flip, asked in [(0.0, 1), (0.4999, 1), (0.5, 0), (0.75, 0)]:
            sampler = Sampler("perceptron", "random:q=0.5", None, TASK)
            self.assertEqual(sampler.play(1, np.ones(DIMENSION), 1, flip).asked, asked)

    def test_the_number_of_asked_labels_agrees_with_the_sum_of_probabilities(self):
        instances, labels = stream(2000)
        rows = replay(instances, np.repeat(labels, 5, axis=1), "perceptron", "margin:b=1")
        p = np.array([row.probability for row in rows])
        asked = sum(row.asked for row in rows)
        self.assertLess(abs(asked - p.sum()), 4 * np.sqrt((p * (1 - p)).sum()))

    def test_adaptive_follows_figure_2(self):
        rule = build(RULES, "adaptive:beta=2", TASK)
        zero, three = 0.0, 3.0
        self.assertEqual(rule.probability(1, Score(0.0, zero)), 1.0)
        rule.observe(Query(Score(0.0, three)), mistake=False, updated=False)
        self.assertEqual(rule.probability(2, Score(1.0, zero)), 0.0)
        self.assertAlmostEqual(rule.probability(2, Score(6.0, three)), 18 / 24)
        rule.observe(Query(Score(0.0, three)), mistake=True, updated=True)
        b = 18 * np.sqrt(2)
        self.assertAlmostEqual(rule.probability(3, Score(6.0, zero)), b / (b + 6))

    def test_halving_follows_figure_1(self):
        rule = build(RULES, "halving:R=2", TASK)
        for mistake, threshold in [(False, 1), (True, 1), (False, 1), (False, 0.5), (False, 0.5), (False, 0.25)]:
            rule.observe(Query(Score(0.0)), mistake, updated=mistake)
            self.assertEqual(rule.s, threshold)
        self.assertEqual(rule.probability(9, Score(-0.25)), 1.0)
        self.assertEqual(rule.probability(9, Score(0.2500001)), 0.0)

    def test_log_threshold_asks_at_small_margins(self):
        rule = build(RULES, "log-threshold:c=2", TASK)
        norm = 3.0
        self.assertEqual(rule.probability(10, Score(1e9, norm)), 1.0)
        for updated in (True, False, True, True):
            rule.observe(Query(Score(0.0, norm)), False, updated)
        edge = 3 * np.sqrt(2 * np.log(10) / 3)
        self.assertEqual(rule.probability(10, Score(edge * 0.999, norm)), 1.0)
        self.assertEqual(rule.probability(10, Score(edge * 1.001, norm)), 0.0)

    def test_log_threshold_with_next_1_asks_one_round_later(self):
        rule = build(RULES, "log-threshold:c=1,next=1", TASK)
        norm = 1.0
        rule.decided(2, Score(0.0, norm))
        rule.observe(Query(Score(0.0, norm)), True, True)
        self.assertEqual(rule.probability(3, Score(0.0, norm)), 0.0)
        rule.decided(3, Score(0.0, norm))
        self.assertEqual(rule.probability(4, Score(9.0, norm)), 1.0)
        rule.decided(4, Score(9.0, norm))
        self.assertEqual(rule.probability(5, Score(0.0, norm)), 0.0)

    def test_the_transient_asks_while_few_examples_are_stored(self):
        rule = build(RULES, "log-threshold:c=1,lambda=8", TASK)
        norm = 1.0
        for stored, probability in [(1, 1.0), (2, 1.0), (3, 0.0)]:
            rule.N = stored
            self.assertEqual(rule.probability(5, Score(9.0, norm)), probability)


    def test_variance_depends_on_the_spread_and_not_on_the_margin(self):
        rule = build(RULES, "variance:kappa=0.5", TASK)
        for t, spread, probability in [(1, 1e9, 0.0), (4, 1.0, 0.0), (4, 1.1, 1.0), (100, 0.1, 0.0), (100, 0.2, 1.0)]:
            for margin in (0.0, 5.0):
                self.assertEqual(rule.probability(t, Score(margin, spread=spread)), probability)
        rule = build(RULES, "variance:kappa=2", TASK)
        self.assertEqual([rule.probability(3, Score(0.0, spread=r)) for r in (0.12, 0.13)], [0.0, 1.0])  # 1/9

    def test_the_questions_of_variance_with_rls_do_not_depend_on_labels(self):
        """Cesa-Bianchi, Gentile and Orabona (2009): the instances alone decide the queries."""
        instances, labels = stream()
        flipped = np.where(np.arange(len(labels))[:, None] % 3 == 0, -labels, labels)
        got, expected = (replay(instances, y, "rls", "variance:kappa=0.5") for y in (labels, flipped))
        self.assertEqual([row.asked for row in got], [row.asked for row in expected])
        self.assertTrue(10 < sum(row.asked for row in got) < 190)
        self.assertNotEqual(decisions(got), decisions(expected))

    def test_dgs_asks_up_to_the_threshold_computed_by_hand(self):
        rule = build(RULES, "dgs:alpha=0.1,delta=0.2", TASK)
        for asked in ([], [1.0, 3.0]):
            for spread in asked:
                rule.observe(Query(Score(0.0, spread=spread)), False, False)
            edge = np.sqrt(0.1 * 2.0 * (4 * (0.5 + 0.75) * bool(asked) + 36 * np.log(7 / 0.2)) * np.log(7))
            self.assertEqual(rule.probability(7, Score(-0.999 * edge, spread=2.0)), 1.0)
            self.assertEqual(rule.probability(7, Score(1.001 * edge, spread=2.0)), 0.0)
        self.assertEqual(rule.probability(1, Score(0.0, spread=1.0)), 1.0)
        self.assertEqual(rule.probability(1, Score(1e-9, spread=1.0)), 0.0)

    def test_dgs_adds_the_spread_from_before_the_update(self):
        sampler = Sampler("rls:a=1", "dgs:alpha=1e-9", None, Task(1))
        x = np.array([2.0])
        rows = [sampler.play(t, x, 1, 0.5) for t in (1, 2)]
        self.assertEqual([row.asked for row in rows], [1, 0])
        self.assertAlmostEqual(sampler.rule.sum, 4 / 5)  # r = 4 / 1

    def test_rules_that_use_the_spread_refuse_learners_without_a_spread(self):
        for rule in ("variance", "dgs"):
            for learner in ("perceptron", "pa", "kernel-perceptron"):
                with self.assertRaises(ValueError):
                    Sampler(learner, rule, None, TASK)


class Specs(unittest.TestCase):
    def test_values_are_numbers_if_they_can_be_read_as_numbers(self):
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

    def test_the_policy_margin_refuses_learners_without_a_loss(self):
        with self.assertRaises(ValueError):
            replay(*stream(), "perceptron", "always", "margin")

    def test_learners_that_need_unit_norms_refuse_other_norms(self):
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

    def test_binary_labels_comments_and_empty_instances_are_read(self):
        content = b"# head\n+1 1:0.5 3:-2 # note\n\n0\n-1 2:1e1\n1 1:0\n"
        expected = [[0.5, 0, -2], [0, 0, 0], [0, 10, 0], [0, 0, 0]], [[1], [-1], [-1], [1]]
        self.assertEqual(self.read(content), expected)
        self.assertEqual(self.read(gzip.compress(content)), expected)

    def test_each_named_label_makes_a_task(self):
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
