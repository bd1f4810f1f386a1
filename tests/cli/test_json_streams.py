"""JSON objects, one per line: from files and pipes, as text, numbers and features; malformed objects; predictions."""

import gzip
import json
import unittest

from harness import CliTest, binary_lines, rows, text, topic_lines

WORDS = "wheat corn crude ship trade earn loss profit dollar".split()


def records(count=300):
    """Stories of some words; half of them are about cocoa."""
    return [{"id": k, "text": " ".join([WORDS[k * step % 9] for step in range(1, 7)] + ["cocoa"] * (k % 2)),
             "label": 1 if k % 2 else -1} for k in range(count)]


def lines(objects, **options):
    return "".join(json.dumps(o, **options) + "\n" for o in objects)


class EmptyVectors(CliTest):
    """All vectors are as long as the first, so the first must not be empty."""

    LINES = [{"id": 1, "x": [], "label": 1}, {"id": 2, "x": [1, 2], "label": 1}, {"id": 3, "x": [2, 1], "label": -1}]

    def test_an_empty_first_vector_in_a_file_is_refused(self):
        self.write("data", lines(self.LINES))
        self.refused(3, "run", "data", place="data:1:16", says="x has no numbers")
        self.assertIn("rounds     2\n", self.ok("run", "data", "--on-error", "skip", "--quiet").out)

    def test_an_empty_first_vector_in_a_stream_is_refused_and_the_next_lines_are_answered(self):
        unlabelled = [{"id": line["id"], "x": line["x"]} for line in self.LINES]
        answers = [json.loads(line) for line in self.ok("stream", "--quiet", stdin=lines(unlabelled).encode()).out.splitlines()]
        self.assertIn("x has no numbers", answers[0]["error"])
        self.assertTrue(all("ask" in answer for answer in answers[1:]), answers)


class SameAsSvmlight(CliTest):
    """The same examples give the same decisions, however they are written."""

    def test_features_by_index_and_dense_numbers_give_the_same_run_as_svmlight(self):
        svmlight = binary_lines(400)
        self.write("data.svm", text(svmlight))
        expected = self.trace("data.svm")
        indexed, dense = [], []
        for line in svmlight:
            label, *pairs = line.split()
            pairs = [(int(i) - 1, float(v)) for i, v in (p.split(":") for p in pairs)]
            indexed.append({"label": int(label), "features": pairs[::-1]})
            dense.append({"x": [dict(pairs).get(i, 0) for i in range(30)], "label": int(label)})
        self.assertTrue(self.trace(self.write("indexed", lines(indexed))) == expected)
        self.assertTrue(self.trace(self.write("indexed", lines(indexed)), "--dimension", "30") == expected)
        for margin, other in zip(rows(expected), rows(self.trace(self.write("dense", lines(dense))))):
            self.assertAlmostEqual(margin.margin, other.margin, delta=1e-9)

    def test_topics_give_the_same_run_as_svmlight(self):
        svmlight = topic_lines(200)
        self.write("data.svm", text(svmlight))
        objects = []
        for line in svmlight:
            labels, *pairs = line.split(" ")
            objects.append({"labels": [int(l) for l in labels.split(",") if l],
                            "features": [[int(i) - 1, float(v)] for i, v in (p.split(":") for p in pairs if p)]})
        self.write("data.jsonl", lines(objects))
        for options in ([], ["--labels", "all"], ["--labels", "1,4"], ["--positive", "0,2"]):
            self.assertTrue(self.trace("data.jsonl", *options) == self.trace("data.svm", *options), options)


