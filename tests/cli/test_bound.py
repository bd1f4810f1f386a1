"""askfew bound and askfew run --final: what theory promises, compared with what happened."""

import json
import math
import unittest

import numpy as np

from harness import CliTest, text, topic_lines

DELTA = 0.05


def separable_lines(rounds=300, dimension=6, gap=0.3, seed=4):
    """Unit vectors that a hyperplane separates with a margin."""
    rng = np.random.default_rng(seed)
    teacher = rng.normal(size=dimension)
    teacher /= np.linalg.norm(teacher)
    lines = []
    while len(lines) < rounds:
        x = rng.normal(size=dimension)
        x /= np.linalg.norm(x)
        if abs(x @ teacher) > gap:
            lines.append(("+1" if x @ teacher > 0 else "-1", x))
    return lines


def svmlight(lines):
    return text(f"{label} " + " ".join(f"{i + 1}:{value!r}" for i, value in enumerate(map(float, x))) for label, x in lines)


def noisy_lines(rounds=400, dimension=8, seed=6, noise=0.1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rounds, dimension))
    y = np.where((x @ rng.normal(size=dimension) > 0) ^ (rng.random(rounds) < noise), "+1", "-1")
    return list(zip(y, x))


def largest_risk(share, limit):
    """The largest p whose divergence from the share is at most the limit, by bisection."""
    def kl(p):
        return sum(part * math.log(part / of) for part, of in ((share, p), (1 - share, 1 - p)) if part > 0)

    low, high = share, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < 1 and kl(middle) <= limit else (low, middle)
    return high


