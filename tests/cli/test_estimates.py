"""Estimates of quality from asked labels alone: askfew run --audit, askfew coverage."""

import csv
import io
import json
import math
import re
import unittest

from harness import CliTest, text, topic_lines

DATA = "synthetic:linear-noise:d=10,n=3000"
SHIFT = "synthetic:shifting-gaussian:n=12000,switch=8000,d=10"


def read_rows(trace):
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(trace.decode()))]
    for row in rows:
        row["asked"] = row["asked"] == 1
    return rows


class Estimates(CliTest):
    def test_estimates_are_printed_next_to_the_true_figures(self):
        out = self.ok("run", DATA, "--sampler", "sel-p", "--audit", "5%", "--quiet").out
        self.assertRegex(out, r"(?m)^estimated +whole run +truth +last 3,000 rounds$")
        error = re.search(r"(?m)^  error +([\d.]+)% \[([\d.]+)%, ([\d.]+)%\] +([\d.]+)% ", out)
        value, low, high, truth = map(float, error.groups())
        accuracy = float(re.search(r"(?m)^accuracy +([\d.]+)%", out).group(1))
        self.assertAlmostEqual(truth, 100 - accuracy, places=6)
        self.assertTrue(low <= value <= high and low <= truth <= high)
        self.assertRegex(out, r"(?m)^next [\d,]+ labels: the error falls by ")

    def test_an_audit_of_auto_is_a_fifth_of_the_budget(self):
        for budget in (["5%"], ["150", "--horizon", "3000"], ["150"]):
            chosen = self.ok("run", DATA, "--budget", *budget, "--audit", "auto", "--trace", "-", "--quiet").out
            self.assertEqual(chosen, self.ok("run", DATA, "--budget", *budget, "--audit", "1%", "--trace", "-", "--quiet").out)
        for data, budget in ((DATA, []), ("-", ["--budget", "150"]), (DATA, ["--budget", "5/day"])):
            refused = self.askfew("run", data, *budget, "--audit", "auto", stdin=b"+1 1:1\n")
            self.assertEqual(refused.code, 2)
            self.assertIn("--audit of auto is a fifth of a budget", refused.err)

    def test_a_run_says_before_it_starts_how_wide_the_interval_will_be(self):
        def said(audit):
            found = re.search(r"note: .*about ([\d.]+) points wide; with 500 labels more for the audit: ([\d.]+)\n",
                              self.ok("run", "synthetic:linear-noise:d=10,n=20000", "--budget", "10%", "--audit", audit).err)
            return list(map(float, found.groups()))

        width, less = said("1%")
        self.assertLess(less, width)
        self.assertEqual(said("3.5%")[0], less)  # 500 labels more are 2.5% of 20,000 rounds
        self.assertNotIn("points wide", self.ok("run", DATA, "--audit", "1%").err)  # the number of rounds is not known

    def test_json_has_all_figures(self):
        run = self.report(DATA, "--sampler", "sel-p", "--audit", "0.05")["tasks"][0]
        estimate = run["estimate"]
        self.assertEqual(estimate["whole"]["rounds"], 3000)
        self.assertEqual(estimate["recent"]["rounds"], 3000)
        self.assertEqual(estimate["changes"], [])
        self.assertGreaterEqual(estimate["next_labels"]["high"], estimate["next_labels"]["low"])
        for figure in ("accuracy", "precision", "recall", "f1"):
            interval = estimate["whole"][figure]
            self.assertTrue(interval["low"] <= run[figure] <= interval["high"], figure)

    def test_without_an_audit_nothing_is_estimated(self):
        self.assertNotIn("estimate", self.report(DATA, "--sampler", "sel-p")["tasks"][0])
        self.assertNotIn("estimated", self.ok("run", DATA, "--quiet").out)

    def test_a_change_is_reported_when_it_is_detected(self):
        done = self.ok("run", SHIFT, "--sampler", "sel-p", "--audit", "5%")
        told = r"more mistakes since round 8,000 \(noticed in round 8,\d{3}\)"
        self.assertRegex(done.err, r"(?m)^change: " + told)
        self.assertRegex(done.out, r"(?m)^change     " + told)
        changes = self.report(SHIFT, "--sampler", "sel-p", "--audit", "5%")["tasks"][0]["estimate"]["changes"]
        self.assertIn(("error_up", 8000), [(change["kind"], change["since"]) for change in changes])

    def test_every_task_has_its_own_estimate(self):
        self.write("data", text(topic_lines(600)))
        out = self.ok("run", "data", "--labels", "all", "--sampler", "sel-p", "--audit", "10%", "--quiet").out
        self.assertIn("estimated F, 95% interval", out)
        rows = re.findall(r"(?m)^\S+ .* (0\.\d+)  (0\.\d+) \[(0\.\d+), (0\.\d+|1\.0000)\]$", out)
        self.assertEqual(len(rows), len(self.report("data", "--labels", "all")["tasks"]))

    def test_every_class_has_an_estimate_whose_interval_contains_the_truth(self):
        self.write("data", "".join(f"{k % 3} {k % 3 + 1}:1 {k % 7 + 4}:0.5\n" for k in range(300)))
        run = self.report("data", "--multiclass", "--sampler", "sel-p", "--audit", "20%")
        for task in run["tasks"]:
            interval = task["estimate"]["whole"]["f1"]
            self.assertTrue(interval["low"] <= task["f1"] <= interval["high"])

    def test_estimates_continue_after_a_resume(self):
        for part, first in (("first", 1), ("second", 401), ("whole", 1)):
            last = 400 if part == "first" else 900
            self.write(part, "".join(f"{'+1' if k * 7919 % 101 > 50 else '-1'} 1:{k * 7919 % 101 / 50 - 1} 2:1\n"
                                     for k in range(first, last + 1)))
        self.ok("run", "first", "--sampler", "sel-p", "--audit", "10%", "--model", "half", "--quiet")
        self.ok("run", "second", "--resume", "half", "--model", "resumed", "--quiet")
        self.ok("run", "whole", "--sampler", "sel-p", "--audit", "10%", "--model", "all", "--quiet")
        self.assertEqual(self.read("resumed"), self.read("all"))

    def test_the_budget_leaves_a_label_for_every_audit_and_rounds_without_an_audit_are_counted(self):
        options = ["run", DATA, "--sampler", "sel-p", "--audit", "4%", "--json", "j", "--quiet"]
        out = self.ok(*options, "--budget", "5%").out
        self.assertEqual(json.loads(self.read("j"))["tasks"][0]["estimate"]["whole"]["uncovered"], 0)
        self.assertNotIn("uncovered", out)
        out = self.ok(*options, "--budget", "150", "--horizon", "2000").out
        uncovered = json.loads(self.read("j"))["tasks"][0]["estimate"]["whole"]["uncovered"]
        self.assertGreater(uncovered, 900, "the budget was for 2,000 of the 3,000 rounds")
        self.assertRegex(out, rf"(?m)^uncovered  {uncovered:,} rounds: ")

    def test_a_trace_with_an_audit_tells_every_coin_and_probability(self):
        self.ok("run", DATA, "--sampler", "sel-p", "--budget", "10%", "--audit", "2%", "--trace", "t", "--quiet")
        rows = read_rows(self.read("t"))
        for row in rows:
            self.assertEqual(row["asked"], row["coin"] < row["probability"] or row["audit_coin"] < row["audit"])
            self.assertAlmostEqual(row["chance"], row["probability"] + (1 - row["probability"]) * row["audit"], 15)
            self.assertEqual(row["audit"], 0.02)
        self.ok("run", DATA, "--sampler", "sel-p", "--trace", "t", "--quiet")
        self.assertNotIn("audit", read_rows(self.read("t"))[0])

    def test_weighting_a_trace_by_inverse_probability_is_unbiased(self):
        weighted, unweighted = [], []
        for seed in range(1, 201):
            self.ok("run", "synthetic:linear-noise:d=5,n=600", "--sampler", "sel-p", "--budget", "10%", "--audit", "3%",
                    "--seed", str(seed), "--trace", "t", "--quiet")
            rows = read_rows(self.read("t"))
            wrong = [row["prediction"] != row["label"] for row in rows]
            truth = sum(wrong) / len(rows)
            asked = [(row, mistake) for row, mistake in zip(rows, wrong) if row["asked"]]
            weighted.append(sum(mistake / row["chance"] for row, mistake in asked) / len(rows) - truth)
            unweighted.append(sum(mistake for _, mistake in asked) / len(asked) - truth)

        def mean_and_error(values):
            mean = sum(values) / len(values)
            return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))

        mean, error = mean_and_error(weighted)
        self.assertLess(abs(mean), 3 * error)
        bias, error = mean_and_error(unweighted)
        self.assertGreater(bias, 10 * error, "the asked labels alone are biased: the rule asks where mistakes are")

    def test_coverage_counts_intervals_that_contain_the_truth(self):
        out = self.ok("coverage", "synthetic:linear-noise:d=5,n=600", "--sampler", "sel-p", "--audit", "10%", "--runs",
                      "20", "--quiet").out
        self.assertRegex(out, r"\Afigure +at the end +at all times +median width +truth\n")
        for figure in ("error", "F", "recent error"):
            shares = re.search(rf"(?m)^{figure} +([\d.]+)% +([\d.]+)% ", out).groups()
            self.assertGreaterEqual(float(shares[0]), float(shares[1]))
            self.assertGreaterEqual(float(shares[1]), 90)

    def test_coverage_needs_one_task(self):
        self.write("data", text(topic_lines(50)))
        self.refused(2, "coverage", "data", "--labels", "all", "--quiet", says="one task", outputs=False)


if __name__ == "__main__":
    unittest.main()
