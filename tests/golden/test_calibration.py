"""The probabilities of `askfew predict` against the reference's fit of the asked labels in the trace."""

import csv
import io
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, ROOT, os.path.join(ROOT, "tests", "cli")]

from compare import read_trace  # noqa: E402
from harness import binary_lines, text  # noqa: E402
from reference.calibration import platt, sigmoid  # noqa: E402
from test_golden import askfew  # noqa: E402


class Calibration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def check(self, *sampler, rounds=600):
        """Compares, and returns the number of labels that were asked."""
        data, trace, model = (os.path.join(self.folder, name) for name in ("data.svm", "trace.csv", "model"))
        with open(data, "w") as file:
            file.write(text(binary_lines(rounds)))
        askfew("run", data, *sampler, "--trace", trace, "--model", model, "--quiet")
        asked = [(row.margin, row.label > 0, getattr(row, "chance", row.probability)) for row in read_trace(trace) if row.asked]
        slope, offset = platt(asked)
        rows = list(csv.DictReader(io.StringIO(askfew("predict", model, data, "--output-format", "csv"))))
        self.assertEqual(len(rows), rounds)
        for row in rows:
            positive = float(sigmoid(slope * float(row["margin"]) + offset))
            wanted = positive if float(row["margin"]) > 0 else 1 - positive
            self.assertAlmostEqual(float(row["probability"]), wanted, delta=1e-7)
        return len(asked)

    def test_labels_asked_with_different_probabilities(self):
        self.check("--sampler", "sel-p:b=0.3")

    def test_only_the_last_labels_count(self):
        self.assertGreater(self.check("--sampler", "perc", rounds=900), 300)

    def test_a_learner_with_a_spread(self):
        self.check("--sampler", "sel-2nd:b=0.5", "--dimension", "30")

    def test_an_audit(self):
        self.check("--budget", "150", "--audit", "10%")


if __name__ == "__main__":
    unittest.main()
