"""The trace is consistent, and JSON, text and baseline agree with counts from the trace."""

import json
import math
import unittest

from harness import CliTest, binary_lines, catalog, every_preset, rows, sampler_of, text, topic_lines

COUNTS = ("rounds", "asked", "mistakes", "updates")
EXPECTED = ("expected_asked", "expected_asked_at_least")
RATES = ("precision", "recall", "f1", "accuracy")


class Results(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(500)))
        self.write("topics", text(topic_lines(300)))

    def run_both(self, data, *arguments):
        report = self.report(data, *arguments, "--trace", "trace.csv")
        return report, rows(self.read("trace.csv"))

    def check_entry(self, entry, expected):
        for key in COUNTS:
            self.assertEqual(entry[key], expected[key], key)
        for key in (*EXPECTED, *RATES):
            self.assertTrue(math.isclose(entry[key], expected[key], rel_tol=1e-9, abs_tol=1e-12),
                            f"{key}: {entry[key]} but from the trace {expected[key]}")

    def check(self, report, trace):
        """Checks each task and the totals: counts add up, rates are means."""
        tasks = 1 + max(row.task for row in trace)
        self.assertEqual(len(report["tasks"]), tasks)
        expected = [counted([row for row in trace if row.task == k]) for k in range(tasks)]
        for entry, numbers in zip(report["tasks"], expected):
            self.check_entry(entry, numbers)
        macro = {key: sum(numbers[key] for numbers in expected) for key in (*COUNTS, *EXPECTED)}
        macro.update({key: sum(numbers[key] for numbers in expected) / tasks for key in RATES})
        self.check_entry(report["macro"], macro)

    def test_the_trace_of_every_preset_is_consistent(self):
        for name, arguments in every_preset():
            with self.subTest(name):
                report, trace = self.run_both("data", *arguments)
                self.check(report, trace)
                self.assertEqual(len(trace), 500)
                for k, row in enumerate(trace):
                    self.assertEqual((row.round, row.task), (k + 1, 0))
                    self.assertEqual(row.asked, int(row.coin < row.probability), row)
                    self.assertTrue(0 <= row.probability <= 1 and 0 <= row.coin < 1, row)
                    self.assertEqual(row.prediction, 1 if row.margin > 0 else -1, row)
                    self.assertIn(row.label, (-1, 1), row)
                    self.assertLessEqual(row.updated, row.asked, row)
                    self.assertTrue(math.isfinite(row.margin), row)

    def test_bounds_decide_rounds_without_changing_a_result(self):
        """Without a trace some spreads are not computed: the expected number of labels is then an interval."""
        known = catalog()
        with_spread = {learner["name"] for learner in known["learners"] if learner["has_spread"]}
        learner_of = {preset["name"]: preset["learner"].split(":")[0] for preset in known["presets"]}
        for name, arguments in every_preset():
            with self.subTest(name):
                exact = self.report("data", *arguments, "--trace", "trace.csv")["macro"]
                lazy = self.report("data", *arguments)["macro"]
                for key in (*COUNTS, *RATES):
                    self.assertEqual(lazy[key], exact[key], key)
                self.assertLessEqual(lazy["expected_asked_at_least"], exact["expected_asked"] + 1e-9)
                self.assertLessEqual(exact["expected_asked"], lazy["expected_asked"] + 1e-9)
                self.assertLessEqual(lazy["spreads"], exact["spreads"])
                if learner_of[name] not in with_spread:
                    self.assertEqual(exact["spreads"], 0)
                    self.assertEqual(lazy["expected_asked_at_least"], lazy["expected_asked"])

    def test_updates_follow_the_policy(self):
        for update in ("mistake", "asked"):
            with self.subTest(update):
                for row in rows(self.trace("data", "--sampler", "sel-p", "--update", update)):
                    wrong = row.prediction != row.label
                    self.assertEqual(row.updated, int(row.asked and (update == "asked" or wrong)), row)

    def test_the_results_of_many_tasks_agree_with_the_trace(self):
        for arguments in (["--sampler", "sel-p"], ["--sampler", "pa-log"], ["--sampler", "dkm2", "--normalize"],
                          ["--sampler", "sel-p", "--labels", "3,1"]):
            with self.subTest(sampler_of(arguments)):
                report, trace = self.run_both("topics", *arguments)
                self.check(report, trace)
                tasks = len(report["tasks"])
                self.assertEqual([(row.round, row.task) for row in trace],
                                 [(k // tasks + 1, k % tasks) for k in range(300 * tasks)])

    def test_numbers_keep_every_bit(self):
        """17 significant digits are enough to read every number back exactly."""
        for line in self.trace("data", "--sampler", "sel-ada").decode().splitlines()[1:]:
            for field in line.split(",")[2:5]:
                self.assertEqual(field, format(float(field), ".17g"))

    def test_the_json_has_sampler_seed_version_speed_and_names_of_tasks(self):
        report, _ = self.run_both("data", "--sampler", "sel-p:b=0.5", "--seed", "11")
        self.assertEqual(report["seed"], 11)
        told = json.dumps(report["sampler"])
        for words in ("perceptron", "margin", "0.5", "mistake"):
            self.assertIn(words, told)
        self.assertIn(report["version"], self.ok("--version").out)
        self.assertGreater(report["seconds"], 0)
        self.assertTrue(math.isclose(report["examples_per_second"], 500 / report["seconds"], rel_tol=1e-6))
        names = [entry["task"] for entry in self.report("topics", "--labels", "0-4")["tasks"]]
        self.assertEqual(names, ["0", "1", "2", "3", "4"])

    def test_the_text_agrees_with_the_json(self):
        report = self.report("data", "--sampler", "sel-p")["macro"]
        shown = self.ok("run", "data", "--sampler", "sel-p", "--quiet").out
        self.assertIn(f"asked      {report['asked']} of 500 labels", shown)
        self.assertIn(f"{500 - report['asked']} saved", shown)
        self.assertIn(f"mistakes   {report['mistakes']} ", shown)
        self.assertIn(f"{100 * report['accuracy']:.2f}%", shown)
        self.assertIn(f"{report['f1']:.4f}", shown)

    def test_the_baseline_asks_for_every_label(self):
        for data, arguments in (("data", ["--sampler", "sel-p"]), ("topics", ["--sampler", "pa-log", "--labels", "0-4"])):
            with self.subTest(sampler_of(arguments)):
                report = self.report(data, *arguments, "--baseline")
                learner, update = report["sampler"]["learner"], report["sampler"]["update"]
                pair = ["--learner", learner, "--rule", "always", "--update", update]
                alone = self.report(data, *pair, *arguments[2:])
                for side in ("tasks", "macro"):
                    self.assertEqual(report["baseline"][side], alone[side])
                without = self.report(data, *arguments)
                self.assertEqual(report["tasks"], without["tasks"])
                self.assertNotIn("baseline", without)


def counted(trace):
    """The counts from the trace of one task."""
    right = sum(row.prediction == row.label for row in trace)
    hits = sum(row.prediction == row.label == 1 for row in trace)
    predicted = sum(row.prediction == 1 for row in trace)
    positive = sum(row.label == 1 for row in trace)
    expected = math.fsum(row.probability for row in trace)  # exact: with a trace bounds decide no round
    return {"rounds": len(trace), "asked": sum(row.asked for row in trace), "expected_asked": expected,
            "expected_asked_at_least": expected, "mistakes": len(trace) - right,
            "updates": sum(row.updated for row in trace), "accuracy": right / len(trace),
            "precision": hits / predicted if predicted else 0, "recall": hits / positive if positive else 0,
            "f1": 2 * hits / (predicted + positive) if predicted + positive else 0}


if __name__ == "__main__":
    unittest.main()