class Text(CliTest):
    def setUp(self):
        super().setUp()
        self.records = records()
        self.write("data.jsonl", lines(self.records))
        self.expected = self.trace("data.jsonl")

    def same(self, *arguments, **options):
        self.assertTrue(self.trace(*arguments, **options) == self.expected, "the traces differ")

    def test_text_is_learned(self):
        report = self.report("data.jsonl", "--sampler", "perc")
        self.assertEqual(report["macro"]["rounds"], 300)
        self.assertGreater(report["macro"]["accuracy"], 0.9)

    def test_sources_and_spellings_change_nothing(self):
        written = lines(self.records).encode()
        self.same("-", stdin=written)
        self.same("-", "--format", "jsonl", stdin=gzip.compress(written))
        self.same(self.write("crlf", written.replace(b"\n", b"\r\n")))
        self.same(self.write("blank", b"\n \n" + written.replace(b"\n", b"\n\n")[:-2]))
        self.same(self.write("tight", lines(self.records, separators=(",", ":"))))
        self.same(self.write("sorted", lines(self.records, sort_keys=True)))
        self.same(self.write("fields", lines({**r, "text": r["text"].split(" ")} for r in self.records)))
        self.same(self.write("more", lines({"url": "http://x", "meta": {"a": [1, None]}, **r} for r in self.records)))
        self.same(self.write("a", written[:9000 + written[9000:].index(b"\n") + 1]),
                  self.write("b", written[9000 + written[9000:].index(b"\n") + 1:]))

    def test_classes_must_be_named_and_then_give_the_same_run(self):
        named = [{**r, "label": "cocoa" if r["label"] == 1 else "other"} for r in self.records]
        self.write("named", lines(named))
        self.same("named", "--positive", "cocoa")
        self.refused(2, "run", "named", says="name them with --positive or --labels")
        numbered = [{**r, "label": 7 if r["label"] == 1 else 2} for r in self.records]
        self.same(self.write("numbered", lines(numbered)), "--positive", "7")
        self.refused(2, "run", "numbered", says="name them with --positive or --labels")

    def test_predictions_are_one_line_per_instance_and_need_no_labels(self):
        self.ok("run", "data.jsonl", "--model", "m", "--quiet")
        self.write("unlabelled", lines({"text": r["text"]} for r in self.records))
        predicted = self.ok("predict", "m", "unlabelled").out
        self.assertEqual(predicted.count("\n"), 300)
        self.assertEqual(predicted, self.ok("predict", "m", "data.jsonl").out)
        self.assertEqual(predicted, self.ok("predict", "m", "-", stdin=self.read("unlabelled")).out)
        self.assertRegex(predicted.splitlines()[0], r"\A[+-]1\t-?[0-9.e-]+\Z")

    def test_a_model_of_texts_refuses_vectors_longer_than_its_dimension(self):
        self.ok("run", "data.jsonl", "--model", "m", "--bits", "4", "--quiet")
        self.write("x", lines([{"x": [1] * 17}]))
        self.refused(3, "predict", "m", "x", says=["numbers by index", "m was trained on text"], outputs=False)


class Malformed(CliTest):
    def setUp(self):
        super().setUp()
        good = lines(records(20)).splitlines()
        self.write("good", text(good))
        for at, line in ((3, '{"text": "a", "label": 1'), (9, '{"text": 5, "label": 1}'), (22, '{"x": [1], "label": 1}')):
            good.insert(at, line)
        self.write("bad", text(good))

    def test_the_first_malformed_line_stops_the_run(self):
        self.refused(3, "run", "bad", place="bad:4:25", says="expected } at the end of the line")
        self.refused(3, "run", "-", "--format", "jsonl", stdin=b'{"text": 5}', place="<stdin>:1:10", says="is not a string")

    def test_malformed_lines_can_be_skipped(self):
        done = self.ok("run", "bad", "--on-error", "skip", "--quiet", "--trace", "t")
        self.assertRegex(done.err, r"\Askipped bad:4:25: .*\nskipped bad:10:10: .*\nskipped bad:23:7: .*\n\Z")
        self.assertTrue(self.read("t") == self.trace("good"))

    def test_an_empty_file_has_no_example(self):
        self.refused(3, "run", self.write("empty", "\n\n"), "--format", "jsonl", place="empty", says="no example")


if __name__ == "__main__":
    unittest.main()
