"""askfew reproduce monteleoni-2007 --quick, if the data exists."""

import json
import os
import unittest

from harness import ROOT, CliTest

DATA = os.environ.get("ASKFEW_DATA", os.path.join(ROOT, "..", "shared", "data"))
NEEDED = ("mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz", "usps/zip.train.gz", "usps/zip.test.gz")
NAME = "monteleoni-2007"


@unittest.skipUnless(all(os.path.exists(os.path.join(DATA, name)) for name in NEEDED), f"no digits in {DATA}")
class ReproduceMonteleoni(CliTest):
    def reproduce(self, output, *arguments):
        done = self.askfew("reproduce", NAME, "--quick", "--data", os.path.abspath(DATA), "-o", output, *arguments,
                           timeout=300)
        self.assertEqual(done.code, 0, done.err)
        return json.loads(self.read(f"{output}/{NAME}-quick.json"))

    def test_active_perceptrons_need_fewer_labels_than_random_ones(self):
        figures = self.reproduce("out", "--threads", "2")
        problems = {problem["name"]: problem for problem in figures["problems"]}
        self.assertEqual(len(problems), 7)
        for problem in problems.values():
            self.assertEqual(len(problem["samplers"]), 6)
            for sampler in problem["samplers"].values():
                curve = [labels for labels in sampler["labels_to_reach_errors"] if labels is not None]
                self.assertEqual(curve, sorted(curve, reverse=True))  # a lower error needs at least as many labels
        # Only where the paper's means differ by a factor of two or more.
        for name in ("MNIST 0v1", "MNIST 6v9"):
            labels = {preset: sampler["labels"]["mean"] for preset, sampler in problems[name]["samplers"].items()}
            self.assertLess(min(labels["dkm-perc"], labels["cbgz-perc"]), min(labels["rand-dkm"], labels["rand-perc"]))
        page = self.read(f"out/{NAME}-quick.html").decode()
        self.assertEqual(page.count("<svg"), 8)
        for claim in ("MNIST 0v1: DKMperc or CBGZperc needs significantly fewer labels", "MNIST 4v7: DKMperc needs as many labels",
                      "the paper 44.0 (standard error 2.2)", "USPS 147vAll: every sampler needs"):
            self.assertIn(claim, page)

        with self.subTest("the figures do not depend on the threads, nor on what is found on disk"):
            self.assertEqual(self.reproduce("alone", "--threads", "1"), figures)
            kept = [name for name in os.listdir(self.path("out/work")) if name.endswith(".jsonl")]
            before = self.read(f"out/work/{kept[0]}")
            self.assertEqual(self.reproduce("out"), figures)
            self.assertEqual(self.read(f"out/work/{kept[0]}"), before)


if __name__ == "__main__":
    unittest.main()
