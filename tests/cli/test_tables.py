"""Tables: CSV, ARFF, and lines of a label, a tab and a text."""

import gzip
import json
import random
import struct
import unittest

from harness import CliTest, binary_lines, rows, text

CITIES = ["Rome", "New York", "Oslo"]
WORDS = "wheat corn crude ship trade earn loss profit dollar".split()


def people(count=300, seed=1):
    """Rows of age, city, note and label; the label depends on the age and the note."""
    rng = random.Random(seed)
    table = []
    for _ in range(count):
        age, note = rng.randint(1, 90) / 10, [rng.choice(WORDS) for _ in range(6)]
        table.append((age, rng.choice(CITIES), " ".join(note), "yes" if age + 3 * ("ship" in note) > 6 else "no"))
    return table


def csv_text(table, columns=(0, 1, 2, 3), names=("age", "city", "note", "label"), header=True):
    lines = [",".join(names[c] for c in columns)] if header else []
    lines += [",".join(f'"{row[c]}"' if c == 2 else str(row[c]) for c in columns) for row in table]
    return text(lines)


def arff_text(table):
    return text(["@relation people", "@attribute age real", "@attribute city {Rome,'New York',Oslo}",
                 "@attribute note string", "@attribute label {no,yes}", "@data"] +
                [f"{age},'{city}','{note}',{label}" for age, city, note, label in table])


def config(path):
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        return json.loads(json.loads(file.read(size))["__metadata__"]["askfew.config"])


class SameAsSvmlight(CliTest):
    """The same numbers give the same decisions, however they are written."""

    def setUp(self):
        super().setUp()
        lines = binary_lines(400)
        self.write("data.svm", text(lines))
        self.expected = rows(self.trace("data.svm"))
        self.table = []
        for line in lines:
            label, *pairs = line.split()
            values = dict((int(i), v) for i, v in (p.split(":") for p in pairs))
            self.table.append([values.get(i, "0") for i in range(1, 31)] + [label])

    def same(self, name, content, *options, **source):
        path = self.write(name, content) if name != "-" else "-"
        for expected, row in zip(self.expected, rows(self.trace(path, *options, **source)), strict=True):
            self.assertAlmostEqual(expected.margin, row.margin, delta=1e-9)
            self.assertEqual((expected.label, expected.asked), (row.label, row.asked))

    def test_every_delimiter_gives_the_same_run(self):
        for delimiter, options in ((",", []), (";", []), ("\t", []), ("|", []), (" ", ["--delimiter", "space"]),
                                   (":", ["--delimiter", ":"])):
            content = text([delimiter.join(row) for row in self.table])
            self.same("data.csv", content, *options)
            self.same("other", content, "--format", "csv", *options)

    def test_pipes_gzip_and_line_ends_give_the_same_run(self):
        content = text([",".join(row) for row in self.table])
        self.same("-", None, stdin=content.encode())
        self.same("data.csv.gz", gzip.compress(content.encode()))
        self.same("dos.csv", "\ufeff" + content.replace("\n", "\r\n\r\n"))

    def test_header_and_position_of_the_label_give_the_same_run(self):
        names = [f"x{i}" for i in range(30)]
        self.same("first.csv", text([",".join(["y"] + names)] + [",".join([r[-1]] + r[:-1]) for r in self.table]))
        self.same("told.csv", text([",".join([r[-1]] + r[:-1]) for r in self.table]), "--label-column", "1")
        self.same("named.csv", text([",".join(names[:5] + ["Z"] + names[5:])] +
                                    [",".join(r[:5] + [r[-1]] + r[5:-1]) for r in self.table]), "--label-column", "Z")
        self.same("quoted.csv", text([",".join(f'"{v}"' for v in r) for r in self.table]), "--header", "no")

    def test_dense_and_sparse_arff_give_the_same_run(self):
        header = ["@relation x"] + [f"@attribute x{i} real" for i in range(30)] + ["@attribute y {-1,+1}", "@data"]
        self.same("dense.arff", text(header + [",".join(r) for r in self.table]))
        sparse = ["{" + ", ".join(f"{i} {v}" for i, v in enumerate(r) if v not in ("0", "-1")) + "}" for r in self.table]
        self.same("sparse", text(header + sparse))

    def test_labels_1_and_2_give_the_same_run(self):
        self.same("data.csv", text([",".join(r[:-1] + ["2" if r[-1] == "+1" else "1"]) for r in self.table]))

    def test_threads_change_nothing(self):
        self.write("data.csv", text([",".join(row) for row in self.table]))
        self.assertEqual(self.trace("data.csv", "--threads", "1"), self.trace("data.csv", "--threads", "5"))


