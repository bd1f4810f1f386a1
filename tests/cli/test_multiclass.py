"""Runs with several classes and one decision per round."""

import csv
import io
import unittest

import numpy as np

from harness import CliTest, features, idx_files, instances, text

NAMES = ("0", "3", "4", "11")


def class_lines(rounds=300, dimension=20, seed=4):
    """Lines with one of four labels: the label with the largest score; a tenth of the labels are wrong."""
    rng = np.random.default_rng(seed + 1000)
    x = instances(rounds, dimension, seed)
    right = np.argmax(x @ rng.normal(size=(dimension, len(NAMES))), axis=1)
    noisy = np.where(rng.random(rounds) < 0.1, rng.integers(len(NAMES), size=rounds), right)
    return [f"{NAMES[k]} {features(row)}".rstrip() for k, row in zip(noisy, x)]


def decisions(trace):
    return list(csv.DictReader(io.StringIO(trace.decode())))


class MultiClass(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = class_lines()
        self.write("data", text(self.lines))

    def test_the_trace_and_the_results_agree(self):
        report = self.report("data", "--multiclass", "--sampler", "sel-p:b=0.5", "--trace", "t")
        rows = decisions(self.read("t"))
        self.assertEqual([row["round"] for row in rows], [str(k + 1) for k in range(300)])
        self.assertEqual({row["task"] for row in rows}, {"0"})
        self.assertEqual([row["label"] for row in rows], [line.split(" ")[0] for line in self.lines])
        self.assertTrue(all(float(row["margin"]) >= 0 for row in rows))
        for row in rows:
            self.assertEqual(float(row["probability"]), 0.5 / (0.5 + float(row["margin"])))
            self.assertEqual(row["asked"] == "1", float(row["coin"]) < float(row["probability"]))
        macro = report["macro"]
        self.assertEqual(report["multiclass"], True)
        self.assertEqual(macro["rounds"], 300)
        self.assertEqual(macro["asked"], sum(row["asked"] == "1" for row in rows))
        self.assertEqual(macro["updates"], sum(row["updated"] == "1" for row in rows))
        mistakes = sum(row["prediction"] != row["label"] for row in rows)
        self.assertEqual(macro["mistakes"], mistakes)
        self.assertAlmostEqual(macro["accuracy"], 1 - mistakes / 300)
        f1 = []
        for entry, name in zip(report["tasks"], NAMES, strict=True):
            self.assertEqual(entry["task"], name)
            right = sum(row["prediction"] == row["label"] == name for row in rows)
            either = sum((row["prediction"] == name) + (row["label"] == name) for row in rows)
            f1.append(2 * right / either)
            self.assertAlmostEqual(entry["f1"], f1[-1])
        self.assertAlmostEqual(macro["f1"], sum(f1) / len(f1))

    def test_the_text_has_asked_labels_and_a_row_per_class(self):
        out = self.ok("run", "data", "--multiclass", "--quiet", "--baseline").out
        self.assertRegex(out, r"\nrounds     300\nasked      \d+ of 300 labels \(")
        self.assertIn("\nasking for everything: accuracy ", out)
        self.assertRegex(out, r"\nclass +examples +precision +recall +F\n0 +\d+ ")
        self.assertEqual(out.count("\n11 "), 1)

    def test_classes_found_in_the_data_equal_named_classes(self):
        found = self.trace("data", "--multiclass")
        self.assertEqual(self.trace("data", "--multiclass", "--labels", "all"), found)
        self.assertEqual(self.trace("data", "--multiclass", "--labels", "0,3,4,11"), found)
        self.assertEqual(self.trace("-", "--multiclass", "--labels", "0,3,4,11", stdin=text(self.lines).encode()), found)
        self.refused(2, "run", "data", "--multiclass", "--labels", "0-11", says=["no example has the label '1'", "--labels"])

    def test_equal_margins_predict_the_class_that_is_named_first(self):
        first = decisions(self.trace("data", "--multiclass", "--labels", "4,11,0,3"))[0]
        self.assertEqual((first["margin"], first["prediction"]), ("0", "4"))

    def test_every_example_must_have_one_of_the_classes(self):
        says = "expected one of the classes as its label, found "
        for bad, found in (("7 1:1", "label '7' is not one of the classes '0', '3', '4', '11'"),
                           ("0,3 1:1", says + "2 of them"), (" 1:1", says + "none of them")):
            self.write("bad", text([*self.lines[:2], bad, *self.lines[3:]]))
            self.refused(3, "run", "bad", "--multiclass", "--labels", "0,3,4,11", says=found, place="bad:3:1")
        done = self.ok("run", "bad", "--multiclass", "--labels", "0,3,4,11", "--on-error", "skip", "--quiet")
        self.assertIn("rounds     299\n", done.out)

    def test_contradictory_options_are_refused(self):
        self.refused(2, "run", "data", "--multiclass", "--positive", "3", says="--positive and --multiclass exclude")
        self.refused(2, "run", "data", "--multiclass", "--labels", "3", says="needs at least two classes")
        self.refused(2, "run", "data", "--multiclass", "--sampler", "bbq", says=["rule variance", "spread"])
        self.refused(2, "run", "-", "--multiclass", says="a pipe is read only once", stdin=text(self.lines).encode())
        self.ok("run", "data", "--multiclass", "--model", "m", "--quiet")
        self.refused(2, "run", "data", "--resume", "m", "--multiclass", says="--multiclass cannot be given with --resume")

    def test_a_run_in_pieces_equals_the_whole_run(self):
        for sampler in ("sel-p", "sel-ada", "dkm2", "pa-log:next=1", "sel-2nd", "rbp:B=9"):
            options = ["--multiclass", "--sampler", sampler, "--labels", "0,3,4,11", "--normalize"]
            whole = self.trace("data", *options, "--model", "whole")
            self.write("part", text(self.lines[:120]))
            first = self.trace("part", *options, "--model", "half")
            self.write("part", text(self.lines[120:]))
            second = self.trace("part", "--resume", "half", "--model", "resumed")
            self.assertEqual(first + second.split(b"\n", 1)[1], whole, sampler)
            self.assertEqual(self.read("resumed"), self.read("whole"), sampler)

    def test_threads_and_saving_change_nothing(self):
        outputs = set()
        for threads in ("1", "2", "8"):
            trace = self.trace("data", "--multiclass", "--threads", threads, "--model", "m", "--save-every", "70", "--baseline")
            outputs.add((trace, self.read("m")))
        self.assertEqual(len(outputs), 1)

    def test_predictions_equal_those_of_a_run(self):
        """With the predictions as labels, a run that learns nothing shows the same classes and margins."""
        self.ok("run", "data", "--multiclass", "--sampler", "sel-p", "--model", "m", "--quiet")
        told = [line.split("\t") for line in self.ok("predict", "m", "data").out.splitlines()]
        self.assertEqual(len(told), 300)
        self.assertEqual({name for name, _ in told}, set(NAMES))
        first = decisions(self.trace("data", "--resume", "m"))[0]
        self.assertEqual([first["prediction"], first["margin"]], told[0])

    def test_inspect_shows_the_tensors_of_every_class(self):
        self.ok("run", "data", "--multiclass", "--sampler", "sel-p", "--model", "m", "--quiet")
        out = self.ok("inspect", "m").out
        self.assertIn("rounds     300\n", out)
        for tensor in ("decisions.tally.asked", "task0.learner.w", "task3.learner.w"):
            self.assertIn(tensor, out)

    def test_digits_can_be_classes(self):
        images, labels, _, _ = idx_files()
        self.write("images.gz", images)
        self.write("labels.gz", labels)
        report = self.report("images.gz", "--idx-labels", "labels.gz", "--multiclass", "--sampler", "hildreth")
        self.assertEqual([entry["task"] for entry in report["tasks"]], [str(k) for k in range(10)])

    def test_two_classes_decide_as_a_binary_task_at_twice_the_scale(self):
        """The two learners mirror each other, so their difference is twice the margin; the coins are the same."""
        binary = ["+1" + line[1:] if line.startswith("0 ") else "-1 " + line.partition(" ")[2] for line in self.lines]
        self.write("binary", text(binary))
        one = decisions(self.trace("binary", "--learner", "perceptron", "--rule", "margin:b=1", "--update", "asked"))
        two = decisions(self.trace("binary", "--learner", "perceptron", "--rule", "margin:b=2", "--update", "asked",
                                   "--multiclass"))
        self.assertEqual([(abs(2 * float(row["margin"])), row["probability"], row["asked"], row["prediction"]) for row in one],
                         [(float(row["margin"]), row["probability"], row["asked"], row["prediction"]) for row in two])


if __name__ == "__main__":
    unittest.main()
