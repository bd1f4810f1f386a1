"""Small versions of the experiments on shifting streams and of those of the slides."""

import json
import os
import unittest

from harness import CliTest

DATA = os.environ.get("ASKFEW_DATA", "")
HAS_USPS = os.path.exists(os.path.join(DATA, "usps")) if DATA else False


class Reproduce(CliTest):
    def figures(self, paper, *options):
        self.ok("reproduce", paper, "--quick", "--quiet", "-o", "out", *options, timeout=300)
        page = self.read(f"out/{paper}-quick.html").decode()
        self.assertIn("<svg", page)
        return json.loads(self.read(f"out/{paper}-quick.json"))

    def holding(self, figures):
        return [verdict["claim"] for verdict in figures["verdicts"] if verdict["holds"]]


class MoroshkoCrammer2014(Reproduce):
    def accuracy(self, part, rate, name):
        return next(result["accuracy"]["mean"] for result in part["results"]
                    if result["rate"] == rate and result["name"] == name)

    def test_lasec_is_the_best_if_the_target_shifts(self):
        figures = self.figures("moroshko-2014", "--data", "none")
        self.assertIn("is missing", figures["left_out"])
        part, = figures["parts"]
        self.assertEqual(part["source"], "shifting Gaussian")
        for other in "SOP-SS", "Perceptron-SS", "BBQ", "BBQ-I":
            self.assertGreater(self.accuracy(part, 0.4, "LASEC-SS"), self.accuracy(part, 0.4, other), other)
        for other in "SOP", "Perceptron", "Shifting", "Modified", "Randomized Budget":
            self.assertGreater(self.accuracy(part, 1, "LASEC"), self.accuracy(part, 1, other), other)
        for result in part["results"]:
            self.assertAlmostEqual(result["share"]["mean"], result["rate"], delta=0.25 * result["rate"])

    def test_a_continued_experiment_gives_the_same_figures_on_any_number_of_threads(self):
        first = self.figures("moroshko-2014", "--data", "none", "--threads", "2")
        kept = [name for name in os.listdir(self.path("out/work")) if name.startswith("moroshko-2014-quick")]
        lines = self.read(f"out/work/{kept[0]}").splitlines(keepends=True)
        self.write(f"out/work/{kept[0]}", b"".join(lines[:len(lines) // 2]))
        self.assertEqual(first, self.figures("moroshko-2014", "--data", "none", "--threads", "1"))

    @unittest.skipUnless(HAS_USPS, "ASKFEW_DATA names no folder with usps")
    def test_on_shifting_digits_second_order_samplers_are_better(self):
        figures = self.figures("moroshko-2014")
        self.assertNotIn("left_out", figures)
        part = figures["parts"][1]
        self.assertEqual(part["source"], "shifting USPS")
        self.assertGreater(self.accuracy(part, 0.4, "LASEC-SS"), self.accuracy(part, 0.4, "BBQ"))
        self.assertGreater(self.accuracy(part, 1, "SOP"), self.accuracy(part, 1, "Modified"))


class DriftRates(Reproduce):
    def test_the_bank_is_within_1_point_of_the_best_drift_rate(self):
        self.ok("reproduce", "drift-rates", "--quick", "--quiet", "-o", "out", "--data", "none")
        figures = json.loads(self.read("out/drift-rates-quick.json"))
        self.assertIn("is missing", figures["left_out"])
        part, = figures["parts"]
        for rate in 1, 0.1, 0.4:
            accuracy = {result["name"]: result["accuracy"]["mean"] for result in part["results"]
                        if result["rate"] == rate}
            bank = accuracy.pop("lasec-bank")
            self.assertGreater(bank, max(accuracy.values()) - 0.01, rate)
            self.assertGreater(bank, min(accuracy.values()) + 0.01, rate)


class Slides(Reproduce):
    def test_bounds_margins_budgets_and_few_labels(self):
        figures = self.figures("slides")
        for row in figures["mistakes"]:
            self.assertLessEqual(row["worst_share"], 1, row)
        for row in figures["alma"]:
            self.assertGreaterEqual(row["share"], 1 - row["alpha"], row)
            self.assertLessEqual(row["share"], 1 + 1e-3, "no margin is larger than the largest")
        stationary = [row["mistakes_percent"] for row in figures["budget"] if row["stream"] == "stationary"]
        self.assertGreater(stationary[0], stationary[-1], "25 supports against all of them")
        even = [row for row in figures["selective"] if "separable" in row["stream"]]
        for row in even:
            self.assertGreater(row["selective"], row["random"], row)
        for claim in self.holding(figures):
            self.assertIn("Part ", claim)
        self.assertIn("unbounded number of mistakes", " ".join(self.holding(figures)))

    def test_the_same_seed_gives_the_same_figures(self):
        first = self.figures("slides", "--threads", "1")
        self.assertEqual(first, self.figures("slides", "--threads", "3", "--afresh"))
        self.assertNotEqual(first["mistakes"], self.figures("slides", "--seed", "2")["mistakes"])


if __name__ == "__main__":
    unittest.main()
