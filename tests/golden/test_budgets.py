"""Golden tests of budgets and aims: `askfew run --budget --trace` against the reference's pacer, and --aim against its cut."""

import json
import math
import os
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, ROOT]

from compare import compare, read_trace  # noqa: E402
from reference import svmlight  # noqa: E402
from reference.aim import CalibratedCut  # noqa: E402
from reference.pacing import Pacer, Plan  # noqa: E402
from reference.replay import replay  # noqa: E402
from streams import Stream, write_brief_streams, write_streams  # noqa: E402
from test_golden import askfew, with_defaults  # noqa: E402


class Budgets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.catalog = json.loads(askfew("list", "--json"))
        os.mkdir(brief := os.path.join(cls.folder, "brief"))
        cls.streams = [stream for write, where in ((write_streams, cls.folder), (write_brief_streams, brief))
                       for stream in write(where).values() if not stream.labels]

    def compare(self, stream, learner, budget, pacer=None, aim=None, options=(), audit=0):
        path = os.path.join(self.folder, "trace.csv")
        unit = ["--normalize"] if stream.unit else []
        askfew("run", stream.path, "--learner", learner, "--rule", "threshold", "--seed", "3", "--dimension", str(stream.dimension),
               "--trace", path, "--quiet", *(["--budget", budget] if budget else []), *options, *unit)
        data = svmlight.read(stream.path, None, dimension=stream.dimension, normalize=stream.unit)
        spec = with_defaults(learner, self.catalog["learners"])
        rule = with_defaults("threshold", self.catalog["rules"])
        compare(read_trace(path), lambda seen: replay(*data, spec, rule, None, 3, seen, pacer, aim, audit))

    def rounds(self, stream):
        with open(stream.path) as file:
            return sum(1 for line in file if line.strip())

    def test_a_count_or_a_share_of_a_file_is_spent_early(self):
        for stream in self.streams:
            rounds = self.rounds(stream)
            for learner in ("logistic", "scaled-logistic:full=0") if rounds < 1000 else ("logistic",):
                for budget, labels in (("8", 8), ("40", 40), ("5%", math.floor(rounds / 20)), ("30%", math.floor(0.3 * rounds))):
                    if 1 <= labels <= rounds:
                        with self.subTest(stream=stream.path, learner=learner, budget=budget):
                            self.compare(stream, learner, budget, lambda: Pacer(Plan(labels, rounds), 1))

    def test_the_labels_of_an_audit_are_set_aside(self):
        for stream in self.streams:
            rounds = self.rounds(stream)
            for share, audit in ((0.1, 0.01), (0.1, 0.08), (0.3, 0.05)):
                labels = math.floor(share * rounds + 1e-9)
                if labels >= 1:
                    with self.subTest(stream=stream.path, share=share, audit=audit):
                        self.compare(stream, "logistic", str(labels), lambda: Pacer(Plan(labels, rounds, audit), 1),
                                     options=["--audit", str(audit)], audit=audit)

    def test_after_4096_rounds_the_scale_moves_in_every_8th_and_then_less_often(self):
        rounds = 36_000  # the strides are 8, 16 and 32, and before the end 16 and 8 again
        rng = np.random.default_rng(5)
        x = rng.normal(size=(rounds, 4)).round(2)
        y = np.sign(x @ [1, -2, 0.5, 0] + rng.normal(size=rounds))
        path = os.path.join(self.folder, "long.svm")
        with open(path, "w") as file:
            file.writelines(f"{int(label):+d} " + " ".join(f"{i + 1}:{v!r}" for i, v in enumerate(map(float, row))) + "\n"
                            for label, row in zip(y, x))
        self.compare(Stream("long", path, 4, None, False), "logistic", "900", lambda: Pacer(Plan(900, rounds), 1))

    def test_aims(self):
        for stream in self.streams:
            for kind, level in (("f1", 0), ("recall", 0.9), ("precision", 0.8)):
                aim = f"{kind}={level}" if level else kind
                with self.subTest(stream=stream.path, aim=aim):
                    self.compare(stream, "logistic", None, None, lambda: CalibratedCut(kind, level), ["--aim", aim])


if __name__ == "__main__":
    unittest.main()
