"""Data that may be meant so is read, and what is doubtful about it is told: encodings, ids, labels."""

import json
import unittest

from harness import CliTest

ROWS = [(k, f"{('café', 'prize', 'offer')[k % 3]} {('today', 'naïve')[k % 2]} number {k % 7}", ("spam", "ham")[k % 2])
        for k in range(40)]


def csv_of(rows):
    return "id,text,label\n" + "".join(f"{k},{text},{label}\n" for k, text, label in rows)


def tsv_of(rows):
    return "".join(f"{label}\t{text}\n" for _, text, label in rows)


def jsonl_of(rows):
    return "".join(json.dumps({"id": k, "text": text, "label": label}, ensure_ascii=False) + "\n" for k, text, label in rows)


class Bytes(CliTest):
    """Texts that are not UTF-8 are told; NUL bytes and UTF-16 are refused."""

    DOORS = (("run", "data", "--positive", "spam", "--quiet"), ("evaluate", "m", "data"), ("predict", "m", "data"),
             ("compare", "data", "--positive", "spam", "--samplers", "sel-p", "--rates", "20%", "--runs", "1", "--quiet"),
             ("convert", "data", "--to", "cache", "-o", "out"))

    def setUp(self):
        super().setUp()
        self.write("m.csv", csv_of(ROWS))
        self.ok("run", "m.csv", "--positive", "spam", "--model", "m", "--quiet")

    def test_every_command_tells_texts_that_are_not_utf_8(self):
        self.write("data", csv_of(ROWS).encode("latin-1"))
        bad = sum(1 for _, text, _ in ROWS if not text.isascii())
        for arguments in self.DOORS:
            with self.subTest(arguments[0]):
                (note,) = [line for line in self.ok(*arguments).err.splitlines() if "probabilit" not in line]
                self.assertIn(f"note: data:2: this text and {bad - 1} more are not UTF-8", note)
                self.assertIn("iconv -f LATIN1 -t UTF-8", note)

    def test_the_same_texts_in_utf_8_make_no_note(self):
        for content in (csv_of(ROWS), tsv_of(ROWS), jsonl_of(ROWS), "\ufeff" + csv_of(ROWS), "\ufeff" + jsonl_of(ROWS)):
            self.write("data", content)
            self.assertEqual(self.ok("run", "data", "--positive", "spam", "--quiet").err, "")

    def test_the_line_is_that_of_the_first_such_text_whatever_the_format_and_the_threads(self):
        rows = [(k, "plain text" if k != 33 else text, label) for k, text, label in ROWS]
        rows[33] = (33, "café at last", "ham")
        contents = {"data.csv": csv_of(rows), "data.tsv": tsv_of(rows),
                    "data.arff": "@relation r\n@attribute text string\n@attribute label {spam,ham}\n@data\n"
                                 + "".join(f"'{text}',{label}\n" for _, text, label in rows)}
        for name, content in contents.items():
            line = content[:content.index("café")].count("\n") + 1
            self.write(name, content.encode("latin-1"))
            for threads in "1", "3":
                notes = json.loads(self.ok("run", name, "--positive", "spam", "--quiet", "--threads", threads, "--json",
                                           "-").out)["notes"]
                self.assertEqual([note.split(" is not")[0] for note in notes], [f"{name}:{line}: this text"])

    def test_values_of_categories_are_texts_too(self):
        rows = "".join(f"{('rot', 'grün')[k % 2]},{k % 5},{k % 2}\n" for k in range(30))
        self.write("data.csv", ("color,n,label\n" + rows).encode("latin-1"))
        self.assertIn("data.csv:3: this text and 14 more", self.ok("run", "data.csv", "--quiet").err)
        self.write("data.csv", "color,n,label\n" + rows)
        self.assertEqual(self.ok("run", "data.csv", "--quiet").err, "")

    def test_a_cache_keeps_the_note(self):
        self.write("data.csv", csv_of(ROWS).encode("latin-1"))
        self.ok("convert", "data.csv", "--to", "cache", "-o", "data.cache")
        self.assertIn("data.csv:2: this text", self.ok("run", "data.cache", "--positive", "spam", "--quiet").err)

    def test_the_order_of_time_keeps_the_note(self):
        rows = "".join(f"{1000 - k},{text},{label}\n" for k, text, label in ROWS)
        self.write("data.csv", ("time,text,label\n" + rows).encode("latin-1"))
        self.assertIn("data.csv:2: this text",
                      self.ok("run", "data.csv", "--positive", "spam", "--order", "time", "--time-column",
                              "time", "--quiet").err)

    def test_a_nul_byte_is_refused_with_its_place_or_skipped(self):
        for name, content in (("data.csv", csv_of(ROWS)), ("data.tsv", tsv_of(ROWS))):
            content = content.replace("number 5 ", "number 5").encode()
            line = content[:content.index(b"offer")].count(b"\n") + 1
            self.write(name, content.replace(b"offer", b"of\0fer", 1))
            message = self.complaint(self.askfew("run", name, "--positive", "spam", "--quiet"), 3)
            self.assertIn(f"{name}:{line}:", message)
            self.assertIn("NUL byte", message)
            err = self.ok("run", name, "--positive", "spam", "--quiet", "--on-error", "skip").err
            self.assertRegex(err, rf"\Askipped {name}:{line}:")

    def test_a_nul_byte_in_a_pool_is_refused_and_an_escaped_one_in_json_is_read(self):
        self.write("pool.txt", "a text\nsome more\0text\n")
        self.assertIn("pool.txt: the text of '2' has a NUL byte",
                      self.complaint(self.askfew("label", "pool.txt", "--out", "o.csv", "--labels", "spam,ham"), 3))
        self.write("data.jsonl", jsonl_of([(k, f"{text} \0", label) for k, text, label in ROWS]))
        self.ok("run", "data.jsonl", "--positive", "spam", "--quiet")

    def test_a_pool_that_is_not_utf_8_is_refused_with_the_remedy(self):
        self.write("pool.txt", "a text\ncaf\u00e9\n".encode("latin-1"))
        self.assertIn("iconv", self.complaint(self.askfew("label", "pool.txt", "--out", "o.csv", "--labels", "spam,ham"), 3))

    def test_utf_16_is_refused_also_if_the_format_is_named(self):
        for form, content in (("csv", csv_of(ROWS)), ("tsv", tsv_of(ROWS)), ("jsonl", jsonl_of(ROWS)),
                              ("svmlight", "+1 1:1\n-1 2:1\n")):
            self.write("data", content.encode("utf-16"))
            for named in [], ["--format", form]:
                message = self.complaint(self.askfew("run", "data", *named, "--quiet"), 3)
                self.assertIn("text in UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)", message)

    def test_utf_16_without_a_mark_is_refused(self):
        for order in "LE", "BE":
            self.write("data.csv", csv_of(ROWS).encode(f"utf-16-{order}"))
            self.assertIn(f"iconv -f UTF-16{order} -t UTF-8",
                          self.complaint(self.askfew("run", "data.csv", "--positive", "spam", "--quiet"), 3))


