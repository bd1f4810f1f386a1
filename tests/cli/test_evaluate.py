"""`askfew evaluate` compares a model with labels; `askfew predict` names labels and ids; ids travel."""

import csv
import io
import json
import unittest

from harness import CliTest

SPAM = "free prize winner click offer cash now".split()
HAM = "meeting report lunch project draft budget soon".split()


def rows(count, shift=0):
    """Texts whose ids are neither their numbers nor features; every tenth label is wrong."""
    for k in range(shift, shift + count):
        is_spam = k % 3 == 0
        words = SPAM if is_spam else HAM
        label = "spam" if is_spam != (k % 10 == 7) else "ham"
        yield f"m{k:04}", f"{words[k % 7]} {words[k * 3 % 7]} today {words[k * 5 % 7]} please", label


def table(items, header=("id", "text", "label")):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *items])
    return out.getvalue()


class Evaluate(CliTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", table(rows(300)))
        self.write("test.csv", table(rows(200, 300)))
        self.ok("run", "train.csv", "--positive", "spam", "--negative", "ham", "--sampler", "perc", "--model", "m", "--quiet")

    def test_the_counts_are_those_of_the_predictions(self):
        predicted = list(csv.DictReader(io.StringIO(self.ok("predict", "m", "test.csv", "--output-format", "csv").out)))
        truth = {name: label for name, _, label in rows(200, 300)}
        self.assertEqual([row["id"] for row in predicted], list(truth))
        self.assertEqual({row["label"] for row in predicted}, {"spam", "ham"})
        pairs = [(truth[row["id"]], row["label"]) for row in predicted]
        result = json.loads(self.ok("evaluate", "m", "test.csv", "--json", "-").out)
        task = result["tasks"][0]
        self.assertEqual(task["true_positives"], pairs.count(("spam", "spam")))
        self.assertEqual(task["false_positives"], pairs.count(("ham", "spam")))
        self.assertEqual(task["false_negatives"], pairs.count(("spam", "ham")))
        self.assertEqual(task["true_negatives"], pairs.count(("ham", "ham")))
        self.assertEqual(result["examples"], 200)
        right = pairs.count(("spam", "spam")) + pairs.count(("ham", "ham"))
        self.assertAlmostEqual(result["accuracy"]["value"], right / 200)
        for name in ("accuracy", "precision", "recall", "f1"):
            figure = task[name]
            self.assertTrue(0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1, name)

    def test_recall_descends_with_the_threshold(self):
        curve = json.loads(self.ok("evaluate", "m", "test.csv", "--json", "-").out)["curve"]
        recalls = [point["recall"]["value"] for point in curve]
        for point in curve:
            for figure in (point["recall"], point["precision"]):
                self.assertTrue(0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1, point)
        thresholds = [point["threshold"] for point in curve]
        self.assertEqual(recalls, sorted(recalls))
        self.assertEqual(thresholds, sorted(thresholds, reverse=True))
        self.assertEqual(recalls[-1], 1)

    def test_the_probabilities_of_predictions_are_those_that_are_evaluated(self):
        predicted = list(csv.DictReader(io.StringIO(self.ok("predict", "m", "test.csv", "--output-format", "csv").out)))
        truth = {name: label for name, _, label in rows(200, 300)}
        found = json.loads(self.ok("evaluate", "m", "test.csv", "--json", "-").out)["reliability"]
        positive = [(float(row["probability"]) if row["label"] == "spam" else 1 - float(row["probability"]),
                     truth[row["id"]] == "spam") for row in predicted]
        self.assertAlmostEqual(found["brier"]["value"], sum((p - is_spam) ** 2 for p, is_spam in positive) / 200)
        for tenth in found["bins"]:
            inside = [(p, is_spam) for p, is_spam in positive if tenth["from"] <= p < tenth["to"]]
            self.assertEqual(tenth["count"], len(inside))
            self.assertAlmostEqual(tenth["observed"]["value"], sum(is_spam for _, is_spam in inside) / len(inside))
            self.assertTrue(tenth["observed"]["low"] <= tenth["observed"]["value"] <= tenth["observed"]["high"])
        self.assertLess(found["calibration_error"], 0.15)

    def test_too_few_labels_give_no_probability_and_are_told(self):
        self.write("few.csv", table(rows(12)))
        self.ok("run", "few.csv", "--positive", "spam", "--negative", "ham", "--sampler", "perc", "--model", "f", "--quiet")
        done = self.ok("predict", "f", "test.csv", "--output-format", "csv")
        self.assertIn("note: too few labels were asked for probabilities, 12 (5 positive): at least 20", done.err)
        self.assertTrue(all(row["probability"] == "" for row in csv.DictReader(io.StringIO(done.out))))
        done = self.ok("predict", "f", "test.csv", "--output-format", "jsonl")
        self.assertIsNone(json.loads(done.out.splitlines()[0])["probability"])
        done = self.ok("evaluate", "f", "test.csv", "--json", "-")
        self.assertNotIn("reliability", json.loads(done.out))
        self.assertIn("too few labels", done.err)

    def test_classes_and_topics_have_probabilities(self):
        for option in ("--multiclass", "--labels"):
            self.ok("run", "train.csv", *((option, "--labels") if option == "--multiclass" else (option,)), "ham,spam",
                    "--sampler", "perc", "--model", "c", "--quiet")
            lines = self.ok("predict", "c", "test.csv", "--output-format", "jsonl").out.splitlines()
            for line in map(json.loads, lines):
                for probability in line["probabilities"] if "probabilities" in line else [line["probability"]]:
                    self.assertTrue(0 < probability < 1, line)
            self.assertIn("reliability", json.loads(self.ok("evaluate", "c", "test.csv", "--json", "-").out))

    def test_the_page_has_both_figures(self):
        self.ok("evaluate", "m", "test.csv", "--html", "page.html")
        page = self.read("page.html").decode()
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("<title>Precision against recall of spam</title>", page)
        self.assertIn("<title>Probabilities that the label is spam</title>", page)

    def test_a_model_whose_aim_moves_the_cut_is_evaluated_with_its_cut(self):
        self.ok("run", "train.csv", "--positive", "spam", "--negative", "ham", "--budget", "150", "--aim", "recall=0.99", "--model",
                "a", "--quiet")
        predicted = self.ok("predict", "a", "test.csv").out.splitlines()
        task = json.loads(self.ok("evaluate", "a", "test.csv", "--json", "-").out)["tasks"][0]
        self.assertEqual(task["true_positives"] + task["false_positives"], sum(line.startswith("+1") for line in predicted))

    def test_nothing_is_learned(self):
        before = self.read("m")
        self.ok("evaluate", "m", "test.csv")
        self.assertEqual(self.read("m"), before)

    def test_labels_that_do_not_fit_are_refused(self):
        self.write("other.csv", table([("a", "free prize today for you", "Spam"), ("b", "lunch report draft soon now", "ham")]))
        self.refused(3, "evaluate", "m", "other.csv", says=["'Spam'", "'spam'"], outputs=False)
        self.write("none.csv", table([("a", "free prize today for you", ""), ("b", "lunch report draft soon now", "ham")]))
        self.refused(3, "evaluate", "m", "none.csv", says=["label", "--unlabelled"], outputs=False)

    def test_classes_have_a_table_of_counts(self):
        self.ok("run", "train.csv", "--multiclass", "--labels", "ham,spam", "--sampler", "perc", "--model", "c", "--quiet")
        result = json.loads(self.ok("evaluate", "c", "test.csv", "--json", "-").out)
        self.assertEqual(sum(map(sum, result["class_counts"])), 200)
        self.assertIn("true \\ predicted", self.ok("evaluate", "c", "test.csv").out)

    def test_json_lines_of_predictions(self):
        lines = [json.loads(line) for line in self.ok("predict", "m", "test.csv", "--output-format", "jsonl").out.splitlines()]
        self.assertEqual(list(lines[0]), ["id", "label", "margin", "probability"])
        self.assertEqual(lines[0]["id"], "m0300")

    def test_an_id_is_no_feature_and_is_in_the_trace(self):
        trace = self.trace("train.csv", "--positive", "spam", "--sampler", "perc").decode().splitlines()
        self.assertEqual(trace[0].split(",")[-1], "id")
        self.assertEqual(trace[1].split(",")[-1], "m0000")
        self.write("renamed.csv", table([(f"other{k}", text, label) for k, (_, text, label) in enumerate(rows(300))]))
        renamed = self.trace("renamed.csv", "--positive", "spam", "--sampler", "perc").decode().splitlines()
        self.assertEqual([line.rsplit(",", 1)[0] for line in trace], [line.rsplit(",", 1)[0] for line in renamed])

    def test_inspect_says_what_is_known(self):
        self.ok("run", "train.csv", "--positive", "spam", "--sampler", "perc", "--dictionary", "--model", "d", "--quiet")
        shown = self.ok("inspect", "d").out
        self.assertIn("labels     'spam', 'not spam'\n", shown)
        self.assertIn("heaviest for 'spam'\n", shown)
        self.assertIn("heaviest against 'spam'\n", shown)
        self.assertIn("the columns of a table", shown)
        lines = '{"id": 1, "text": "free prize"}\n{"id": 1, "label": "spam"}\n'
        self.ok("stream", "--labels", "spam,ham", "--model", "s", stdin=lines.encode())
        shown = self.ok("inspect", "s").out
        self.assertIn("accuracy   unknown", shown)
        self.assertIn("labels     'spam', 'ham'\n", shown)
        self.assertNotIn("F          0", shown)


class Notes(CliTest):
    def test_a_pipe_with_a_label_that_no_example_has_is_told(self):
        done = self.ok("run", "-", "--positive", "Spam", "--quiet", "--sampler", "perc", stdin=table(rows(60)).encode())
        self.assertIn("note: <stdin>: no example has the label 'Spam' of --positive: did you mean 'spam'?", done.err)

    def test_unlabelled_examples_are_skipped_and_counted(self):
        items = [(name, text, label if k % 4 else "") for k, (name, text, label) in enumerate(rows(60))]
        self.write("half.csv", table(items))
        done = self.ok("run", "half.csv", "--positive", "spam", "--unlabelled", "skip", "--quiet")
        self.assertIn("rounds     45\n", done.out)
        self.assertIn("note: half.csv: 15 examples without a label were left out", done.err)

    def test_labels_that_are_not_learned_are_named(self):
        self.write("train.csv", table(rows(600)))
        done = self.ok("run", "train.csv", "--positive", "spam", "--sampler", "sel-p", "--budget", "200", "--quiet")
        self.assertIn("(update on mistake): --update asked learns all", done.out)
        done = self.ok("run", "train.csv", "--positive", "spam", "--sampler", "sel-p", "--budget", "200", "--update", "asked",
                       "--quiet")
        self.assertNotIn("unused", done.out)

    def test_a_stream_closes_its_labels_with_the_first_negative_one(self):
        lines = [{"id": k, "text": f"word{k} of a text"} for k in range(4)]
        lines = [line for k, x in enumerate(lines) for line in (x, {"id": k, "label": ("ham", "spam", "I do not know", "hm")[k]})]
        done = self.ok("stream", "--positive", "spam", "--sampler", "perc", "--quiet",
                       stdin="".join(json.dumps(line) + "\n" for line in lines).encode())
        answers = [json.loads(line) for line in done.out.splitlines()][1::2]
        self.assertIn("the labels are now 'spam' and 'ham'", answers[0]["note"])
        self.assertEqual(answers[1]["outcome"], "learned")
        self.assertIn("'I do not know' is not one of 'spam', 'ham'", answers[2]["error"])
        self.assertIn("did you mean 'ham'?", answers[3]["error"])


if __name__ == "__main__":
    unittest.main()
