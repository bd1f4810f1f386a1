"""Quick reproductions of the papers on text. They need the data in the folder that ASKFEW_DATA names."""

import json
import os
import unittest

from harness import CliTest

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
        self.ok("reproduce", paper, "--quick", "--quiet", "--data", os.path.abspath(DATA), "-o", "out", *options,
                timeout=300)
        return json.loads(self.read(f"out/{paper}-quick.json"))

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
