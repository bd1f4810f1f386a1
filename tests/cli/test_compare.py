"""askfew compare and askfew tune."""

import csv
import io
import json
import unittest

from harness import CliTest, binary_lines, text, topic_lines

DATA = "synthetic:linear-noise:d=10,n=2000"


class Compare(CliTest):
    def test_there_is_a_point_for_every_sampler_and_rate(self):
        done = self.ok("compare", DATA, "--samplers", "sel-p,pa-log:C=0.5,sel-p-fixed", "--rates", "10%,50%,100%",
                       "--runs", "3", "--quiet", "--csv", "c.csv", "--json", "c.json", "--html", "c.html", "--svg", "c.svg")
        self.assertRegex(done.out.splitlines()[0], r"\Asampler +10% +50% +100%\Z")
        self.assertEqual([line.split()[0] for line in done.out.splitlines()[1:]], ["sel-p", "pa-log:C=0.5", "sel-p-fixed"])
        rows = list(csv.DictReader(io.StringIO(self.read("c.csv").decode())))
        self.assertEqual(len(rows), 9)
        for row in rows:
            self.assertAlmostEqual(float(row["share"]), float(row["rate"]), delta=0.1 * float(row["rate"]))
        points = json.loads(self.read("c.json"))
        self.assertEqual(points[0]["sampler"], "sel-p")
        self.assertAlmostEqual(points[0]["f1"]["mean"], float(rows[0]["f1"]), places=5)
        self.assertTrue(self.read("c.svg").startswith(b"<svg"))
        self.assertIn(b"<svg", self.read("c.html"))

    def test_a_point_equals_the_result_of_a_run(self):
        points = json.loads(self.ok("compare", DATA, "--samplers", "sel-p", "--rates", "20%", "--runs", "1", "--quiet",
                                    "--seed", "7", "--json", "-").out)
        learner, rule = points[0]["settings"].split(" + ")
        run = self.report(DATA, "--learner", learner, "--rule", rule, "--update", "mistake", "--seed", "7", "--budget", "20%")
        self.assertEqual(points[0]["f1"]["mean"], run["macro"]["f1"])
        self.assertAlmostEqual(points[0]["share"]["mean"], run["macro"]["asked"] / run["macro"]["rounds"], places=12)

    def test_a_single_run_has_no_interval(self):
        self.ok("compare", DATA, "--samplers", "sel-p", "--rates", "20%", "--runs", "1", "--quiet", "--csv", "c.csv", "--json",
                "c.json")
        (row,) = csv.DictReader(io.StringIO(self.read("c.csv").decode()))
        self.assertEqual((row["f1_half"], row["accuracy_half"]), ("", ""))
        (point,) = json.loads(self.read("c.json"))
        self.assertEqual((point["f1"]["deviation"], point["f1"]["half_width"]), (None, None))

    def test_a_sampler_that_is_named_twice_has_one_row(self):
        done = self.ok("compare", DATA, "--samplers", "sel-p,sel-p", "--rates", "20%", "--runs", "1", "--quiet")
        self.assertEqual([line.split()[0] for line in done.out.splitlines()[1:]], ["sel-p"])
        self.assertNotIn("=", done.out)

    def test_threads_change_nothing(self):
        outs = {self.ok("compare", DATA, "--rates", "5%,20%", "--runs", "2", "--quiet", "--csv", "-", "--threads", n).out
                for n in ("1", "3")}
        self.assertEqual(len(outs), 1)

    def test_a_point_is_the_mean_over_topics(self):
        self.write("data", text(topic_lines(600)))
        points = json.loads(self.ok("compare", "data", "--labels", "all", "--samplers", "perc", "--rates", "100%", "--runs",
                                    "1", "--quiet", "--json", "-").out)
        run = self.report("data", "--labels", "all", "--sampler", "perc")
        self.assertAlmostEqual(points[0]["f1"]["mean"], run["macro"]["f1"], places=12)

    def test_bad_usage_is_refused(self):
        for arguments, says in ((["--rates", "0%"], "is not a share of labels"), (["--rates", "x"], "is not a share"),
                                (["--samplers", "nothing"], "unknown sampler"),
                                (["--samplers", "dkm2"], "--normalize"), (["--multiclass"], "not for experiments")):
            self.write("data", "+1 1:3\n-1 1:2\n+1 2:5\n")
            self.refused(2, "compare", "data", "--quiet", *arguments, says=says, outputs=False)

    def test_a_share_that_a_sampler_cannot_reach_is_named_instead_of_a_score(self):
        done = self.ok("compare", DATA, "--samplers", "perc", "--rates", "5%", "--runs", "1", "--quiet")
        self.assertIn("- (asks 100%)", done.out)

    def test_a_bad_line_is_refused_with_its_place(self):
        self.write("bad", "+1 1:1\n-1 1:x\n")
        self.refused(3, "compare", "bad", "--quiet", place="bad:2:6", says="not a number", outputs=False)


class Tune(CliTest):
    def test_the_best_candidate_comes_first_and_can_be_run(self):
        done = self.ok("tune", DATA, "--sampler", "auto", "--rate", "10%", "--grid", "prior=5,15,30", "--grid", "k=5,10",
                       "--quiet")
        lines = done.out.splitlines()
        self.assertEqual(len(lines), 1 + 6 + 2)
        scores = [float(line.split()[2]) for line in lines[1:-2]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        best = lines[-1].removeprefix("best: ").split()
        self.ok("run", DATA, *best, "--quiet")

    def test_the_labels_of_the_choice_are_counted(self):
        done = self.ok("tune", DATA, "--sampler", "sel-p", "--rate", "10%", "--holdout", "1500", "--quiet")
        self.assertIn("all 1500 labels", done.out)

    def test_with_a_rate_every_candidate_asks_for_about_this_share(self):
        done = self.ok("tune", DATA, "--sampler", "pa-log", "--rate", "10%", "--quiet", "--holdout", "1500")
        for line in done.out.splitlines()[1:-2]:
            self.assertAlmostEqual(float(line.split()[1].rstrip("%")), 10, delta=0.3)

    def test_bad_usage_is_refused(self):
        rate = ["--rate", "5%"]
        for arguments, says in ((["--rate", "200%"], "share"), ([*rate, "--grid", "b"], "not an axis"),
                                ([*rate, "--grid", "q=1"], "q"), ([*rate, "--grid", "b=1,2"], "sets it")):
            with self.subTest(arguments):
                self.refused(2, "tune", DATA, "--sampler", "sel-p", "--quiet", *arguments, says=says, outputs=False)

    def test_candidates_that_would_ask_for_different_shares_are_refused(self):
        self.refused(2, "tune", DATA, "--sampler", "sel-p", "--quiet", says="--rate is missing", outputs=False)


if __name__ == "__main__":
    unittest.main()
