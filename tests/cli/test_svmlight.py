"""Dialects of svmlight text: labels 1 and 2, indices from 0, qid, and what a model remembers about them."""

import unittest

from harness import CliTest, binary_lines, rows, text


def relabelled(lines, names):
    """The same lines with other labels for -1 and +1."""
    return [f"{names[line.split(' ', 1)[0] == '+1']} {line.partition(' ')[2]}".rstrip() for line in lines]


def from_zero(lines):
    """The same lines with indices that count from 0."""
    def pair(token):
        index, value = token.split(":")
        return f"{int(index) - 1}:{value}"
    return [" ".join([line.split()[0]] + [pair(token) for token in line.split()[1:]]) for line in lines]


class Labels(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines()
        self.write("usual", text(self.lines))
        self.expected = self.trace("usual", "--sampler", "sel-p")

    def test_all_conventions_of_binary_labels_give_the_same_run(self):
        for names in ((-1, 1), (0, 1), (1, 2), ("1.0", "2.0")):
            with self.subTest(names):
                self.write("data", text(relabelled(self.lines, names)))
                self.assertEqual(self.trace("data", "--sampler", "sel-p"), self.expected)

    def test_a_third_label_is_an_error(self):
        self.write("bad.svm", text(relabelled(self.lines, (1, 2))) * 30 + "3 1:1\n")
        number = 30 * len(self.lines) + 1
        self.refused(3, "run", "bad.svm", place=rf"bad\.svm:{number}:1", says=["label 3 is not 1 or 2", "--positive"])

    def test_labels_1_and_2_with_a_third_label_are_refused_as_binary_labels(self):
        for other in ("0", "-1", "3"):
            with self.subTest(other):
                self.write("bad.svm", f"1 1:1\n2 1:1\n{other} 1:1\n")
                self.refused(3, "run", "bad.svm", place=r"bad\.svm:2:1", says=["label 2 is not -1, 0 or +1"])

    def test_named_labels_override_the_detected_convention(self):
        self.write("data", text(relabelled(self.lines, (1, 2))))
        self.assertEqual(self.trace("data", "--sampler", "sel-p", "--positive", "2"), self.expected)
        first = rows(self.trace("data", "--sampler", "perc", "--labels", "1,2"))[:2]
        self.assertEqual([row.label for row in first].count(1), 1)

    def test_a_pipe_with_labels_1_and_2_needs_positive(self):
        data = text(relabelled(self.lines, (1, 2))).encode()
        self.refused(2, "run", "-", stdin=data, says=["1 and 2", "--positive 2"])
        self.assertEqual(self.trace("-", "--sampler", "sel-p", "--positive", "2", stdin=data), self.expected)

    def test_a_model_remembers_what_its_labels_mean(self):
        """The second half has only the label 1, which would be positive by itself."""
        ones = [line for line in self.lines if line.startswith("-1")]
        self.write("first", text(relabelled(self.lines, (1, 2))))
        self.write("second", text(relabelled(ones, (1, 2))))
        self.write("usual_second", text(ones))
        for name, second in (("first", "second"), ("usual", "usual_second")):
            self.ok("run", name, "--sampler", "sel-p", "--model", "model", "--quiet")
            self.ok("run", second, "--resume", "model", "--trace", f"{second}.csv", "--quiet")
        self.assertEqual(self.read("second.csv"), self.read("usual_second.csv"))

    def test_a_model_of_minus_1_refuses_2(self):
        self.ok("run", "usual", "--model", "model", "--quiet")
        self.write("other", "1 1:1\n2 2:1\n")
        self.refused(2, "run", "other", "--resume", "model", says="1 and 2, not -1 and +1")


class Indices(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines()
        self.write("usual", text(self.lines))
        self.write("zero", text(from_zero(self.lines)))
        self.expected = self.trace("usual", "--sampler", "sel-p")

    def test_an_index_base_of_0_shifts_all_features(self):
        for base in ("0", "auto"):
            with self.subTest(base):
                self.assertEqual(self.trace("zero", "--sampler", "sel-p", "--index-base", base), self.expected)
        self.assertEqual(self.trace("usual", "--sampler", "sel-p", "--index-base", "auto"), self.expected)

    def test_several_files_have_the_same_index_base(self):
        """The first half has no index 0."""
        lines = from_zero(self.lines)
        without = [line for line in lines if " 0:" not in line]
        self.write("without", text(without))
        self.write("all", text(without) + text(lines))
        self.assertEqual(self.trace("without", "zero", "--sampler", "sel-p", "--index-base", "auto"),
                         self.trace("all", "--sampler", "sel-p", "--index-base", "0"))

    def test_a_model_remembers_its_index_base(self):
        self.ok("run", "zero", "--sampler", "sel-p", "--index-base", "auto", "--model", "model", "--quiet")
        self.ok("run", "usual", "--sampler", "sel-p", "--model", "usual.model", "--quiet")
        self.assertEqual(self.ok("predict", "model", "zero").out, self.ok("predict", "usual.model", "usual").out)
        self.ok("run", "zero", "--resume", "model", "--trace", "more.csv", "--quiet")
        self.ok("run", "usual", "--resume", "usual.model", "--trace", "usual.csv", "--quiet")
        self.assertEqual(self.read("more.csv"), self.read("usual.csv"))
        line = self.refused(2, "run", "zero", "--resume", "model", "--index-base", "1", says="--index-base")
        self.assertIn("--resume", line)

    def test_an_index_of_0_is_an_error_unless_the_base_is_0(self):
        self.write("bad.svm", "+1 1:1\n-1 0:1\n")
        self.refused(3, "run", "bad.svm", place=r"bad\.svm:2:4", says="1 to")
        self.refused(3, "run", "bad.svm", "--index-base", "0", "--dimension", "1", place=r"bad\.svm:1:4",
                     says="0 to 0")

    def test_index_base_auto_is_refused_for_a_pipe(self):
        self.refused(2, "run", "-", "--index-base", "auto", stdin=b"+1 0:1\n", says=["--index-base", "pipe"])
        self.refused(2, "run", "zero", "--index-base", "2", says="--index-base")


class Qid(CliTest):
    def test_qid_changes_nothing(self):
        lines = binary_lines()
        self.write("usual", text(lines))
        with_qid = [" ".join([line.split()[0], f"qid:{k // 10}"] + line.split()[1:]) for k, line in enumerate(lines)]
        self.write("ranked", text(line + " #docid = " + str(k) for k, line in enumerate(with_qid)))
        self.write("bare", text(with_qid))
        expected = self.trace("usual", "--sampler", "sel-p")
        self.assertEqual(self.trace("ranked", "--sampler", "sel-p"), expected)
        self.assertEqual(self.trace("bare", "--sampler", "sel-p"), expected)

    def test_a_misplaced_or_malformed_qid_is_refused(self):
        for line, column, says in (("+1 qid:x 1:1", 4, "qid"), ("+1 1:1 qid:1", 8, "index:value")):
            with self.subTest(line):
                self.write("bad.svm", "+1 1:1\n" + line + "\n")
                self.refused(3, "run", "bad.svm", place=rf"bad\.svm:2:{column}", says=says)


class Decimals(CliTest):
    def test_values_are_read_to_the_last_bit(self):
        """The Perceptron's margin on the second of two instances is the product of their values."""
        values = ["0.1", "-0.3", "123456.7", "1e-5", "0.0497399253756197", "3.141592653589793", "9007199254740993",
                  "2.2250738585072014e-308", "0.30000000000000004", "+7", "12345678.125", ".0000001"]
        for value in values:
            with self.subTest(value):
                self.write("data", f"+1 1:{value}\n+1 1:1\n")
                margins = [row.margin for row in rows(self.trace("data", "--sampler", "perc"))]
                self.assertEqual(margins, [0, float(value)])


if __name__ == "__main__":
    unittest.main()
