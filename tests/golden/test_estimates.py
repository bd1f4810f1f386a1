"""Golden tests of estimates: the estimates of `askfew run --audit` compared with the naive reference, which reads the trace
and uses only the asked labels.

    ASKFEW=build/release/apps/cli/askfew python3 tests/golden/test_estimates.py
"""

import json
import tempfile
import unittest

from test_golden import askfew

from compare import read_trace  # test_golden has said where they are
from reference.count_sequence import bounds, f1_bounds
from reference.mistake_forecast import forecasts
from streams import write_streams

# A budget knows the number of rounds.
CASES = [("gaussian", "sel-p:b=0.3", 0.02, None), ("text", "sel-p-fixed:q=0.2", 0.1, None), ("integers", "pa-log", 0.05, "20%"),
         ("zeros", "sel-2nd:b=0.01", 0.3, None), ("gaussian", "sel-p:b=0.3", 0.05, "10%")]
ALPHA = 0.05


class Estimates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.streams = write_streams(cls.folder.name)

    def test_intervals_equal_their_definition(self):
        for name, sampler, audit, budget in CASES:
            with self.subTest(stream=name, sampler=sampler, budget=budget):
                self.check(self.streams[name], sampler, audit, budget)

    def check(self, stream, sampler, audit, budget):
        trace, report = stream.path + ".csv", stream.path + ".json"
        askfew("run", stream.path, "--sampler", sampler, "--audit", str(audit), "--dimension", str(stream.dimension),
               "--trace", trace, "--json", report, "--quiet", *(["--labels", stream.labels] if stream.labels else []),
               *(["--budget", budget] if budget else []))
        with open(report) as file:
            tasks = json.load(file)["tasks"]
        for task, got in enumerate(tasks):
            rows = [row for row in read_trace(trace) if row.task == task]
            for figure, expected in expectations(rows, audit * (1 - 1e-9), len(rows) if budget else 0).items():
                interval = got["estimate"]["whole"][figure]
                self.assertAlmostEqual(interval["low"], expected[0], 12, figure)
                self.assertAlmostEqual(interval["high"], expected[1], 12, figure)
                self.assertLessEqual(interval["low"], interval["value"])
                self.assertLessEqual(interval["value"], interval["high"])


def expectations(rows, audit, horizon):
    """The intervals of error, precision and F."""
    made = forecasts([(row.prediction, row.margin, row.asked, row.prediction != row.label) for row in rows])
    # A forecast is used where the label is covered, and asked with a chance below 1/2.
    used = [q if audit <= row.chance < 0.5 else 0 for row, q in zip(rows, made)]

    def of(prediction):
        chosen = [(row, q) for row, q in zip(rows, used) if prediction in (None, row.prediction)]
        labels = [(row.prediction != row.label, row.chance, q) for row, q in chosen if row.asked]
        return labels, len(chosen), sum(q for _, q in chosen)

    positives = sum(row.prediction == 1 for row in rows)
    low, high = bounds(*of(None), audit, ALPHA, horizon)
    wrong, most_wrong = bounds(*of(1), audit, ALPHA, horizon)
    return {"error": (low / len(rows), high / len(rows)),
            "f1": f1_bounds(of(1)[0], of(-1)[0], positives, len(rows) - positives, (of(1)[2], of(-1)[2]), audit, ALPHA, horizon),
            "precision": (share(positives - most_wrong, positives), share(positives - wrong, positives))}


def share(part, whole):
    return part / whole if whole else 0.0


if __name__ == "__main__":
    unittest.main()
