"""Labels that are there already teach before the first question, and nothing else counts them."""

import csv
import io
import json
import unittest

from harness import CliTest, binary_lines, rows, text, topic_lines

SPAM = "free prize winner click offer cash now".split()
HAM = "meeting report lunch project draft budget soon".split()


def messages(first, count):
    for k in range(first, first + count):
        words = SPAM if k % 3 == 0 else HAM
        yield f"m{k}", f"{words[k % 7]} {words[k * 3 % 7]} today {words[k * 5 % 7]} please {k % 11}", "spam" if k % 3 == 0 else "ham"


def table(items, header=("id", "text", "label")):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *items])
    return out.getvalue()


class Runs(CliTest):
    def setUp(self):
        super().setUp()
        lines = binary_lines(600)
        self.write("seeds.svm", text(lines[:200]))
        self.write("data.svm", text(lines[200:]))
        self.write("all.svm", text(lines))

    def test_the_first_margin_is_that_of_a_learner_that_asked_for_all_seeds(self):
        self.ok("run", "seeds.svm", "--learner", "perceptron", "--rule", "always", "--model", "m", "--quiet")
        margins = [float(line.split("\t")[1]) for line in self.ok("predict", "m", "data.svm").out.splitlines()]
        first = rows(self.trace("data.svm", "--learner", "perceptron", "--rule", "random:q=1e-6", "--seed-labels", "seeds.svm"))
        self.assertEqual([row.margin for row in first], margins)

    def test_budget_and_counts_know_nothing_of_them(self):
        report = self.report("data.svm", "--budget", "50", "--audit", "2%", "--seed-labels", "seeds.svm")
        self.assertEqual(report["seed_labels"], 200)
        self.assertLessEqual(report["macro"]["asked"], 50)
        self.assertEqual(report["macro"]["rounds"], 400)
        self.assertEqual(report["tasks"][0]["estimate"]["whole"]["rounds"], 400)
        shown = self.ok("run", "data.svm", "--budget", "50", "--seed-labels", "seeds.svm", "--quiet").out
        self.assertIn("seeds      200 labels were learned first; no other line counts them\n", shown)

    def test_coins_are_the_same_with_and_without(self):
        with_seeds = rows(self.trace("data.svm", "--sampler", "sel-p", "--seed-labels", "seeds.svm"))
        without = rows(self.trace("data.svm", "--sampler", "sel-p"))
        self.assertEqual([row.coin for row in with_seeds], [row.coin for row in without])
        self.assertNotEqual([row.margin for row in with_seeds], [row.margin for row in without])

    def test_the_control_and_the_baseline_begin_with_them_too(self):
        report = self.report("data.svm", "--budget", "5", "--baseline", "--control", "--seed-labels", "seeds.svm")
        without = self.report("data.svm", "--budget", "5", "--baseline", "--control")
        self.assertGreater(report["control"]["f1"], without["control"]["f1"])
        self.assertNotEqual(report["baseline"]["macro"], without["baseline"]["macro"])

    def test_topics_classes_and_threads(self):
        lines = topic_lines(400)
        self.write("topics.svm", text(lines[100:]))
        self.write("known.svm", text(lines[:100]))
        one = self.trace("topics.svm", "--labels", "0-4", "--sampler", "sel-p", "--seed-labels", "known.svm", "--threads", "1")
        two = self.trace("topics.svm", "--labels", "0-4", "--sampler", "sel-p", "--seed-labels", "known.svm", "--threads", "3")
        self.assertEqual(one, two)
        self.write("train.csv", table(messages(0, 90)))
        self.write("test.csv", table(messages(90, 90)))
        report = self.report("test.csv", "--multiclass", "--sampler", "sel-p", "--seed-labels", "train.csv")
        self.assertEqual(report["seed_labels"], 90)

    def test_a_resumed_run_remembers_how_many(self):
        self.ok("run", "data.svm", "--sampler", "perc", "--seed-labels", "seeds.svm", "--model", "m", "--quiet")
        shown = self.ok("run", "data.svm", "--resume", "m", "--quiet").out
        self.assertIn("seeds      200 labels", shown)

    def test_what_cannot_be_is_refused(self):
        self.refused(2, "run", "data.svm", "--seed-labels", "none.svm", says=["--seed-labels", "none.svm"])
        self.write("empty.svm", "")
        self.refused(3, "run", "data.svm", "--seed-labels", "empty.svm", says="no example in it", place="empty.svm")
        self.write("texts.csv", table(messages(0, 30)))
        self.refused(3, "run", "data.svm", "--seed-labels", "texts.csv", says="texts.csv")
        self.refused(2, "run", "data.svm", "--seed-labels", "seeds.svm", "--final", "last", says=["--final", "--seed-labels"])


