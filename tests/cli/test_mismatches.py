"""A model that gets data of another kind than it was trained on says what it was trained on and what the data looks like."""

import json
import unittest

from harness import CliTest

WORDS = "free prize winner click offer cash now".split()


def text(k):
    return f"{WORDS[k % 7]} {WORDS[k * 3 % 7]} today please"


def name(k):
    return "spam" if k % 2 else "ham"


FILES = {
    "n.svm": "".join(f"{'+1' if k % 2 else '-1'} 1:{k % 7} 2:{k % 5}\n" for k in range(60)),
    "n.vw": "".join(f"{'1' if k % 2 else '-1'} |a x{k % 7} y{k % 5}:2\n" for k in range(60)),
    "n.csv": "a,b,label\n" + "".join(f"{k % 7},{k % 5},{k % 2}\n" for k in range(60)),
    "other.csv": "c,d,e,label\n" + "".join(f"{k % 7},{k % 5},x,{k % 2}\n" for k in range(60)),
    "n.jsonl": "".join(json.dumps({"x": [k % 7, k % 5], "label": 1 if k % 2 else -1}) + "\n" for k in range(60)),
    "t.tsv": "".join(f"{name(k)}\t{text(k)}\n" for k in range(60)),
    "t.csv": "text,label\n" + "".join(f"{text(k)},{name(k)}\n" for k in range(60)),
    "t.jsonl": "".join(json.dumps({"text": text(k), "label": name(k)}) + "\n" for k in range(60)),
}
# Texts are texts in any format; numbers by index are the same in svmlight and JSON lines.
FITS = {frozenset(pair) for pair in (("t.tsv", "t.jsonl"), ("t.tsv", "t.csv"), ("t.jsonl", "t.csv"), ("n.svm", "n.jsonl"))}
KINDS = {"n.svm": "numbers by index", "n.jsonl": "numbers by index", "n.vw": "the features of Vowpal Wabbit",
         "n.csv": "a table: numeric 'a', numeric 'b', label 'label'", "t.tsv": "text", "t.jsonl": "text",
         "t.csv": "a table: text 'text', label 'label'"}
LOOKS = {"n.svm": "svmlight", "n.vw": "vw", "t.tsv": "tsv"}


class Mismatches(CliTest):
    def setUp(self):
        super().setUp()
        for file, content in FILES.items():
            self.write(file, content)

    def labels(self, file):
        return ["--positive", "spam"] if file.startswith("t") else []

    def pairs(self):
        for trained in KINDS:
            for data in FILES:
                if data == trained or frozenset((trained, data)) in FITS and trained != "t.csv":
                    continue
                if trained == "t.csv" and data == "t.csv":
                    continue
                yield trained, data

    def check(self, message, trained, data):
        self.assertTrue(message.startswith(f"askfew: {data}:"), message)
        columns = trained.endswith(".csv")
        if columns and data.endswith(".jsonl"):
            self.assertIn("trained on the columns of a table", message)
        else:
            self.assertIn(f"was trained on {KINDS[trained]}", message)
        if columns and data in LOOKS:
            self.assertIn(f"looks like {LOOKS[data]}", message)
        if columns and data == "other.csv":
            self.assertIn("in the header, which has 'c', 'd', 'e', 'label'", message)

    def test_every_pair_is_refused_by_predict_and_evaluate(self):
        for file in KINDS:
            self.ok("run", file, *self.labels(file), "--sampler", "perc", "--model", f"{file}.model", "--quiet")
        for trained, data in self.pairs():
            for command in "predict", "evaluate":
                with self.subTest(command, trained=trained, data=data):
                    message = self.complaint(self.askfew(command, f"{trained}.model", data), 3)
                    self.check(message, trained, data)
                    self.assertIn(f"{trained}.model", message)

    def test_seeds_of_another_kind_are_refused(self):
        for trained, data in (("t.csv", "n.svm"), ("n.csv", "n.vw"), ("n.svm", "t.csv"), ("t.tsv", "n.csv"), ("n.vw", "n.svm")):
            with self.subTest(trained=trained, data=data):
                done = self.askfew("run", trained, *self.labels(trained), "--sampler", "perc", "--seed-labels", data, "--quiet")
                line = self.complaint(done, 3)
                self.assertIn("the model", line)
                self.check(line.replace("the columns of a table", KINDS[trained]), trained, data)

    def test_a_table_to_predict_needs_no_column_of_labels(self):
        """Also if the model knows the label's key by a name that is not usual."""
        lines = [{"body": text(k), "kind": name(k)} for k in range(60)]
        self.write("body.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        self.ok("run", "body.jsonl", "--text-columns", "body", "--label-column", "kind", "--positive", "spam", "--model", "m")
        expected = self.ok("predict", "m", "body.jsonl").out
        for table in ("body\n", "id,body\n", "id,note,body\n", "id,body,kind\n"):
            head, tail = table.strip().split("body")
            rows = "".join(f"{head.replace('id', str(k)).replace('note', 'a b c d e f g h')}{text(k)}"
                           f"{tail.replace('kind', name(k))}\n" for k in range(60))
            self.write("new.csv", table + rows)
            self.assertEqual(self.ok("predict", "m", "new.csv").out, expected, table)
        line = self.complaint(self.askfew("evaluate", "m", self.write("new.csv", "body\na b c d e\n")), 2)
        self.assertIn("'kind' is not a column", line)


if __name__ == "__main__":
    unittest.main()
