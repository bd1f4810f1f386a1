"""Quick reproductions of the papers on text. They need the data in the folder that ASKFEW_DATA names."""

import gzip
import json
import os
import random
import shutil
import subprocess
import unittest

from harness import ASKFEW, CliTest

DATA = os.environ.get("ASKFEW_DATA", "")
NEEDED = ("reuters21578/reuters21578.tar.xz", "rcv1/rcv1subset1_top944.svm.gz")


@unittest.skipUnless(DATA and all(os.path.exists(os.path.join(DATA, name)) for name in NEEDED), "no data")
class ReproduceText(CliTest):
    known = {}  # figures by paper, shared by the tests that only read them

    def figures(self, paper):
        if paper not in self.known:
            self.known[paper] = self.reproduce(paper)
        return self.known[paper]

    def reproduce(self, paper, *options):
        self.ok("reproduce", paper, "--quick", "--quiet", "--data", self.data(), "-o", "out", *options, timeout=300)
        return json.loads(self.read(f"out/{paper}-quick.json"))

    def data(self):
        """The data, with stories in the form that `python -m askfew.rcv1` writes: topics by number, most features of a topic."""
        if not os.path.exists(self.path("data")):
            os.makedirs(self.path("data/rcv1"))
            for name in ("reuters21578", NEEDED[1]):
                os.symlink(os.path.abspath(os.path.join(DATA, name)), self.path(f"data/{name}"))
            draw = random.Random(1)
            with gzip.open(self.path("data/rcv1/rcv1_40000.svm.gz"), "wt") as file:
                for _ in range(600):
                    topics = [k for k in range(3) if draw.random() < 0.4] or [3]
                    features = sorted({20 * draw.choice(topics) + draw.randrange(20) for _ in range(8)} | {80 + draw.randrange(40)})
                    file.write(f"{','.join(map(str, topics))} {' '.join(f'{k + 1}:{draw.random():.6f}' for k in features)}\n")
        return self.path("data")

    def test_the_stories_of_rcv1_are_taken_where_their_file_is(self):
        stories = self.figures("cbgz-2006")["sets"][-1]
        self.assertEqual(stories["set"], "RCV1")
        self.assertEqual(sorted(stories["topics"]), ["0", "1", "2"])
        self.assertGreater(stories["all"]["sel-2nd"]["f1"], 0.5)

    def test_the_second_order_wins_where_words_are_as_they_are(self):
        figures = self.figures("second-order")
        self.assertEqual(list(figures["sets"]), ["RCV1", "RCV1 subset 1", "Reuters-21578"])
        plain = figures["sets"]["Reuters-21578"][-1]
        self.assertGreater(plain["second"], plain["first"])

    def test_a_difference_of_single_runs_has_no_standard_error(self):
        found = " ".join(verdict["found"] for verdict in self.figures("cbgz-2006")["verdicts"])
        self.assertIn("no standard error", found)
        self.assertNotIn("inf ", found)

    def test_margin_sampling_is_better_than_a_fixed_rate_with_few_labels(self):
        reuters = self.figures("cbgz-2006")["sets"][0]
        for sampler in ("sel-p", "sel-2nd"):
            first = {name: reuters["at_rate"][name][0] for name in (sampler, sampler + "-fixed")}
            self.assertAlmostEqual(first[sampler]["share"], 0.1, delta=0.01)
            self.assertGreater(first[sampler]["f1"], first[sampler + "-fixed"]["f1"])

    def test_a_larger_b_asks_for_more_labels(self):
        for measured in self.figures("cbgz-2006")["sets"]:
            for points in measured["of_b"].values():
                self.assertLess(points[0]["share"], points[-1]["share"] / 2)

    def test_figures_are_the_same_for_any_number_of_threads(self):
        figures = self.reproduce("cavallanti-2008", "--threads", "1")
        self.assertEqual(figures, self.reproduce("cavallanti-2008", "--threads", "3", "--afresh"))

    def test_kept_results_give_the_same_figures(self):
        self.assertEqual(self.reproduce("cbgz-2006"), self.reproduce("cbgz-2006"))

    def test_results_of_another_build_are_not_used(self):
        options = ("reproduce", "cavallanti-2008", "--quick", "--quiet", "--data", self.data(), "-o", "out", "--list-jobs")
        jobs = self.ok(*options).out
        self.reproduce("cavallanti-2008")
        self.assertEqual(self.ok(*options).out, "")
        shutil.copy(ASKFEW, self.path("other"))
        with open(self.path("other"), "ab") as file:
            file.write(b"another build")
        done = subprocess.run([self.path("other"), *options], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, jobs)

    def test_topics_are_sorted_by_frequency_and_have_an_svm(self):
        topics = self.figures("cavallanti-2008")["topics"]
        counts = [topic["positives"] for topic in topics]
        self.assertEqual(counts, sorted(counts, reverse=True))
        for topic in topics:
            self.assertGreater(topic["norm"], 0)
            self.assertLessEqual(topic["stored"], topic["asked"])

    def test_the_best_f_of_dkmperc_is_below_the_best_f_of_ssmd(self):
        curves = self.figures("cavallanti-2008")["sets"][0]["curves"]
        best = max(point["f1"] for point in curves["ssmd"])
        self.assertGreater(best, max(point["f1"] for point in curves["dkm-perc"]))


if __name__ == "__main__":
    unittest.main()
