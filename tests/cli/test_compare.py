"""askfew compare and askfew tune."""

import csv
import io
import json
import unittest

from harness import CliTest, binary_lines, text, topic_lines

DATA = "synthetic:linear-noise:d=10,n=2000"
# A column of 2e8, hardly different from row to row: the matrix of sel-2nd loses its precision.
RAW = "income,age,label\n" + "".join(f"{200_000_000 + 100 * a},{b},{'yes' if a + 2 * b > 0 else 'no'}\n" for a, b in (
    (k * 7919 % 101 - 50, k * 104729 % 103 - 51) for k in range(300)))


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


class Failures(CliTest):
    """A sampler that fails is told, and does not spoil the others."""

    ARGUMENTS = ["compare", "raw.csv", "--positive", "yes", "--rates", "20%,50%", "--runs", "2", "--quiet"]
    OUTPUTS = ["--csv", "c.csv", "--json", "c.json", "--html", "c.html", "--svg", "c.svg"]

    def setUp(self):
        super().setUp()
        self.write("raw.csv", RAW)

    def points(self, samplers):
        self.ok(*self.ARGUMENTS, "--samplers", samplers, "--json", "c.json")
        return json.loads(self.read("c.json"))

    def test_the_others_have_their_results(self):
        alone = self.points("sel-p")
        done = self.ok(*self.ARGUMENTS, "--samplers", "sel-2nd,sel-p", *self.OUTPUTS)
        rows = [line.split("  ") for line in done.out.splitlines()]
        self.assertEqual([row[0] for row in rows], ["sampler", "sel-2nd", "sel-p"])
        self.assertEqual([cell.strip() for cell in rows[1][1:] if cell.strip()], ["- (fails)"] * 2)
        (note,) = done.err.splitlines()
        self.assertRegex(note, r"\Anote: sel-2nd at 20%, 50%: at 20%, round \d+, task 0: the learner's matrix ")
        points = json.loads(self.read("c.json"))
        self.assertEqual(points[2:], alone)
        for point in points[:2]:
            self.assertEqual((point["reached"], point["share"], point["f1"], point["accuracy"]), (False, None, None, None))
            self.assertIn("the learner's matrix", point["failure"])
            self.assertIn(point["failure"], self.read("c.html").decode().replace("&#39;", "'"))
        rows = list(csv.DictReader(io.StringIO(self.read("c.csv").decode())))
        self.assertEqual([row["failure"] for row in rows], [point.get("failure", "") for point in points])
        self.assertEqual([rows[0][name] for name in ("share", "f1", "f1_half", "accuracy", "accuracy_half")], [""] * 5)
        self.assertIn(b"sel-p", self.read("c.svg"))
        self.assertNotIn(b"sel-2nd", self.read("c.svg"))

    def test_a_reason_that_differs_has_its_share(self):
        for more, where in (([], "at 20%, "), (["--max-memory", "100B", "--threads", "1"], "")):
            with self.subTest(more):
                done = self.ok(*self.ARGUMENTS, *more, "--samplers", "sel-2nd,sel-p", "--json", "c.json")
                first, second = (point["failure"] for point in json.loads(self.read("c.json"))[:2])
                self.assertEqual(first == second, where == "")
                self.assertEqual(done.err, f"note: sel-2nd at 20%, 50%: {where}{first}\n")

    def test_without_a_failure_nothing_says_so(self):
        done = self.ok(*self.ARGUMENTS, "--samplers", "sel-p", *self.OUTPUTS)
        self.assertEqual(done.err, "")
        for name in ("c.csv", "c.json"):
            self.assertNotIn(b"failure", self.read(name))

    def test_if_all_fail_the_error_names_the_first(self):
        line = self.refused(3, *self.ARGUMENTS, "--samplers", "sel-2nd,sop", "--json", "new.json",
                            says="the learner's matrix", outputs=False)
        self.assertRegex(line, r"\Aaskfew: sel-2nd at 20%: round \d+, task 0: ")

    def test_learners_share_the_memory_limit(self):
        limit = ["--max-memory", "20kB"]
        few, many = ["--threads", "1"], ["--threads", "2"]
        arguments = ["compare", "synthetic:linear-noise:d=10,n=200", "--samplers", "sel-p,sel-2nd", "--rates", "20%", "--runs",
                     "1", "--quiet"]
        without = self.ok(*arguments)
        self.assertEqual(self.ok(*arguments, *limit, *few), without)
        done = self.ok(*arguments, "--max-memory", "2kB", *many)
        self.assertRegex(done.err, r"\Anote: sel-2nd at 20%: round \d+, task 0: a matrix of the learner would need \S+ kB more, "
                                   r"and 0 bytes of the limit of 1.0 kB are taken \(see --max-memory\)\n\Z")
        self.assertEqual(done.out.splitlines()[1].split(), without.out.splitlines()[1].split())
        line = self.refused(3, *arguments[:3], "sel-2nd", *arguments[4:], "--max-memory", "2kB", outputs=False,
                            says="limit of 2.0 kB")
        self.assertTrue(line.endswith(" (see --max-memory)"))
        self.refused(3, "coverage", DATA, "--sampler", "sel-2nd", "--audit", "5%", "--runs", "2", "--quiet", "--max-memory",
                     "2kB", says="--max-memory", outputs=False)

    def test_a_candidate_that_fails_is_listed_last_and_is_not_recommended(self):
        tune = ["tune", "raw.csv", "--positive", "yes", "--sampler", "sel-2nd", "--rate", "20%", "--quiet"]
        done = self.ok(*tune, "--grid", "a=1,1e12,2,1e6")
        names = [line.split()[0] for line in done.out.splitlines()[1:5]]
        self.assertEqual(set(names[:2]), {"sel-2nd:a=1e12", "sel-2nd:a=1e6"})
        self.assertEqual(names[2:], ["sel-2nd:a=1", "sel-2nd:a=2"])
        self.assertRegex(done.out, r"sel-2nd:a=2 +- \(fails\) +- +-\n")
        self.assertRegex(done.out, r"best: --learner second-order:a=10+,")
        self.assertRegex(done.err, r"\Anote: sel-2nd:a=1: round \d+, task 0: .*\nnote: sel-2nd:a=2: round \d+, task 0: .*\n\Z")
        line = self.refused(3, *tune, "--grid", "a=1,2", says="the learner's matrix", outputs=False)
        self.assertRegex(line, r"\Aaskfew: sel-2nd:a=1: round \d+, task 0: ")


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
