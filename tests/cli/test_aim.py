"""An aim changes predictions and nothing else, is stored in a model, and what cannot be is refused."""

import unittest

from harness import CliTest, binary_lines, rows, text


class Aims(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines(2000)
        self.write("data", text(self.lines))

    def columns(self, *options):
        self.ok("run", "data", "--budget", "10%", *options, "--trace", "t", "--quiet")
        trace = rows(self.read("t"))
        return [(row.margin, row.probability, row.asked, row.updated) for row in trace], [row.prediction for row in trace]

    def test_questions_and_learning_are_those_of_accuracy_and_predictions_are_not(self):
        questions, predictions = self.columns()
        for aim in ("f1", "recall=0.99", "precision=0.99"):
            with self.subTest(aim=aim):
                others, changed = self.columns("--aim", aim)
                self.assertEqual(others, questions)
                if aim != "f1":
                    self.assertNotEqual(changed, predictions)
        self.assertEqual(self.columns("--aim", "accuracy"), (questions, predictions))

    def test_recall_calls_more_positives_and_precision_fewer(self):
        called = {aim: sum(prediction > 0 for prediction in self.columns("--aim", aim)[1])
                  for aim in ("accuracy", "recall=0.99", "precision=0.99")}
        self.assertGreater(called["recall=0.99"], called["accuracy"])
        self.assertLess(called["precision=0.99"], called["accuracy"])

    def test_a_model_predicts_with_its_aim(self):
        positives = {}
        for aim in ("accuracy", "recall=0.99"):
            self.ok("run", "data", "--budget", "10%", "--aim", aim, "--model", "model", "--quiet")
            positives[aim] = sum(line.split()[0] in ("1", "+1") for line in self.ok("predict", "model", "data").out.splitlines())
        self.assertGreater(positives["recall=0.99"], positives["accuracy"])

    def test_a_run_that_is_resumed_has_the_same_cut(self):
        options = ["--budget", "10%", "--horizon", "2000", "--dimension", "30", "--aim", "recall=0.95", "--quiet"]
        self.ok("run", "data", *options, "--model", "whole")
        self.write("first", text(self.lines[:777]))
        self.write("second", text(self.lines[777:]))
        self.ok("run", "first", *options, "--model", "part")
        self.ok("run", "second", "--resume", "part", "--model", "part", "--quiet")
        self.assertTrue(self.read("part") == self.read("whole"), "the models differ")

    def test_compare_and_tune_take_an_aim(self):
        self.ok("compare", "data", "--samplers", "sel-p", "--rates", "10%", "--runs", "2", "--aim", "f1", "--quiet")
        self.ok("tune", "data", "--grid", "C=0.1,1", "--rate", "20%", "--aim", "recall=0.9", "--runs", "1", "--quiet")

    def test_the_report_names_the_aim(self):
        self.assertIn("aim        f1\n", self.ok("run", "data", "--budget", "5%", "--aim", "f1", "--quiet").out)
        self.assertNotIn("aim ", self.ok("run", "data", "--budget", "5%", "--quiet").out)

    def test_impossible_aims_are_refused(self):
        for aim in ("F", "recall", "recall=2", "precision=0", "recall=0.9,precision=0.9"):
            with self.subTest(aim=aim):
                self.refused(2, "run", "data", "--aim", aim, says=["none of: accuracy, f1, recall=R", aim])
        self.refused(2, "run", "data", "--multiclass", "--aim", "f1", says="not for classes")


class RemovedAlgorithms(CliTest):
    def test_a_name_of_an_earlier_version_says_what_took_its_place(self):
        self.write("data", text(binary_lines(20)))
        self.refused(2, "run", "data", "--learner", "council:eta=0.3", "--rule", "always", says=["council was removed", "scaled-logistic"])
        self.refused(2, "run", "data", "--learner", "pa", "--rule", "soft-threshold", says=["soft-threshold was removed", "threshold"])


class CountWithoutHorizon(CliTest):
    def test_its_first_labels_are_asked_at_once_and_the_assumption_is_told(self):
        lines = text(binary_lines(2000)).encode()
        told = self.ok("run", "-", "--budget", "100", "--trace", "t", "--quiet", stdin=lines).out
        self.assertIn("assumed    about 2,000 rounds, 20 per label", told)
        asked = [row.round for row in rows(self.read("t")) if row.asked]
        self.assertEqual(asked[0], 1)
        self.assertTrue(75 <= len(asked) <= 100, len(asked))
        self.assertGreater(sum(round <= 500 for round in asked), 40)
        self.assertNotIn("assumed", self.ok("run", "-", "--budget", "100", "--horizon", "2000", "--quiet", stdin=lines).out)


if __name__ == "__main__":
    unittest.main()