class Mixed(CliTest):
    def setUp(self):
        super().setUp()
        self.table = people()
        self.write("data.csv", csv_text(self.table))
        self.options = ["--positive", "yes", "--sampler", "pa-log"]

    def model(self, *options):
        self.ok("run", "data.csv", *self.options, *options, "--quiet", "--model", "m")

    def test_the_schema_is_in_the_model(self):
        self.model()
        table = config(self.path("m"))["table"]
        self.assertEqual([(c["name"], c["kind"]) for c in table["columns"]],
                         [("age", "numeric"), ("city", "categorical"), ("note", "text"), ("label", "label")])
        self.assertEqual((table["header"], table["delimiter"], table["labels"]), (True, ",", "classes"))
        shown = self.ok("inspect", "m").out
        self.assertRegex(shown, r"(?m)^columns\n  'age' +numeric\n  'city' +categorical\n  'note' +text\n  'label' +label$")

    def test_given_kinds_of_columns_are_used(self):
        self.model("--text-columns", "city", "--categorical-columns", "note,1", "--delimiter", ",", "--header", "yes")
        self.assertEqual([c["kind"] for c in config(self.path("m"))["table"]["columns"]],
                         ["categorical", "text", "categorical", "label"])
        self.model("--ignore-columns", "2", "--label-column", "label")
        self.assertEqual([c["kind"] for c in config(self.path("m"))["table"]["columns"]],
                         ["numeric", "ignored", "text", "label"])

    def test_predict_finds_columns_by_their_names(self):
        self.model()
        expected = self.ok("predict", "m", "data.csv").out
        self.assertEqual(len(expected.splitlines()), len(self.table))
        for columns in ((3, 2, 1, 0), (2, 0, 1, 3), (1, 2, 0)):  # the last has no label
            self.write("other.csv", csv_text(self.table, columns))
            self.assertEqual(self.ok("predict", "m", "other.csv").out, expected, columns)
        self.assertEqual(self.ok("predict", "m", "-", stdin=csv_text(self.table, (1, 2, 0)).encode()).out, expected)
        with_more = csv_text([row + ("more",) for row in self.table], (4, 0, 1, 2), ("age", "city", "note", "label", "x"))
        self.assertEqual(self.ok("predict", "m", self.write("more", with_more)).out, expected)
        self.write("unknown.csv", csv_text([row[:3] + ("?",) for row in self.table]))
        self.assertEqual(self.ok("predict", "m", "unknown.csv").out, expected)

    def test_predict_refuses_a_table_with_a_missing_column(self):
        self.model()
        self.write("other.csv", csv_text(self.table, (0, 2, 3)))
        self.refused(3, "predict", "m", "other.csv", place="other.csv:1:1", says="no column 'city'", outputs=False)

    def test_predict_without_a_header_finds_columns_by_position(self):
        self.write("data.csv", csv_text(self.table, header=False))
        self.model()
        expected = self.ok("predict", "m", "data.csv").out
        one = csv_text(self.table[:1], (0, 1, 2), header=False)
        self.assertEqual(self.ok("predict", "m", "-", stdin=one.encode()).out, expected.splitlines(True)[0])
        self.refused(3, "predict", "m", self.write("few.csv", "1,Rome\n"), place="few.csv:1:7",
                     says="the line ends after 2 fields, expected 4", outputs=False)

    def test_a_resumed_run_equals_an_uninterrupted_run(self):
        self.write("first.csv", csv_text(self.table[:100]))
        self.write("second.csv", csv_text(self.table[100:], (2, 3, 0, 1)))
        self.ok("run", "first.csv", *self.options, "--quiet", "--model", "half")
        self.ok("run", "second.csv", "--resume", "half", "--quiet", "--model", "resumed")
        self.model()
        self.assertEqual(self.read("resumed"), self.read("m"))
        self.ok("run", "first.csv", "second.csv", *self.options, "--quiet", "--model", "both")
        self.assertEqual(self.read("both"), self.read("m"))
        self.refused(2, "run", "second.csv", "--resume", "half", "--label-column", "label",
                     says="--label-column cannot be given with --resume")
        self.write("third.csv", csv_text(self.table, (0, 1, 2)))
        self.refused(3, "run", "third.csv", "--resume", "half", place="third.csv:1:1", says="no label column 'label'")

    def test_a_pipe_is_read_as_a_file_is(self):
        content = csv_text(self.table).encode()
        self.assertEqual(self.trace("-", *self.options, stdin=content), self.trace("data.csv", *self.options))
        self.ok("run", "-", *self.options, "--quiet", "--model", "piped", stdin=content)
        self.model()
        self.assertEqual(config(self.path("piped"))["table"], config(self.path("m"))["table"])
        self.assertEqual(self.ok("predict", "piped", "data.csv").out, self.ok("predict", "m", "data.csv").out)

    def test_malformed_records_can_be_skipped(self):
        lines = csv_text(self.table).splitlines()
        spoilt = lines[:50] + ["1,Rome"] + lines[50:90] + ['x,Oslo,"a b",yes'] + lines[90:] + ['1,Rome,"open,yes', ""]
        self.write("bad.csv", "\n".join(spoilt))
        done = self.ok("run", "bad.csv", *self.options, "--numeric-columns", "age", "--on-error", "skip", "--trace", "t",
                       "--quiet")
        self.assertEqual(done.err.splitlines(), [
            "skipped bad.csv:51:7: the line ends after 2 fields, expected 4",
            "skipped bad.csv:92:1: column 'age': 'x' is not a number",
            "skipped bad.csv:304:8: a quote that is not closed within 1048576 bytes"])
        self.assertEqual(self.read("t"), self.trace("data.csv", *self.options))
        self.refused(3, "run", "bad.csv", *self.options, "--numeric-columns", "age", place="bad.csv:51:7",
                     says="the line ends after 2 fields")

    def test_one_model_reads_arff_and_csv(self):
        self.write("data.arff", arff_text(self.table))
        self.ok("run", "data.arff", *self.options, "--quiet", "--model", "a")
        expected = self.ok("predict", "a", "data.arff").out
        self.assertEqual(self.ok("predict", "a", "data.csv").out, expected)
        self.assertEqual(self.ok("predict", "a", self.write("x", csv_text(self.table, (2, 1, 0)))).out, expected)
        self.assertIn("rounds     600", self.ok("run", "data.csv", "--resume", "a", "--quiet").out)

    def test_a_dictionary_gives_the_same_margins_as_hashing(self):
        hashed = rows(self.trace("data.csv", *self.options))
        named = rows(self.trace("data.csv", *self.options, "--dictionary"))
        for one, other in zip(hashed, named):
            self.assertAlmostEqual(one.margin, other.margin, delta=1e-9)

    def test_labels_are_named_or_refused(self):
        self.refused(2, "run", "data.csv", says=["'no'", "'yes'", "not -1 and +1: name them with --positive or --labels"])
        tasks = self.report("data.csv", "--labels", "all")["tasks"]
        self.assertEqual(sorted(task["task"] for task in tasks), ["no", "yes"])

    def test_wrong_options_of_tables_are_refused(self):
        self.refused(2, "run", "data.csv", "--label-column", "nope",
                     says=["--label-column 'nope' is not a column", "'age', 'city', 'note', 'label'"])
        self.refused(2, "run", "data.csv", "--text-columns", "age,oops", says="--text-columns 'oops' is not a column")
        self.refused(2, "run", "data.csv", "--text-columns", "age", "--ignore-columns", "age", says="is told already")
        self.refused(2, "run", "data.csv", "--delimiter", "ab", says="delimiter 'ab' is not one of")
        self.refused(2, "run", "data.csv", "--header", "maybe", says="--header")
        self.refused(2, "run", "data.csv", "--delimiter", ";", says="one column, with the delimiter ';'")
        self.refused(3, "run", self.write("empty.csv", ""), place="empty.csv", says="no example in it")


