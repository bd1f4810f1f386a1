"""Malformed svmlight lines: exit 3, one line with file:line:column and what would be accepted, no output files."""

import unittest

from harness import CliTest

GOOD = "# a comment\n+1 1:1 2:0.5\n\n-1 1:-1\n"  # four lines

# The fifth line, the column of its error (None: anywhere on the line), words of the message.
BAD_LABELS = [
    ("abc 1:1", 1, ["abc", "integer", "-1"]),
    ("++1 1:1", 1, "integer"),
    ("+-1 1:1", 1, "integer"),
    ("- 1:1", 1, "integer"),
    ("1.5 1:1", None, "integer"),
    ("1e0 1:1", None, "integer"),
    ("nan 1:1", 1, "integer"),
    ("99999999999999999999 1:1", 1, "integer"),
    ("1:1 2:1", None, "label"),
    ("2 1:1", 1, ["2", "+1", "--positive", "--labels"]),
    ("-2 1:1", 1, ["-2", "+1"]),
]
BAD_FEATURES = [
    ("+1 1", 4, "index:value"),
    ("+1 :1", 4, "index:value"),
    ("+1 a:1", 4, "index:value"),
    ("+1 1 :1", 4, "index:value"),
    ("+1 1:1 stray", 8, ["stray", "index:value"]),
    ("+1 -1:1", 4, "index:value"),
    ("+1 1.5:1", 4, "index:value"),
    ("+1 1:", 6, "number"),
    ("+1 1: 1", 6, "number"),
    ("+1 1:a", 6, ["'a'", "number"]),
    ("+1 1:1x", 6, "number"),
    ("+1 1:1,5", 6, "number"),
    ("+1 1:0x10", 6, "number"),
    ("+1 1:--1", 6, "number"),
    ("+1 1:+-1", 6, "number"),
    ("+1 1:1:1", 6, "number"),
    ("+1 0:1", 4, ["0:1", "1 to"]),
    ("+1 134217729:1", 4, "1 to 134217728"),
    ("+1 4294967297:1", 4, "1 to 134217728"),
    ("+1 99999999999999999999999:1", 4, "1 to 134217728"),
    ("+1 2:1 1:1", 8, ["1 after 2", "ascend"]),
    ("+1 2:1 2:1", 8, ["2 after 2", "ascend"]),
    ("+1 1:nan", 6, ["nan", "finite"]),
    ("+1 1:-NaN", 6, "finite"),
    ("+1 1:inf", 6, "finite"),
    ("+1 1:-infinity", 6, "finite"),
    ("+1 1:1e999", 6, ["1e999", "finite"]),
    ("+1 1:-1e999", 6, "finite"),
    ("+1 1:1e200 2:1e200", 1, "norm"),
]

# The third line of a multi-label file.
BAD_TOPICS = [
    ("1, 1:1", 3, "integer"),
    (",1 1:1", 1, "integer"),
    ("1,,2 1:1", 3, "integer"),
    ("1,x 1:1", 3, ["x", "integer"]),
    ("1,2.5 1:1", None, "integer"),
    ("1;2 1:1", None, "label"),
]


