"""Synthetic streams can be used wherever a file can."""

import json
import unittest

from harness import CliTest, binary_lines, catalog, rows, text

GAUSSIAN = "synthetic:shifting-gaussian:d=20,n=600,switch=200"
TEXT = "synthetic:sparse-text:n=800,vocabulary=3000,words=20,topics=8"


def decisions(trace):
    """The trace without margins, whose last digits differ between sparse and dense instances."""
    return [(row.round, row.task, row.asked, row.prediction, row.label, row.updated) for row in rows(trace)]


class Synthetic(CliTest):
    def test_every_stream_gives_the_same_run_as_its_svmlight_text(self):
        for stream in catalog()["streams"]:
            with self.subTest(stream=stream["name"]):
                spec = f"synthetic:{stream['name']}:n=300,seed=4"
                self.ok("convert", spec, "--to", "svmlight", "-o", "data.svm")
                self.assertEqual(len(self.read("data.svm").splitlines()), 300)
                from_spec = self.trace(spec)
                self.assertEqual(len(rows(from_spec)), 300)
                self.assertEqual(decisions(from_spec), decisions(self.trace("data.svm")))
                self.ok("convert", spec, "-o", "data.cache")
                self.assertEqual(from_spec, self.trace("data.cache"))

    def test_neither_threads_nor_the_seed_of_the_run_change_the_stream(self):
        expected = self.trace(TEXT, "--seed", "1", "--threads", "1", "--labels", "1-3")
        self.assertEqual(expected, self.trace(TEXT, "--seed", "1", "--threads", "3", "--labels", "1-3"))
        labels = [row.label for row in rows(self.trace(GAUSSIAN, "--seed", "1", "--sampler", "sel-p"))]
        self.assertEqual(labels, [row.label for row in rows(self.trace(GAUSSIAN, "--seed", "2", "--sampler", "sel-p"))])
        self.assertNotEqual(labels, [row.label for row in rows(self.trace(GAUSSIAN + ",seed=2", "--sampler", "sel-p"))])

    def test_a_separable_stream_is_learned_and_noise_is_not(self):
        clean = self.report("synthetic:separable:n=4000,margin=0.3", "--sampler", "perc")
        noisy = self.report("synthetic:separable:n=4000,margin=0.3,noise=0.4", "--sampler", "perc")
        self.assertLessEqual(clean["tasks"][0]["mistakes"], 1 / 0.3**2, "the perceptron's bound")
        self.assertGreater(noisy["tasks"][0]["mistakes"], 0.3 * 4000)

    def test_options_that_need_a_first_pass_work(self):
        self.ok("run", GAUSSIAN, "--sampler", "winnow", "--quiet")
        self.ok("run", GAUSSIAN, "--bias", "1", "--normalize", "--sampler", "winnow", "--quiet")
        tasks = self.report(TEXT, "--topics", "3")["tasks"]
        self.assertEqual([task["task"] for task in tasks], ["1", "2", "3"])
        self.assertEqual(len(self.report(TEXT)["tasks"]), 8, "one task per topic")

    def test_a_model_can_be_resumed_and_predicts(self):
        self.ok("run", "synthetic:separable:d=10,n=500", "--model", "half", "--quiet")
        self.ok("run", "synthetic:separable:d=10,n=300,seed=2", "--resume", "half", "--model", "resumed", "--quiet")
        self.ok("run", "synthetic:separable:d=10,n=500", "synthetic:separable:d=10,n=300,seed=2", "--model", "whole",
                "--quiet")
        self.assertEqual(self.read("resumed"), self.read("whole"))
        predictions = self.ok("predict", "whole", "synthetic:separable:d=10,n=200").out.splitlines()
        self.assertEqual(len(predictions), 200)
        self.assertIn("more than the dimension 10", self.complaint(
            self.askfew("predict", "whole", "synthetic:separable:d=11"), 2))

    def test_files_and_synthetic_streams_can_be_combined(self):
        self.write("data.svm", text(binary_lines(100, dimension=20)))
        self.ok("convert", GAUSSIAN, "--to", "svmlight", "-o", "gaussian.svm")
        expected = decisions(self.trace("data.svm", "gaussian.svm", "--sampler", "winnow"))
        self.assertEqual(len(expected), 700)
        self.assertEqual(expected, decisions(self.trace("data.svm", GAUSSIAN, "--sampler", "winnow")))

    def test_a_file_with_the_name_of_a_stream_can_be_read_by_its_path(self):
        self.write("synthetic:separable", text(binary_lines(50)))
        self.assertEqual(len(rows(self.trace("./synthetic:separable"))), 50)
        self.assertEqual(len(rows(self.trace("synthetic:separable"))), 10_000)

    def test_a_cache_names_its_source(self):
        self.ok("convert", "synthetic:separable:n=10", "-o", "data.cache")
        self.assertIn(b"synthetic:separable:d=50,margin=0.1,n=10,noise=0,seed=1", self.read("data.cache"))

    def test_the_list_has_every_parameter(self):
        listed = self.ok("list").out
        for stream in json.loads(self.ok("list", "--json").out)["streams"]:
            self.assertIn(f"  {stream['name']} ", listed)
            self.assertLessEqual({"n", "seed"}, {param["name"] for param in stream["params"]})
            for param in stream["params"]:
                self.assertIn(param["help"], listed)
        self.assertIn("synthetic:NAME", self.ok("run", "--help").out)

    def test_wrong_streams_and_parameters_are_refused(self):
        for spec, says in [("synthetic:gauss", "known: shifting-gaussian, linear-noise, separable, sparse-text"),
                           ("synthetic:seperable", "did you mean 'separable'?"),
                           ("synthetic:separable:gap=1", "has no parameter 'gap': known: d, n, margin, noise, seed"),
                           ("synthetic:separable:margin=2", "margin = 2 is out of range, accepted: [0, 1]"),
                           ("synthetic:separable:n=1.5", "n = 1.5 is out of range, accepted: integer >= 1"),
                           ("synthetic:separable:d=many", "d = 'many' is not a number"),
                           ("synthetic:sparse-text:words=9,vocabulary=10", "more than half of the vocabulary of 10"),
                           ("synthetic:separable:d=50", "more than the dimension 7")]:
            with self.subTest(spec=spec):
                self.refused(2, "run", spec, "--dimension", "7", says=says)
        self.refused(2, "run", "synthetic:separable", "--cache", says="--cache: synthetic:separable is no file on a disk")
        self.refused(3, "run", "synthetic:separable", "--order", "time", says="has no time to sort by")


if __name__ == "__main__":
    unittest.main()