class Sessions(CliTest):
    def setUp(self):
        super().setUp()
        self.write("seeds.csv", table(messages(0, 60)))
        self.lines = "".join(json.dumps({"id": name, "text": words}) + "\n" + json.dumps({"id": name, "label": label}) + "\n"
                             for name, words, label in messages(60, 60)).encode() + b'{"report": true}\n'

    def test_a_stream_knows_them_and_its_ledger_replays(self):
        done = self.ok("stream", "--labels", "spam,ham", "--seed-labels", "seeds.csv", "--ledger", "l", "--model", "m", "--quiet",
                       stdin=self.lines)
        answers = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual(answers[0]["prediction"], 1)
        self.assertEqual(answers[-1]["report"]["seed_labels"], 60)
        self.assertEqual(answers[-1]["report"]["rounds"], 60)
        shown = self.ok("replay", "l", "--model", "again").out
        self.assertIn("seeds      60 labels", shown)
        self.assertEqual(self.read("m"), self.read("again"))
        self.ok("whatif", "l", "--budget", "5")

    def test_json_lines_teach_the_same_as_a_table(self):
        self.write("seeds.jsonl", "".join(json.dumps({"id": a, "text": b, "label": c}) + "\n" for a, b, c in messages(0, 60)))
        both = [self.ok("stream", "--labels", "spam,ham", "--seed-labels", name, "--quiet", stdin=self.lines).out
                for name in ("seeds.csv", "seeds.jsonl")]
        self.assertEqual(both[0], both[1])

    def test_a_ledger_goes_on_only_with_the_same_seeds(self):
        self.ok("stream", "--labels", "spam,ham", "--seed-labels", "seeds.csv", "--ledger", "l", "--quiet", stdin=self.lines)
        self.ok("stream", "--labels", "spam,ham", "--seed-labels", "seeds.csv", "--ledger", "l", "--quiet")
        self.ok("stream", "--ledger", "l", "--quiet")
        self.write("other.csv", table(messages(1, 60)))
        done = self.askfew("stream", "--labels", "spam,ham", "--seed-labels", "other.csv", "--ledger", "l", "--quiet")
        self.assertIn("begun with other seed labels", self.complaint(done, 2))

    def test_a_wrong_label_is_refused(self):
        self.write("wrong.csv", table([*messages(0, 10), ("x", "free prize", "Spam")]))
        done = self.askfew("stream", "--labels", "spam,ham", "--seed-labels", "wrong.csv", "--quiet")
        self.assertIn("'Spam'", self.complaint(done, 3))


class Labels(CliTest):
    def setUp(self):
        super().setUp()
        self.write("pool.csv", table([(name, words, label if k < 40 else "") for k, (name, words, label) in
                                      enumerate(messages(0, 120))]))

    def questions(self, *arguments):
        self.ok("label", "pool.csv", "--out", "questions.csv", "--ledger", "l", "--labels", "spam,ham", "--batch", "5", "--budget",
                "20", *arguments)
        return list(csv.DictReader(io.StringIO(self.read("questions.csv").decode())))

    def test_labelled_rows_are_learned_and_not_asked(self):
        asked = self.questions()
        self.assertEqual(len(asked), 5)
        self.assertTrue(all(int(row["id"][1:].split()[0]) >= 40 for row in asked))
        truth = {name: label for name, _, label in messages(0, 120)}
        self.assertTrue(all(row["prediction"] == truth[row["id"]] for row in asked), asked)
        self.assertIn("seeds      40 labels", self.ok("replay", "l").out)

    def test_a_file_and_labelled_rows_together(self):
        self.write("seeds.csv", table(messages(200, 30)))
        self.questions("--seed-labels", "seeds.csv")
        self.assertIn("seeds      70 labels", self.ok("replay", "l").out)

    def test_a_pool_that_is_all_labelled_is_refused(self):
        self.write("pool.csv", table(messages(0, 30)))
        done = self.askfew("label", "pool.csv", "--out", "o.csv", "--labels", "spam,ham", "--batch", "5")
        self.assertIn("askfew run", self.complaint(done, 3))


if __name__ == "__main__":
    unittest.main()