class BadLines(CliTest):
    def bad_line(self, good, line, column, says, *arguments):
        number = good.count("\n") + 1
        self.write("bad.svm", good + line + "\n" + good)
        column = column or r"\d+"
        return self.refused(3, "run", "bad.svm", *arguments, place=rf"bad\.svm:{number}:{column}", says=says)

    def test_malformed_lines_are_refused_with_their_place(self):
        for line, column, says in BAD_LABELS + BAD_FEATURES:
            with self.subTest(line):
                self.bad_line(GOOD, line, column, says)

    def test_malformed_lines_of_a_multi_label_file_are_refused_with_their_place(self):
        for line, column, says in BAD_TOPICS:
            with self.subTest(line):
                self.bad_line("3,17 1:1\n 2:1\n", line, column, says, "--labels", "3,17")

    def test_errors_in_the_first_and_the_last_line_have_their_place(self):
        self.bad_line("", "oops", 1, "integer")
        self.write("bad.svm", GOOD + "+1 1:x")
        self.refused(3, "run", "bad.svm", place=r"bad\.svm:5:6", says="number")

    def test_an_error_after_many_rounds_has_its_place(self):
        self.bad_line(GOOD * 3000, "+1 0:1", 4, "1 to")

    def test_the_place_is_right_in_crlf_lines(self):
        self.write("bad.svm", "+1 1:1\r\n-1 1:x\r\n")
        line = self.refused(3, "run", "bad.svm", place=r"bad\.svm:2:6", says="'x'")
        self.assertNotIn("\r", line)

    def test_an_error_in_standard_input_names_stdin(self):
        self.refused(3, "run", "-", place="<stdin>:2:6", says="number", stdin=b"+1 1:1\n-1 1:x\n")

    def test_an_index_beyond_the_dimension_is_refused(self):
        self.bad_line(GOOD, "+1 4:1", 4, "1 to 3", "--dimension", "3")
        self.bad_line(GOOD, "+1 4:1", 4, "1 to 3", "--dimension", "3", "--sampler", "sel-winnow")

    def test_advice_about_a_too_large_index_works(self):
        index = 2**27 + 1
        line = self.bad_line(GOOD, f"+1 {index}:1", 4, "1 to 134217728")
        if "--dimension" in line:
            self.ok("run", "bad.svm", "--dimension", str(index))

    def test_instances_of_another_norm_than_1_are_refused_by_samplers_that_need_norm_1(self):
        self.write("bad.svm", "+1 1:1\n-1 2:-1\n+1 1:2\n")
        for sampler in ("dkm2", "alma", "cbgz-dkm", "rand-dkm", "modified"):
            with self.subTest(sampler):
                self.refused(3, "run", "bad.svm", "--sampler", sampler, place=r"bad\.svm:3:\d+", says="--normalize")

    def test_messages_about_binary_bytes_contain_no_control_characters(self):
        """Data in a message does not break the line or reach the terminal as a control sequence."""
        for line in (b"+1 1:\x1b[31mred", b"+1 1:a\rb", b"+1 1:\x07", b"+1 1:\x00", b"+1 1:\xc3", b"\x00\x01\x02\x03",
                     b"\xff\xfe+\x001\x00"):
            with self.subTest(line):
                self.write("bad.svm", GOOD.encode() + line + b"\n")
                says = "not a number" if line.startswith(b"+1") else "not an integer"
                self.refused(3, "run", "bad.svm", place=r"bad\.svm:5:\d+", says=says)

    def test_a_very_long_token_is_shortened_in_the_message(self):
        self.write("bad.svm", GOOD + "+1 1:" + "9" * 100_000 + "x\n")
        line = self.refused(3, "run", "bad.svm", place=r"bad\.svm:5:6", says="number")
        self.assertLess(len(line), 300)

    def test_predict_refuses_the_same_lines(self):
        self.write("good.svm", GOOD)
        self.ok("run", "good.svm", "--model", "m")
        for line, column, says in BAD_FEATURES:
            if says == "norm":
                continue  # a margin can still be finite
            with self.subTest(line):
                self.write("bad.svm", line + "\n" + GOOD)
                self.refused(3, "predict", "m", "bad.svm", "--output", "new.txt", outputs=False,
                             place=rf"bad\.svm:1:{column}", says=says)

    def test_updates_that_would_overflow_are_refused_with_their_round(self):
        """Each value is finite, but the update would not be: the place is the round."""
        self.write("bad.svm", "+1 1:1e10\n" * 3)
        self.refused(3, "run", "bad.svm", "--learner", "perceptron:rate=1e300", "--rule", "always",
                     says=["round 1", "stay finite"])

    def test_predict_refuses_a_margin_that_is_not_finite(self):
        self.write("good.svm", "+1 1:10 2:10\n")
        self.ok("run", "good.svm", "--sampler", "perc", "--model", "m")
        self.write("huge.svm", "+1 1:1\n+1 1:1e308 2:1e308\n")
        self.refused(3, "predict", "m", "huge.svm", "-o", "new.txt", outputs=False, place=r"huge\.svm:2:\d+", says="")


if __name__ == "__main__":
    unittest.main()
