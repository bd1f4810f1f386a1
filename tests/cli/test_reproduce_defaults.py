"""The default beside every preset, on small made-up data."""

import json
import os
import random
import unittest

from harness import CliTest


class Defaults(CliTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        os.makedirs(self.path("data/sms_spam"))
        os.makedirs(self.path("data/streams"))
        words = {"ham": "lunch home see you later ok thanks", "spam": "win cash prize call now free claim"}
        lines = []
        for _ in range(400):
            label = "spam" if draw.random() < 0.25 else "ham"
            text = [draw.choice(words[label].split()) for _ in range(4)] + [draw.choice("abcdefgh") for _ in range(2)]
            lines.append(f"{label}\t{' '.join(text)}\n")
        self.write("data/sms_spam/SMSSpamCollection", "".join(lines))
        rows = []
        for _ in range(400):
            x = [draw.gauss(0, 1), draw.gauss(0, 100)]
            rows.append(f"{'+1' if x[0] + 0.01 * x[1] > 0.5 else '-1'} 1:{x[0]:.4f} 2:{x[1]:.4f}\n")
        self.write("data/streams/mine.svm", "".join(rows))

    def figures(self, *options):
        self.ok("reproduce", "defaults", "--quick", "--quiet", "--data", "data", "-o", "out", *options, timeout=300)
        return json.loads(self.read("out/defaults-quick.json"))

    def test_every_set_comes_in_all_its_variants(self):
        figures = self.figures()
        variants = {(cell["set"], cell["variant"]) for cell in figures["cells"]}
        for name in "as read", "counts", "tf-idf, unit norms", "character 3-5-grams", "classes exchanged":
            self.assertIn(("sms_spam", name), variants)
        for name in "as read", "unit norms", "scales from 0.001 to 1,000", "a column of identifiers", "shuffled":
            self.assertIn(("mine.svm", name), variants)
        self.assertIn("a9a", figures["left_out"])

    def test_every_preset_runs_on_a_set_as_it_is_read(self):
        cells = [cell for cell in self.figures()["cells"] if cell["set"] == "mine.svm" and cell["variant"] == "as read"]
        samplers = {cell["sampler"] for cell in cells}
        self.assertTrue({"auto", "auto's learner, at random", "pa-log", "arow-log", "dgs", "sel-p"} <= samplers)
        for cell in cells:
            self.assertLessEqual(max(cell["spent"]), 1)
            self.assertGreaterEqual(cell["share"] * cell["rounds"], 10)

    def test_a_stopped_run_goes_on_to_the_same_figures(self):
        first = self.figures("--threads", "2")
        kept, = (name for name in os.listdir(self.path("out/work")) if name.endswith(".jsonl"))
        lines = self.read(f"out/work/{kept}").splitlines(keepends=True)
        self.write(f"out/work/{kept}", b"".join(lines[:len(lines) // 2]))
        self.assertEqual(first, self.figures("--threads", "1"))

    def test_the_default_learns_a_simple_stream(self):
        error = {cell["share"]: cell["error"] for cell in self.figures()["cells"]
                 if cell["set"] == "mine.svm" and cell["variant"] == "as read" and cell["sampler"] == "auto"}
        self.assertLess(error[0.2], 0.2)


if __name__ == "__main__":
    unittest.main()
