"""Text in the format of Vowpal Wabbit: what is read, what is only checked, and what is refused."""

import gzip
import random
import unittest

from harness import CliTest, rows, text

WORDS = [f"word{k}" for k in range(40)]


def examples(count=300, seed=5):
    """Labels and lists of (namespace, weight, [(name, value)]), and the lines that describe them."""
    chance = random.Random(seed)
    found, lines = [], []
    for _ in range(count):
        spaces = []
        for name in ("", "title", "body")[:chance.randint(1, 3)]:
            weight = chance.choice((None, None, 0.5, -2))
            if name == "":
                weight = None
            features = [(chance.choice(WORDS), chance.choice((None, 0.25, -1.5, 3, 1e-3)))
                        for _ in range(chance.randint(0, 8))]
            spaces.append((name, weight, features))
        label = chance.choice((-1, 1))
        found.append((label, spaces))
        line = str(label)
        for name, weight, features in spaces:
            line += f" |{name}" + (f":{weight}" if weight is not None else "")
            line += "".join(f" {word}" + (f":{value}" if value is not None else "") for word, value in features)
        lines.append(line)
    return found, lines


def vector(spaces):
    x = {}
    for name, weight, features in spaces:
        for word, value in features:
            x[name, word] = x.get((name, word), 0) + (1 if weight is None else weight) * (1 if value is None else value)
    return x


class Reading(CliTest):
    def test_margins_equal_those_of_the_perceptron_on_named_features(self):
        """Duplicates are added up, and weights multiplied."""
        found, lines = examples()
        self.write("data.vw", text(lines))
        w = {}
        trace = rows(self.trace("data.vw", "--sampler", "perc", "--bits", "24"))
        self.assertEqual(len(trace), len(found))
        for row, (label, spaces) in zip(trace, found):
            x = vector(spaces)
            self.assertAlmostEqual(row.margin, sum(w.get(i, 0) * v for i, v in x.items()), delta=1e-9)
            self.assertEqual(row.label, label)
            if (row.margin > 0) != (label > 0):
                for i, v in x.items():
                    w[i] = w.get(i, 0) + label * v

    def test_dialects_of_a_line_give_the_same_trace(self):
        _, lines = examples()
        self.write("data.vw", text(lines))
        expected = self.trace("data.vw", "--sampler", "sel-p")
        for name, data in {
                "windows": text(line + "\r" for line in lines), "gzip": gzip.compress(text(lines).encode()),
                "blanks": text(line.replace(" ", " \t ") for line in lines), "last": text(lines)[:-1],
                "empty lines": "\n" + text(line + "\n" for line in lines),
                "tags": text(line.replace(" ", " 'tag ", 1) for line in lines),
                "importance": text(line.replace(" ", " 1 ", 1) for line in lines)}.items():
            with self.subTest(name):
                self.write("other", data)
                self.assertEqual(self.trace("other", "--sampler", "sel-p"), expected)
        self.assertEqual(self.trace("-", "--sampler", "sel-p", "--format", "vw", stdin=text(lines).encode()), expected)

    def test_threads_change_nothing(self):
        _, lines = examples(count=3000)
        self.write("data.vw", text(lines))
        one = self.trace("data.vw", "--sampler", "sel-p", "--threads", "1")
        self.assertEqual(self.trace("data.vw", "--sampler", "sel-p", "--threads", "4"), one)

    def test_a_model_predicts_lines_without_labels_the_same(self):
        _, lines = examples()
        self.write("data.vw", text(lines))
        self.ok("run", "data.vw", "--sampler", "perc", "--bits", "20", "--model", "model", "--quiet")
        labelled = self.ok("predict", "model", "data.vw").out
        self.write("bare.vw", text(line[line.index("|"):] for line in lines))
        self.assertEqual(self.ok("predict", "model", "bare.vw").out, labelled)
        self.assertEqual(len(labelled.splitlines()), len(lines))

    def test_classes_must_be_named_and_topics_are_tasks(self):
        self.write("classes.vw", "1 | a\n2 | b\n3 | c\n" * 20)
        self.refused(2, "run", "classes.vw", says=["--positive", "--labels"])
        self.assertEqual([task["task"] for task in self.report("classes.vw", "--labels", "all")["tasks"]], ["1", "2", "3"])
        self.write("two.vw", "1 | a\n2 | b\n" * 20)
        self.assertEqual(self.report("two.vw")["tasks"][0]["mistakes"], 1)
        self.write("topics.vw", "1,2 | a\n2 | b\n| c\n" * 20)
        self.assertEqual([task["task"] for task in self.report("topics.vw")["tasks"]], ["1", "2"])


class Importance(CliTest):
    def setUp(self):
        super().setUp()
        _, self.lines = examples()

    def test_importance_weights_are_ignored_with_one_note(self):
        self.write("plain.vw", text(self.lines))
        self.write("weighed.vw", text(line.replace(" ", f" {k % 3} ", 1) for k, line in enumerate(self.lines)))
        plain = self.ok("run", "plain.vw", "--sampler", "sel-p", "--quiet")
        weighed = self.ok("run", "weighed.vw", "--sampler", "sel-p", "--quiet")
        self.assertEqual(weighed.out, plain.out)
        self.assertEqual(plain.err, "")
        self.assertEqual(weighed.err, "note: weighed.vw: 200 examples have an importance other than 1, which is not used\n")

    def test_a_refusal_after_importance_weights_is_one_line(self):
        self.write("bad.vw", "1 2 | a\nx | a\n")
        self.refused(3, "run", "bad.vw", place=r"bad\.vw:2:1", says="label")


class Refusals(CliTest):
    def test_malformed_lines_are_refused_with_their_place(self):
        for line, column, says in (
                ("x | a", 1, ["'x'", "integer"]), ("0.5 | a", 1, "integer"), ("1 x | a", 3, "importance"),
                ("1 -2 | a", 3, ["'-2'", "at least 0"]), ("1 1 1 | a", 5, "too many"), ("1 a b", 1, "no bar"),
                ("1 |n:x a", 6, ["weight 'x'", "number"]), ("1 |:2 a", 4, "namespace"), ("1 | :2", 5, "feature"),
                ("1 | a:x", 7, ["'x'", "number"]), ("1 | a:1e999", 7, "finite"), ("1 | a:1:2", 7, "number"),
                ("1 | a:\x1b[31m", 7, "number"), ("| a", 1, "one label")):
            with self.subTest(line):
                self.write("bad.vw", "1 | a\n" * 3 + line + "\n" + "1 | a\n")
                self.refused(3, "run", "bad.vw", place=rf"bad\.vw:4:{column}", says=says)

    def test_malformed_lines_can_be_skipped(self):
        self.write("data.vw", "1 | a\nx | a\n-1 | b\n1 | c:x\n" * 10)
        self.assertEqual(self.report("data.vw", "--on-error", "skip")["skipped"], 20)

    def test_a_dictionary_is_refused(self):
        self.write("data.vw", "1 | a\n")
        self.refused(2, "run", "data.vw", "--dictionary", says="hashed")


if __name__ == "__main__":
    unittest.main()