class Ids(CliTest):
    """Ids that repeat are told where ids are written or their column is named."""

    def setUp(self):
        super().setUp()
        rows = list(ROWS)
        rows[20] = (7, *rows[20][1:])
        rows[30] = (9, *rows[30][1:])
        self.write("twice.csv", csv_of(rows))
        self.write("once.csv", csv_of(ROWS))
        self.write("twice.jsonl", jsonl_of(rows))

    def notes(self, *arguments):
        return self.ok(*arguments).err.splitlines()

    def test_a_trace_tells_them(self):
        for name, line in (("twice.csv", 22), ("twice.jsonl", 21)):
            (note,) = self.notes("run", name, "--positive", "spam", "--trace", "t", "--quiet")
            self.assertIn(f"note: {name}:{line}: the id '7' was there before, and 1 more examples repeat an id", note)

    def test_a_named_column_and_predictions_tell_them(self):
        (note,) = self.notes("run", "twice.csv", "--positive", "spam", "--id-column", "id", "--quiet", "--model", "m")
        self.assertIn("the id '7'", note)
        (note,) = self.notes("predict", "m", "twice.csv")
        self.assertIn("the id '7'", note)

    def test_ids_that_are_not_used_are_not_told(self):
        self.assertEqual(self.notes("run", "twice.csv", "--positive", "spam", "--quiet"), [])

    def test_ids_that_do_not_repeat_are_not_told(self):
        self.assertEqual(self.notes("run", "once.csv", "--positive", "spam", "--id-column", "id", "--trace", "t", "--quiet"),
                         [])

    def test_files_that_are_read_together_share_their_ids(self):
        (note,) = self.notes("run", "once.csv", "once.csv", "--positive", "spam", "--trace", "t", "--quiet")
        self.assertIn("once.csv:2: the id '0' was there before, and 39 more", note)