class Bound(CliTest):
    def bounds(self, *arguments):
        return json.loads(self.ok("bound", *arguments, "--json", "-").out)

    def test_mistakes_and_labels_equal_those_of_the_runs(self):
        self.write("data.svm", svmlight(noisy_lines()))
        result = self.bounds("data.svm", "-s", "sel-p:b=0.3", "--seeds", "4", "--seed", "7")
        task, = result["tasks"]
        runs = [self.report("data.svm", "-s", "sel-p:b=0.3", "--seed", str(seed))["macro"] for seed in range(7, 11)]
        for key in ("mistakes", "asked", "expected_asked"):
            values = [run[key] for run in runs]
            self.assertAlmostEqual(task[key]["mean"], np.mean(values), places=9)
            self.assertAlmostEqual(task[key]["standard_error"], np.std(values, ddof=1) / 2, places=9)
        self.assertEqual((result["seed"], result["seeds"], result["svm_c"]), (7, 4, 1))
        theorem, = task["theorems"]
        self.assertEqual((theorem["theorem"], theorem["promise"]), ("2006, Theorem 1", "E[mistakes]"))
        self.assertTrue(theorem["applies"])
        self.assertLess(task["mistakes"]["mean"], theorem["bound"])
        self.assertLess(theorem["bound"], theorem["bound_over_all_rounds"])
        self.assertGreater(theorem["standard_error"], 0)
        out = self.ok("bound", "data.svm", "-s", "sel-p:b=0.3", "--seeds", "4", "--seed", "7").out
        self.assertRegex(out, r"(?m)^theorem +promises +all rounds +on updates +observed +ratio +gamma$")
        self.assertRegex(out, r"(?m)^2006, Theorem 1 +E\[mistakes\] +[\d.]+ +[\d.]+ \+- [\d.]+ +[\d.]+ \+- [\d.]+ +[\d.]+ ")

    def test_the_error_bar_of_a_bound_is_the_jackknife_over_runs(self):
        self.write("data.svm", svmlight(noisy_lines()))
        def bound(*seeds):
            return self.bounds("data.svm", "-s", "sel-p:b=0.3", "--seeds", str(len(seeds)), "--seed",
                               str(seeds[0]))["tasks"][0]["theorems"][0]
        both = bound(7, 8)
        alone = [bound(7)["bound"], bound(8)["bound"]]
        self.assertAlmostEqual(both["standard_error"], abs(alone[0] - alone[1]) / 2, places=6)
        self.assertEqual(bound(7)["standard_error"], 0)

    def test_the_comparator_is_a_support_vector_machine(self):
        lines = noisy_lines()
        self.write("data.svm", svmlight(lines))
        for c in (0.01, 1.0):
            u = self.bounds("data.svm", "-s", "perc", "--svm-c", str(c), "--seeds", "1")["tasks"][0]["comparator"]
            self.assertAlmostEqual(u["objective"], u["norm"] ** 2 / 2 + c * u["hinge_loss"], places=6)
            self.assertLessEqual(u["gap"], 1e-3 * u["objective"])
            # No vector is better than the gap allows; here vectors from subgradient descent.
            x = np.array([x for _, x in lines])
            y = np.array([1 if label == "+1" else -1 for label, _ in lines])
            w = np.zeros(x.shape[1])
            best = math.inf
            for k in range(1, 3000):
                short = y * (x @ w) < 1
                best = min(best, w @ w / 2 + c * np.maximum(0, 1 - y * (x @ w)).sum())
                w -= 2 / (k + 1) * (w - c * (y[short, None] * x[short]).sum(axis=0))
            self.assertGreaterEqual(best, u["objective"] - u["gap"] - 1e-9)
            self.assertLess(best, 1.05 * u["objective"])

    def test_on_a_separable_stream_every_theorem_of_the_slides_applies(self):
        lines = separable_lines()
        self.write("data.svm", svmlight(lines))
        for sampler in ("perc", "hildreth", "pa-i", "ellipsoid", "volumetric-center", "gravity-center"):
            task, = self.bounds("data.svm", "-s", sampler, "--svm-c", "1000", "--seeds", "3", "--normalize")["tasks"]
            theorem, = task["theorems"]
            self.assertTrue(theorem["applies"], theorem)
            self.assertEqual(task["comparator"]["wrong"], 0)
            self.assertLessEqual(task["mistakes"]["mean"], theorem["bound"], sampler)
            self.assertGreater(theorem["gamma"], 0)
            if sampler == "hildreth":  # (|u| max|x| / gamma)^2
                self.assertAlmostEqual(theorem["bound"], (task["comparator"]["norm"] / theorem["gamma"]) ** 2, places=6)

    def test_a_theorem_whose_condition_is_not_met_says_so(self):
        self.write("data.svm", svmlight(noisy_lines()))
        for arguments, why in [(("-s", "perc"), r"needs \|x\| = 1, but \|x\| is [\d.]+ to [\d.]+: normalize the instances"),
                               (("-s", "hildreth"), r"needs a u that is right about every round, this one is wrong about "
                                                    r"\d+: a larger C of the SVM may find one"),
                               (("-s", "sel-p", "--update", "asked"), "needs the update policy mistake"),
                               (("-s", "ss"), r"is stated up to a constant, and needs to know P\(y = 1 \| x\)"),
                               (("-s", "sel-2nd:a=2"), "needs second-order with a = 1")]:
            out = self.ok("bound", "data.svm", *arguments, "--seeds", "2").out
            self.assertRegex(out, rf"(?m)^20\d\d, Theorem|^slides, ")
            self.assertRegex(out, rf"(?m) does not apply: {why}$")
            theorem = self.bounds("data.svm", *arguments, "--seeds", "2")["tasks"][0]["theorems"][0]
            self.assertFalse(theorem["applies"])
            self.assertRegex(theorem["why_not"], rf"\A{why}\Z")
            self.assertNotIn("bound", theorem)

    def test_a_sampler_without_a_theorem_is_still_run(self):
        self.write("data.svm", svmlight(noisy_lines()))
        out = self.ok("bound", "data.svm").out
        self.assertRegex(out, r"(?m)^mistakes +[\d.]+ \+- [\d.]+$")
        self.assertRegex(out, r"(?m)^no theorem of the papers is about this sampler$")

    def test_if_few_rounds_update_the_zero_vector_gives_the_best_bound(self):
        self.write("data.svm", svmlight(separable_lines()))
        task, = self.bounds("data.svm", "-s", "sop", "--seeds", "1", "--svm-c", "0.001")["tasks"]
        theorem, = task["theorems"]
        self.assertIsNone(theorem["gamma"])  # infinite
        self.assertEqual(theorem["bound"], task["mistakes"]["mean"])
        self.assertGreater(theorem["bound_over_all_rounds"], theorem["bound"])

    def test_the_table_has_the_comparator_the_runs_and_the_theorems(self):
        self.write("data.svm", svmlight(noisy_lines()))
        out = self.ok("bound", "data.svm", "-s", "sel-2nd:b=0.3").out
        self.assertRegex(out, r"\Asampler    second-order:a=1,form=auto \+ margin:b=0.3, update on mistake; 10 runs, seeds from 1\n"
                              r"\ntask       \+1: 400 rounds\n"
                              r"comparator linear SVM, C = 1: \|u\| = [\d.]+, wrong on \d+ rounds; gap [\d.e-]+ after \d+ passes\n"
                              r"labels     [\d.]+ \+- [\d.]+ asked, [\d.]+ \+- [\d.]+ expected\n"
                              r"mistakes   [\d.]+ \+- [\d.]+\n"
                              r"theorem +promises +all rounds +on updates +observed +ratio +gamma\n"
                              r"2006, Theorem 3 +E\[mistakes\] +[\d.]+ +[\d.]+ \+- [\d.]+ +[\d.]+ \+- [\d.]+ +[\d.]+ +[\d.e+]+\n\Z")

    def test_each_task_has_its_own_table(self):
        self.write("topics.svm", text(topic_lines()))
        result = self.bounds("topics.svm", "-s", "sel-p", "--topics", "3", "--seeds", "2")
        self.assertEqual(len(result["tasks"]), 3)
        runs = [self.report("topics.svm", "-s", "sel-p", "--topics", "3", "--seed", str(seed)) for seed in (1, 2)]
        for k, task in enumerate(result["tasks"]):
            self.assertEqual(task["task"], runs[0]["tasks"][k]["task"])
            self.assertAlmostEqual(task["mistakes"]["mean"], np.mean([run["tasks"][k]["mistakes"] for run in runs]))
        self.assertEqual(self.ok("bound", "topics.svm", "-s", "sel-p", "--topics", "3").out.count("\ntask "), 3)

    def test_the_output_is_the_same_on_any_number_of_threads(self):
        self.write("data.svm", svmlight(noisy_lines()))
        outputs = {self.ok("bound", "data.svm", "-s", "sel-ada", "--threads", threads, "--json", "-").out
                   for threads in ("1", "2", "5")}
        self.assertEqual(len(outputs), 1)

    def test_bad_usage_is_refused(self):
        self.write("data.svm", svmlight(noisy_lines()))
        self.write("empty.svm", "")
        for arguments, code, why in [(("data.svm", "--seeds", "0"), 2, "--seeds"), (("data.svm", "--svm-c", "0"), 2, "--svm-c"),
                                     (("data.svm", "--multiclass"), 2, "the theorems are about two labels"),
                                     (("data.svm", "-s", "nothing"), 2, "unknown sampler 'nothing'"),
                                     (("empty.svm",), 3, "empty.svm: no example in it"), (("none.svm",), 2, "none.svm")]:
            self.assertIn(why, self.complaint(self.askfew("bound", *arguments), code))
        self.write("bad.svm", "+1 1:x\n")
        self.assertIn("bad.svm:1:", self.complaint(self.askfew("bound", "bad.svm"), 3))


