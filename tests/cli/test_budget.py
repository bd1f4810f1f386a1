"""A budget is spent and never exceeded, the control spends the same, and impossible budgets are refused."""

import unittest

from harness import CliTest, binary_lines, rows, text


class Budget(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(2000)))

    def test_the_default_and_others_spend_a_share_and_a_count(self):
        for sampler in ([], ["--sampler", "sel-p"], ["--sampler", "bbq"], ["--sampler", "ssnl"]):
            for budget in ("5%", "100"):
                with self.subTest(sampler=sampler, budget=budget):
                    asked = self.report("data", *sampler, "--budget", budget)["macro"]["asked"]
                    self.assertLessEqual(asked, 100)
                    self.assertGreaterEqual(asked, 97)

    def test_a_pipe_is_never_above_its_share(self):
        self.ok("run", "-", "--budget", "5%", "--audit", "1%", "--trace", "t", "--quiet", stdin=self.read("data"))
        asked = 0
        for row in rows(self.read("t")):
            asked += row.asked
            self.assertLessEqual(asked, 0.05 * row.round)
        self.assertGreaterEqual(asked, 90)

    def test_the_unknown_length_of_a_pipe_is_reported_and_can_be_given(self):
        lines, file, pipe = self.read("data"), ["run", "data", "--quiet"], ["run", "-", "--quiet"]
        self.assertNotIn("unknown", self.ok(*file, "--budget", "5%").out)
        for sampler in ([], ["--sampler", "sel-p"]):
            told = self.ok(*pipe, "--budget", "5%", *sampler, stdin=lines).out
            self.assertRegex(told, r"(?m)^unknown    the length of the stream \(--horizon\); in a file")
        earlier = ["--budget", "5%", "--sampler", "auto:grow=0"]  # it must know the number of features
        told = self.ok(*pipe, *earlier, stdin=lines).out
        self.assertRegex(told, r"(?m)^unknown    the length of the stream \(--horizon\) and the number of features \(--dimension\)")
        told = self.ok(*pipe, *earlier, "--horizon", "2000", stdin=lines).out
        self.assertRegex(told, r"(?m)^unknown    the number of features")
        self.assertNotIn("unknown", self.ok(*pipe, "--sampler", "sel-p", stdin=lines).out)
        length = ["--budget", "5%", "--horizon", "2000"]
        self.assertEqual(self.trace("data", "--budget", "5%"), self.trace("-", *length, stdin=lines))
        self.assertNotIn("unknown", self.ok(*pipe, *length, stdin=lines).out)

    def test_the_control_spends_the_same(self):
        report = self.report("data", "--budget", "5%", "--control", "--baseline")
        self.assertIn("baseline", report)
        control = report["control"]
        self.assertTrue(97 <= control["asked"] <= 100, control)
        saved = control["labels_saved"]
        loser = control["asked"] if saved >= 0 else report["macro"]["asked"]
        self.assertEqual(abs(saved), loser - control["labels_for_the_lower_f1"])

    def test_a_budget_continues_after_a_resume(self):
        lines = binary_lines(2000)
        options = ["--budget", "5%", "--horizon", "2000", "--audit", "1%"]
        self.report("data", *options, "--model", "whole")
        self.write("first", text(lines[:777]))
        self.write("second", text(lines[777:]))
        self.report("first", *options, "--model", "part")
        self.report("second", "--resume", "part", "--model", "part")
        self.assertTrue(self.read("part") == self.read("whole"), "the models differ")

    def test_a_share_continues_with_the_next_file_and_a_spent_count_is_reported(self):
        self.report("data", "--sampler", "sel-p", "--budget", "5%", "--model", "share")
        asked = self.report("data", "--resume", "share")["macro"]["asked"]
        self.assertTrue(190 <= asked <= 200, asked)
        over = ["for 2,000 rounds; there were more rounds"]
        self.assertNotIn(*over, self.ok("run", "data", "--budget", "100", "--quiet", "--model", "count").out)
        self.assertIn(*over, self.ok("run", "data", "--resume", "count", "--quiet", "--model", "count").out)
        report = self.report("data", "--resume", "count")
        self.assertEqual((report["budget"]["over"], report["macro"]["asked"]), (True, 100))

    def test_a_later_file_can_have_new_features(self):
        self.report("data", "--budget", "5%", "--model", "first")
        # Small new features are learned by all members; the features of the last lines are not learned by members with
        # a matrix.
        lines = [f"{line} 99:1" for line in binary_lines(300, seed=3)]
        lines += [f"{line} 100000:1" for line in binary_lines(300)]
        self.write("more", text(lines))
        self.write("begin", text(lines[:450]))
        self.write("rest", text(lines[450:]))
        self.report("more", "--resume", "first", "--model", "whole")
        self.report("begin", "--resume", "first", "--model", "part")
        self.report("rest", "--resume", "part", "--model", "part")
        self.assertTrue(self.read("part") == self.read("whole"), "the models differ")
        self.assertLess(len(self.read("whole")), 10_000_000)
        self.assertEqual(len(self.ok("predict", "whole", "more").out.splitlines()), 600)

    def test_an_audit_that_is_too_large_for_the_budget_and_the_counted_rounds_is_refused(self):
        audit = ["--sampler", "sel-p", "--budget", "100", "--audit", "5%"]
        self.refused(2, "run", "data", *audit, says="80% of the budget")
        self.refused(2, "coverage", "data", *audit, "--runs", "2", "--quiet", says="80% of the budget", outputs=False)
        self.refused(2, "run", "-", *audit, stdin=self.read("data"), says="--horizon")

    def test_impossible_budgets_are_refused(self):
        for options, says in ((["--budget", "5x"], "neither a number of labels"),
                              (["--budget", "5.000"], "not a whole number of labels (500, without a point)"),
                              (["--budget", "5,000"], "thousands have no comma (5000)"),
                              (["--budget", "0,5%"], "decimals a point (0.5%)"),
                              (["--budget", "0"], "budget '0' is out of range, accepted: more than 0"),
                              (["--budget", "200%"], "at most 100%"),
                              (["--budget", "1e19"], "at most 4611686018427387904"),
                              (["--budget", "5%", "--horizon", "19"], "budget '5%' is less than one label of 19 rounds"),
                              (["--budget", "-5/day"], "out of range"),
                              (["--budget", "0.5"], "a share of them has a percent sign"),
                              (["--budget", "1%", "--audit", "1%"], "nothing is left to the rule; an audit of 0.8% fits"),
                              (["--budget", "5%", "--sampler", "perc"], "rule always has no scale"),
                              (["--horizon", "5"], "--horizon is for a --budget"),
                              (["--control"], "--control needs a --budget"),
                              (["--budget", "9/day", "--horizon", "5"], "every period")):
            with self.subTest(options):
                self.refused(2, "run", "data", *options, says=says)
        self.refused(3, "run", "data", "--budget", "9/day", says="needs examples with a time")

    def test_times_in_milliseconds_are_refused_where_a_budget_is_per_day(self):
        self.write("times.csv", "time,a,label\n" + "".join(f"{1704067200000 + row},{row % 3},{row % 2}\n" for row in range(9)))
        self.refused(3, "run", "times.csv", "--time-column", "time", "--budget", "9/day",
                     says="times.csv:2:1: time 1704067200000 is after the year 9999: give seconds since 1970")
        self.ok("run", "times.csv", "--time-column", "time", "--order", "time", "--budget", "9")


if __name__ == "__main__":
    unittest.main()