class FoundLabels(CliTest):
    """Labels that differ only in capitals or blanks, where all labels of the data are taken."""

    def notes(self, labels, *arguments):
        self.write("data.csv", csv_of((k, text, labels.get(k, label)) for k, text, label in ROWS))
        return self.ok("run", "data.csv", *arguments, "--quiet").err.splitlines()

    def test_they_are_told(self):
        for arguments in (["--labels", "all"], ["--multiclass"], ["--labels", "all", "--multiclass"]):
            with self.subTest(" ".join(arguments)):
                (note,) = self.notes({8: "Spam"}, *arguments)
                self.assertEqual(note, "note: data.csv: the labels 'spam' and 'Spam' differ only in capitals or blanks, and "
                                       "count as two labels")

    def test_blanks_count_like_capitals(self):
        (note,) = self.notes({8: '"spam "', 9: '"HAM"'}, "--labels", "all")
        self.assertIn("(2 such pairs)", note)
        (note,) = self.notes({8: '" spam"'}, "--positive", "spam")
        self.assertIn("' spam' is not 'spam'", note)

    def test_labels_that_were_named_are_meant(self):
        self.assertEqual(self.notes({8: "Spam"}, "--labels", "spam,Spam,ham"), [])

    def test_a_comparison_tells_them(self):
        self.write("data.csv", csv_of((k, text, "Spam" if k == 8 else label) for k, text, label in ROWS))
        notes = self.ok("compare", "data.csv", "--labels", "all", "--samplers", "sel-p", "--rates", "20%", "--runs", "1",
                        "--quiet").err
        self.assertIn("'spam' and 'Spam'", notes)

    def test_seeds_with_other_capitals_are_told(self):
        self.write("seeds.csv", csv_of((k, f"seed {text}", label.replace("spam", "Spam")) for k, text, label in ROWS[:6]))
        (note,) = self.notes({}, "--positive", "spam", "--seed-labels", "seeds.csv")
        self.assertIn("seeds.csv: the label 'Spam' is not 'spam'", note)


