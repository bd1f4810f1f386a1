"""svmlight text from files, pipes and gzip, in all spellings; labels, positives, norms, dimensions."""

import gzip
import os
import threading
import unittest

import numpy as np

from harness import CliTest, binary_lines, features, instances, rows, text, topic_lines


class Sources(CliTest):
    """The same examples give the same trace wherever they come from and however they are spelled."""

    def setUp(self):
        super().setUp()
        self.lines = binary_lines(2000)
        self.text = text(self.lines).encode()
        self.write("data.svm", self.text)
        self.expected = self.trace("data.svm")

    def same(self, *arguments, **options):
        self.assertTrue(self.trace(*arguments, **options) == self.expected, "the traces differ")

    def test_a_pipe_and_a_redirection_give_the_same_trace(self):
        self.same("-", stdin=self.text)
        with open(self.path("data.svm"), "rb") as file:
            self.same("-", stdin=file)
        self.same("/dev/stdin", stdin=self.text)

    def test_a_named_pipe_gives_the_same_trace(self):
        os.mkfifo(self.path("fifo"))
        writer = threading.Thread(target=self.write, args=("fifo", self.text))
        writer.start()
        self.same("fifo")
        writer.join()

    def test_a_slow_pipe_gives_the_same_trace(self):
        read, write = os.pipe()
        def trickle():
            with os.fdopen(write, "wb", buffering=0) as pipe:
                for begin in range(0, len(self.text), 1009):
                    pipe.write(self.text[begin:begin + 1009])
        writer = threading.Thread(target=trickle)
        writer.start()
        with os.fdopen(read, "rb") as pipe:
            self.same("-", stdin=pipe)
        writer.join()

    def test_gzip_is_recognized_by_content_and_not_by_name(self):
        packed = gzip.compress(self.text)
        self.same(self.write("data.svm.gz", packed))
        self.same(self.write("data.txt", packed))
        self.same("-", stdin=packed)
        self.same(self.write("plain.gz", self.text))

    def test_gzip_of_several_members_gives_the_same_trace(self):
        half = self.text.index(b"\n", len(self.text) // 2) - 5  # in the middle of a line
        self.same("-", stdin=gzip.compress(self.text[:half]) + gzip.compress(self.text[half:]))

    def test_line_ends_change_nothing(self):
        self.same(self.write("crlf", self.text.replace(b"\n", b"\r\n")))
        self.same(self.write("unfinished", self.text[:-1]))
        self.same(self.write("unfinished crlf", self.text.replace(b"\n", b"\r\n")[:-2]))

    def test_comments_and_blanks_change_nothing(self):
        spelled = ["# header", ""]
        for k, line in enumerate(self.lines):
            spelled += [line, line + " # 1:2", line + "#comment", line.replace(" ", "\t"), line.replace(" ", "   ") + "  ",
                        line + " \t"][k % 6:k % 6 + 1]
            spelled += [["", "   ", "# 3,17 1:x", "  # 1:1", "\t"][k % 5]] * (k % 3 == 0)
        self.same(self.write("spelled", text(spelled)))

    def test_spellings_of_labels_change_nothing(self):
        spelled = [line.replace("+1", ["1", "+1", "1.0", "1"][k % 4], 1) if line[0] == "+" else
                   line.replace("-1", ["-1", "0", "-1.0", "+0"][k % 4], 1) for k, line in enumerate(self.lines)]
        self.same(self.write("spelled", text(spelled)))

    def test_spellings_of_numbers_change_nothing(self):
        """Zeros give no features, and an exponent or a plus sign changes nothing."""
        def spell(line, k):
            label, *pairs = line.split()
            spelled = []
            for index, value in (pair.split(":") for pair in pairs):
                spelled.append(f"{index}:{float(value):+.17e}" if k % 2 else f"00{index}:{value}")
            return " ".join([label, *spelled, "31:0", "77:-0.0", "134217728:0e9"])
        self.same(self.write("spelled", text(spell(line, k) for k, line in enumerate(self.lines))))

    def test_a_dimension_that_fits_changes_nothing(self):
        self.same("data.svm", "--dimension", "30")
        self.same("-", "--dimension", "1000000", stdin=self.text)

    def test_a_named_format_gives_the_same_trace(self):
        self.same("data.svm", "--format", "svmlight")
        self.same("-", "--format", "auto", stdin=self.text)

    def test_winnow_finds_the_dimension_of_a_file(self):
        scanned = self.trace("data.svm", "--sampler", "sel-winnow")
        self.assertEqual(self.trace("-", "--sampler", "sel-winnow", "--dimension", "30", stdin=self.text), scanned)
        self.assertNotEqual(self.trace("data.svm", "--sampler", "sel-winnow", "--dimension", "60"), scanned)

    def test_a_line_of_five_megabytes_is_read(self):
        count = 600_000
        line = "+1 " + " ".join(f"{i}:1" for i in range(1, count + 1))
        self.assertGreater(len(line), 5_000_000)
        data = text(["-1 1:1", line, line, "-1 2:3", line]).encode()
        for name, trace in (("file", self.trace(self.write("long", data), "--sampler", "perc")),
                            ("pipe", self.trace("-", "--sampler", "perc", stdin=data))):
            with self.subTest(name):
                self.assertEqual([row.margin for row in rows(trace)], [0, 0, count, 3, count - 3])


class Labels(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = topic_lines(200, topics=6)
        self.given = [set(map(int, filter(None, line.split(" ")[0].split(",")))) for line in self.lines]
        self.write("topics", text(self.lines))

    def labels(self, *arguments, **options):
        """The labels of every task, round by round."""
        trace = rows(self.trace(*arguments, **options))
        tasks = 1 + max(row.task for row in trace)
        return [[row.label > 0 for row in trace[k:k + tasks]] for k in range(0, len(trace), tasks)]

    def test_lines_without_labels_count_as_rounds(self):
        self.assertIn(set(), self.given)
        self.assertTrue(any(len(labels) > 1 for labels in self.given))

    def test_each_chosen_label_makes_a_task(self):
        for chosen, numbers in (("all", range(6)), ("0-5", range(6)), ("3,1", (3, 1)), ("1-3,5", (1, 2, 3, 5)), ("4", (4,))):
            with self.subTest(chosen):
                expected = [[number in labels for number in numbers] for labels in self.given]
                self.assertEqual(self.labels("topics", "--labels", chosen), expected)
                names = [entry["task"] for entry in self.report("topics", "--labels", chosen)["tasks"]]
                self.assertEqual(names, [str(number) for number in numbers])

    def test_by_default_all_labels_of_a_multi_label_file_are_tasks(self):
        self.assertEqual(self.trace("topics"), self.trace("topics", "--labels", "all"))

    def test_named_labels_work_from_a_pipe(self):
        self.assertEqual(self.trace("-", "--labels", "0-5", stdin=text(self.lines).encode()), self.trace("topics"))

    def test_positive_makes_one_task_of_several_labels(self):
        self.assertEqual(self.labels("topics", "--positive", "1,4"), [[bool(labels & {1, 4})] for labels in self.given])
        self.assertEqual(self.labels("topics", "--positive", "0-2"), [[bool(labels & {0, 1, 2})] for labels in self.given])

    def test_single_labels_can_be_tasks_or_positive(self):
        classes = [k * k % 5 for k in range(100)]
        self.write("classes", text(f"{c} {line.partition(' ')[2]}" for c, line in zip(classes, self.lines)))
        self.assertEqual(self.labels("classes", "--labels", "all"), [[c == n for n in (0, 1, 4)] for c in classes])
        self.assertEqual(self.labels("classes", "--positive", "4"), [[c == 4] for c in classes])


class Norms(CliTest):
    def test_normalized_margins_equal_those_of_the_perceptron_on_instances_of_norm_1(self):
        """Zero vectors stay zero."""
        x = instances(200, 12, seed=6) * np.exp(np.random.default_rng(6).normal(size=(200, 1)) * 3)
        x[::20] = 0
        y = np.where(np.arange(200) % 3 > 0, 1, -1)
        self.write("data", text(f"{label:+d} {features(row)}" for label, row in zip(y, x)))
        norms = np.linalg.norm(x, axis=1, keepdims=True)
        w = np.zeros(12)
        for row, unit, label in zip(rows(self.trace("data", "--sampler", "perc", "--normalize")),
                                    x / np.where(norms > 0, norms, 1), y):
            self.assertAlmostEqual(row.margin, w @ unit, delta=1e-9)
            if (row.margin > 0) != (label > 0):
                w += label * unit

    def test_huge_and_tiny_instances_are_normalized(self):
        self.write("data", "+1 1:3e300 2:4e300\n+1 1:3e-300 2:4e-300\n-1 1:5e-300\n")
        margins = [row.margin for row in rows(self.trace("data", "--sampler", "perc", "--normalize"))]
        for margin, expected in zip(margins, (0, 1, 0.6)):
            self.assertAlmostEqual(margin, expected, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