class Final(CliTest):
    def final(self, *arguments):
        return self.report(*arguments)["tasks"][0]["final"]

    def perceptron(self, lines):
        """The hypotheses w_0, ..., w_(n-1), and w_n, of the Perceptron on all labels."""
        w = np.zeros(len(lines[0][1]))
        hypotheses = [w]
        for label, x in lines:
            y = 1 if label == "+1" else -1
            if (1 if w @ x > 0 else -1) != y:
                w = w + y * x
            hypotheses.append(w)
        return hypotheses[:-1], w

    def weights(self, model, dimension):
        """The weights of a model, from its margins on the unit vectors."""
        self.write("units.svm", text(f"+1 {i + 1}:1" for i in range(dimension)))
        return [float(line.split("\t")[1]) for line in self.ok("predict", model, "units.svm").out.splitlines()]

    def test_the_average_classifier_is_the_mean_of_the_hypotheses(self):
        lines = noisy_lines()
        self.write("data.svm", svmlight(lines))
        final = self.final("data.svm", "-s", "perc", "--final", "average", "--model", "average.model")
        hypotheses, _ = self.perceptron(lines)
        np.testing.assert_allclose(self.weights("average.model", 8), np.mean(hypotheses, axis=0), atol=1e-12)
        losses = [max(0, 1 - (1 if label == "+1" else -1) * (w @ x) / final["scale"])
                  for w, (label, x) in zip(hypotheses, lines)]
        self.assertAlmostEqual(final["mean_hinge_loss"], np.mean(losses), places=9)
        self.assertEqual((final["choice"], final["delta"]), ("average", DELTA))

    def test_the_penalized_classifier_is_the_hypothesis_with_the_smallest_bound(self):
        lines = noisy_lines()
        n = len(lines)
        self.write("data.svm", svmlight(lines))
        final = self.final("data.svm", "-s", "perc", "--final", "penalized", "--model", "chosen.model")
        hypotheses, _ = self.perceptron(lines)
        x = np.array([x for _, x in lines])
        positive = np.array([label == "+1" for label, _ in lines])
        risks = [largest_risk(np.mean((x[t:] @ w > 0) != positive[t:]), math.log(n / DELTA) / (n - t))
                 for t, w in enumerate(hypotheses)]
        best = int(np.argmin(risks))
        self.assertEqual((final["round"], final["tests"]), (best, n - best))
        self.assertAlmostEqual(final["risk_bound"], risks[best], places=9)
        np.testing.assert_allclose(self.weights("chosen.model", 8), hypotheses[best], atol=1e-12)

    def test_the_last_classifier_does_not_change_the_model(self):
        lines = noisy_lines(noise=0)
        self.write("data.svm", svmlight(lines))
        for sampler in ("perc", "sop", "sel-winnow"):
            with_final = self.final("data.svm", "-s", sampler, "--final", "last", "--model", "with.model")
            self.ok("run", "data.svm", "-s", sampler, "--quiet", "--model", "without.model")
            self.assertEqual(self.read("with.model"), self.read("without.model"))
            self.assertEqual(with_final["round"] + with_final["tests"], len(lines))
        hypotheses, last = self.perceptron(lines)
        final = self.final("data.svm", "-s", "perc", "--final", "last")
        self.assertEqual(final["tests"], sum(np.array_equal(w, last) for w in hypotheses))
        self.assertEqual(final["errors"], 0)  # every label is asked, and a mistake would have changed the hypothesis

    def test_a_smaller_delta_gives_a_larger_bound(self):
        self.write("data.svm", svmlight(noisy_lines(rounds=2000)))
        for choice in ("average", "penalized"):
            bounds = [self.final("data.svm", "--learner", "pa-1:C=0.1", "--rule", "margin", "--final", choice, "--delta",
                                 delta)["risk_bound"] for delta in ("0.1", "0.01", "0.001")]
            self.assertEqual(bounds, sorted(bounds))
            self.assertLess(bounds[0], bounds[2])

    def test_the_report_has_one_line_per_task(self):
        self.write("data.svm", svmlight(noisy_lines()))
        out = self.ok("run", "data.svm", "--quiet", "--final", "penalized", "--delta", "0.1").out
        self.assertRegex(out, r"\nfinal      penalized: the hypothesis of round \d+, \d+ errors in the \d+ rounds after it; "
                              r"risk at most [\d.]+ with probability 0.9\n\Z")
        self.write("topics.svm", text(topic_lines()))
        for threads in ("1", "3"):
            out = self.ok("run", "topics.svm", "--quiet", "--topics", "3", "--final", "average", "--threads", threads).out
            self.assertEqual(out.count("\nfinal "), 3)
        results = [self.report("topics.svm", "--topics", "3", "--final", "penalized", "--threads", threads)["tasks"]
                   for threads in ("1", "3")]
        self.assertEqual(results[0], results[1])

    def test_without_final_the_report_has_no_final_classifier(self):
        self.write("data.svm", svmlight(noisy_lines()))
        self.assertNotIn("final", self.report("data.svm")["tasks"][0])

    def test_bad_usage_is_refused(self):
        self.write("data.svm", svmlight(noisy_lines()))
        self.ok("run", "data.svm", "--quiet", "--model", "data.model")
        for arguments, why in [(("--final", "first"), "--final"), (("--delta", "0.1"), "--delta requires --final"),
                               (("--final", "last", "--delta", "0"), "--delta"),
                               (("--final", "average", "-s", "sop"),
                                "the average classifier of a run is not known for second-order, only for: perceptron, "),
                               (("--final", "last", "--resume", "data.model"), "--final cannot be given with --resume"),
                               (("--final", "last", "--multiclass"), "--final is for tasks that decide for themselves, not for --multiclass"),
                               (("--final", "last", "--tf-idf"), "--final is not for --tf-idf"),
                               (("--final", "last", "--learner", "scaled-logistic", "--rule", "always"),
                                "--final is not for scaled-logistic")]:
            self.assertIn(why, self.complaint(self.askfew("run", "data.svm", "--quiet", *arguments), 2))

    def test_hypotheses_are_charged_to_max_memory(self):
        self.write("data.svm", svmlight(noisy_lines()))
        done = self.askfew("run", "data.svm", "--quiet", "-s", "perc", "--final", "penalized", "--max-memory", "1kB")
        self.assertIn("--max-memory", self.complaint(done, 3))


if __name__ == "__main__":
    unittest.main()