class SortedByLabel(CliTest):
    """Examples that are sorted by their labels are told, and can be mixed."""

    NOTE = ("the examples are sorted by their labels, first 20 with the label 'ham', then 20 with the label 'spam': no sampler can "
            "know the next label, and the figures are those of this order only; if it is not the order of time, mix the "
            "examples with --order random")
    ROWS = sorted(ROWS, key=lambda row: row[2])

    def notes(self, *arguments, rows=None, command="run"):
        self.write("data.csv", csv_of(self.ROWS if rows is None else rows))
        return self.ok(command, "data.csv", "--positive", "spam", "--quiet", *arguments).err.splitlines()

    def test_runs_and_experiments_tell_them(self):
        experiment = ("--samplers", "sel-p", "--runs", "1")
        self.assertEqual(self.notes(), [f"note: data.csv: {self.NOTE}"])
        self.assertEqual(self.notes("--rates", "20%", *experiment, command="compare"), [f"note: data.csv: {self.NOTE}"])
        self.assertIn(self.NOTE, "".join(self.notes("--sampler", "sel-p", "--rate", "20%", command="tune")))
        self.assertEqual(self.notes("--rates", "20%", "--shuffle", *experiment, command="compare"), [])

    def test_the_order_of_the_file_is_what_counts(self):
        self.assertEqual(self.notes(rows=ROWS), [])
        self.assertEqual(self.notes("--order", "random"), [])
        blocks = [self.ROWS[k % 2 * 20 + k // 2 * 4:][:4] for k in range(10)]
        self.assertEqual(self.notes(rows=[row for block in blocks for row in block]), [])

    def test_two_sorted_files_are_sorted(self):
        self.write("one.csv", csv_of(self.ROWS))
        self.write("two.csv", csv_of((100 + k, text, label) for k, text, label in self.ROWS))
        note = self.ok("run", "one.csv", "two.csv", "--positive", "spam", "--quiet").err
        self.assertIn("sorted by their labels, first", note)

    def test_few_examples_of_a_label_may_come_together(self):
        rare = [(k, text, "spam" if k < 2 else "ham") for k, text, _ in ROWS]
        self.assertEqual(self.notes(rows=rare), [])

    def test_the_random_order_has_all_examples_and_depends_on_the_seed(self):
        orders = []
        for seed in "1", "1", "2":
            self.notes("--order", "random", "--seed", seed, "--trace", "trace.csv", "--sampler", "perc")
            lines = [line.split(",") for line in self.read("trace.csv").decode().splitlines()]
            place = lines[0].index("label")
            orders.append("".join("+" if line[place] == "1" else "-" for line in lines[1:]))
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])
        self.assertEqual([order.count("+") for order in orders], [20, 20, 20])
        self.assertNotIn("+" * 20, orders[0])


class SeedsOfSessions(CliTest):
    def test_seeds_with_other_capitals_are_told(self):
        self.write("seeds.csv", "text,label\nfree prize,Spam\nsee you,ham\n")
        self.write("seeds.jsonl", '{"text": "free prize", "label": "Spam"}\n{"text": "see you", "label": "ham"}\n')
        for seeds in "seeds.csv", "seeds.jsonl":
            options = "stream", "--positive", "spam", "--seed-labels", seeds
            self.assertEqual(self.ok(*options).err, f"note: {seeds}: the label 'Spam' is not 'spam': its examples are negative\n")
            self.assertEqual(self.ok(*options, "--quiet").err, "")


class NothingToLearn(CliTest):
    def notes(self, command, content, *arguments):
        self.write("data.csv", content)
        return self.ok(command, "data.csv", *arguments, "--quiet").err

    def test_examples_without_any_feature_are_told(self):
        empty = "text,label\n" + "".join(f",{'spam' if k % 3 == 0 else 'ham'}\n" for k in range(60))
        for arguments in (), ("--bias", "1"):
            self.assertIn("note: data.csv: no example has a word", self.notes("run", empty, "--positive", "spam", *arguments))
        self.assertEqual(self.notes("run", empty + "a word,spam\n", "--positive", "spam"), "")

    def test_an_empty_file_among_others_is_told(self):
        self.write("empty.csv", "")
        self.write("header.csv", "text,label\n")
        full = "text,label\n" + "a few words,spam\nother words,ham\n" * 9
        for files in ["empty.csv"], ["header.csv", "data.csv"]:
            notes = self.notes("run", full, *files, "--positive", "spam")
            self.assertEqual(notes, f"note: {files[0]}: no example in it\n")

    def test_minus_one_and_zero_and_one_are_told(self):
        three = "age,label\n" + "".join(f"{k % 7},{k % 3 - 1}\n" for k in range(60))
        self.assertIn("note: data.csv: the labels are -1, 0 and 1, and both -1 and 0 are negative", self.notes("run", three))
        self.assertEqual(self.notes("run", three, "--multiclass"), "")
        self.assertEqual(self.notes("run", three, "--positive", "1"), "")
        self.assertEqual(self.notes("run", three.replace(",-1", ",0")), "")

    def test_a_comparison_of_one_label_is_told(self):
        one = "age,label\n" + "".join(f"{k % 7},yes\n" for k in range(60))
        options = "--positive", "yes", "--rates", "50%", "--runs", "1", "--samplers", "sel-p"
        self.assertIn("note: every example is positive", self.notes("compare", one, *options))


if __name__ == "__main__":
    unittest.main()