class Sms(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = [f"{'spam' if label == 'yes' else 'ham'}\t{note}" for _, _, note, label in people()]
        self.write("sms", text(self.lines))

    def test_labels_and_texts_are_read(self):
        trace = rows(self.trace("sms", "--positive", "spam"))
        self.assertEqual([row.label > 0 for row in trace], [line.startswith("spam") for line in self.lines])
        self.assertEqual(self.trace("sms", "--positive", "spam"),
                         self.trace("-", "--format", "tsv", "--positive", "spam", stdin=text(self.lines).encode()))
        self.refused(2, "run", "sms", says=["'ham'", "'spam'", "name them with --positive or --labels"])

    def test_texts_without_labels_are_predicted(self):
        self.ok("run", "sms", "--positive", "spam", "--quiet", "--model", "m")
        expected = self.ok("predict", "m", "sms").out
        alone = text([line.split("\t")[1] for line in self.lines])
        self.assertEqual(self.ok("predict", "m", "-", "--format", "tsv", stdin=alone.encode()).out, expected)

    def test_a_line_without_a_tab_is_refused(self):
        self.write("bad", text(self.lines[:3] + ["no tab here"]))
        self.refused(3, "run", "bad", "--format", "tsv", "--positive", "spam", place="bad:4:1", says="no tab")


if __name__ == "__main__":
    unittest.main()
