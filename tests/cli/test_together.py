"""`--ask together`: one decision per document, for all of its topics."""

import collections
import unittest

from harness import CliTest, rows, text, topic_lines


class Together(CliTest):
    def setUp(self):
        super().setUp()
        self.write("topics.svm", text(topic_lines(600)))

    def decisions(self, *arguments):
        """The rows of the trace, by round."""
        found = collections.defaultdict(list)
        for row in rows(self.trace("topics.svm", "--labels", "0-4", *arguments)):
            found[row.round].append(row)
        return found

    def test_all_topics_of_a_document_are_asked_or_none_with_one_coin(self):
        asked = 0
        for document in self.decisions("--sampler", "sel-p", "--ask", "together").values():
            self.assertEqual(len(document), 5)
            self.assertEqual(len({(row.asked, row.coin, row.probability) for row in document}), 1)
            asked += document[0].asked
        self.assertTrue(0 < asked < 600)

    def test_the_probability_is_the_largest_of_the_topics(self):
        for document in self.decisions("--sampler", "sel-p:b=0.5", "--ask", "together").values():
            nearest = min(abs(row.margin) for row in document)
            largest = max(0.5 / (0.5 + abs(row.margin)) for row in document)
            self.assertAlmostEqual(document[0].probability, 0.5 / (0.5 + nearest))
            self.assertAlmostEqual(document[0].probability, largest)

    def test_a_document_has_a_coin_of_its_own(self):
        together = self.decisions("--sampler", "sel-p", "--ask", "together")
        apart = self.decisions("--sampler", "sel-p")
        coins = {row.coin for document in apart.values() for row in document}
        self.assertFalse(coins & {document[0].coin for document in together.values()})

    def test_always_asking_is_the_same_together_and_apart(self):
        together = self.decisions("--sampler", "perc", "--ask", "together")
        apart = self.decisions("--sampler", "perc")
        for number, document in apart.items():
            self.assertEqual([(row.margin, row.prediction, row.updated) for row in document],
                             [(row.margin, row.prediction, row.updated) for row in together[number]])

    def test_budgets_and_reports_count_documents(self):
        report = self.report("topics.svm", "--labels", "0-4", "--budget", "60", "--ask", "together")
        self.assertEqual(report["ask"], "together")
        self.assertEqual(report["documents_opened"], report["macro"]["asked"])
        self.assertLessEqual(report["macro"]["asked"], 60)
        self.assertGreater(report["macro"]["asked"], 55)
        self.assertEqual(report["macro"]["rounds"], 600)
        self.assertTrue(all(task["asked"] == report["macro"]["asked"] for task in report["tasks"]))
        shown = self.ok("run", "topics.svm", "--labels", "0-4", "--budget", "60", "--ask", "together", "--quiet").out
        self.assertRegex(shown, r"asked \d+ of 600 documents \([\d.]+%\) for all 5 labels of each")
        self.assertIn("budget     60 for 600 rounds, in documents", shown)

    def test_topics_apart_say_how_many_documents_were_opened(self):
        opened = sum(any(row.asked for row in document) for document in self.decisions("--sampler", "sel-p").values())
        for threads in ("1", "3"):
            report = self.report("topics.svm", "--labels", "0-4", "--sampler", "sel-p", "--threads", threads)
            self.assertEqual(report["documents_opened"], opened)
        shown = self.ok("run", "topics.svm", "--labels", "0-4", "--sampler", "sel-p", "--quiet").out
        self.assertIn(f"opened {opened} of 600 documents", shown)

    def test_a_resumed_run_is_the_same_as_one_run(self):
        lines = topic_lines(600)
        self.write("first.svm", text(lines[:250]))
        self.write("second.svm", text(lines[250:]))
        for mode in ("apart", "together"):
            arguments = ["--labels", "0-4", "--sampler", "sel-p", "--ask", mode, "--quiet"]
            self.ok("run", "topics.svm", *arguments, "--model", "whole")
            self.ok("run", "first.svm", *arguments, "--model", "half")
            self.ok("run", "second.svm", "--resume", "half", "--model", "both", "--quiet")
            self.assertEqual(self.read("whole"), self.read("both"), mode)

    def test_estimates_hold_the_truth(self):
        report = self.report("topics.svm", "--labels", "0-4", "--budget", "200", "--audit", "10%", "--ask", "together")
        for task in report["tasks"]:
            estimated = task["estimate"]["whole"]["accuracy"]
            self.assertTrue(estimated["low"] <= task["accuracy"] <= estimated["high"], task)

    def test_what_cannot_be_is_refused(self):
        self.refused(2, "run", "topics.svm", "--positive", "1", "--ask", "together", says=["--ask together", "topics"])
        self.refused(2, "run", "topics.svm", "--labels", "0-4", "--ask", "together", "--learner", "rls", "--rule", "variance",
                     "--dimension", "30", says="variance needs a spread")
        self.refused(2, "run", "topics.svm", "--labels", "0-4", "--ask", "together", "--aim", "f1", says="aim")


if __name__ == "__main__":
    unittest.main()
