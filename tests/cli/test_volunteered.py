"""Labels that nobody asked for: taken with an outcome of their own, learned if wanted, never in the estimates."""

import json
import os
import sys
import unittest

from live_stream import instance, label, StreamTest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "faults"))
from parsed_ledger import ParsedLedger  # noqa: E402

KNOWN = [{"id": "k1", "text": "cheap watches", "label": "spam"}, {"id": "k2", "text": "the minutes", "label": "ham"}]


class Volunteered(StreamTest):
    def test_a_known_label_is_learned_without_a_round(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham", "--volunteered", "learn") as live:
            self.assertEqual(live(KNOWN[0]), {"id": "k1", "outcome": "volunteered", "updated": True})
            self.assertEqual(live(KNOWN[1]), {"id": "k2", "outcome": "volunteered", "updated": False})
            self.assertEqual(live(KNOWN[0])["outcome"], "repeated")
            self.assertEqual(live({"id": "k1", "label": "spam"})["outcome"], "repeated")
            self.assertEqual(live({"id": "m", "text": "cheap"})["margin"], 1)  # the perceptron has added (cheap, watches)
            self.assertEqual(live({"id": "k1", "label": "ham"}), {"id": "k1", "outcome": "volunteered", "updated": True})
            self.assertEqual(live({"id": "n", "text": "cheap"})["margin"], 0)
            report = live({"report": True})["report"]
            self.assertEqual((report["rounds"], report["asked"], report["updates"]), (2, 2, 2))
            self.assertEqual((report["labels"]["volunteered"], report["labels"]["learned"]), (3, 0))

    def test_a_label_that_was_not_asked_is_learned_from_its_instance(self):
        for way, updated in (("learn", True), ("keep", False)):
            with self.live("--sampler", "sel-p", "--labels", "spam,ham", "--volunteered", way, "--budget", "1") as live:
                answers = [live({"id": k, "text": "cheap watches"}) for k in range(40)]
                unasked = [a["id"] for a in answers if not a["ask"]]
                self.assertTrue(unasked)
                given = live({"id": unasked[-1], "label": "spam"})
                self.assertEqual(given, {"id": unasked[-1], "outcome": "volunteered", "updated": updated})
                self.assertEqual(live({"id": unasked[-1], "label": None})["outcome"], "never asked")
                self.assertEqual(live({"id": 77, "text": "watches"})["margin"], 1 if updated else 0)
                again = live({"id": unasked[-1], "text": "cheap watches"})
                self.assertTrue(again["repeated"])  # the decision about the instance is still known

    def test_a_labelled_line_answers_a_question_that_waits(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham", "--volunteered", "learn") as live:
            live({"id": 1, "text": "cheap watches"})
            self.assertEqual(live({"id": 1, "text": "cheap watches", "label": "spam"})["outcome"], "learned")
            self.assertEqual(live({"report": True})["report"]["pending"], 0)

    def test_without_the_setting_nothing_changes(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham") as live:
            self.assertIn("labels come later", live(KNOWN[0])["error"])
        self.complaint(self.askfew("stream", "--volunteered", "perhaps"), 2)
        self.assertIn("aim", self.complaint(self.askfew("stream", "--volunteered", "learn", "--aim", "f1", stdin=b""), 2))

    def test_estimates_and_budget_are_the_same_with_volunteered_labels_that_are_kept(self):
        given = [line for k in range(400) for line in (instance(k), label(k))]
        arguments = ("--sampler", "sel-p", "--audit", "5%", "--budget", "30%")
        extra = [line for k in range(400) for line in
                 (instance(k), label(k), {**instance(k + 1000), "label": label(k + 1000)["label"]})]
        plain = self.answers(given + [{"report": True}], *arguments)[-1]["report"]
        kept = self.answers(extra + [{"report": True}], *arguments, "--volunteered", "keep")[-1]["report"]
        self.assertGreater(kept["labels"]["volunteered"], 400)  # also labels that were not asked
        for key in ("rounds", "asked", "expected_asked", "updates", "estimate"):
            self.assertEqual(kept[key], plain[key], key)

    def test_the_ledger_records_them_and_a_restart_and_a_replay_follow(self):
        for settings in ([], ["--multiclass", "--labels", "-1,1"], ["--dictionary", "--tf-idf"]):
            with self.subTest(settings):
                given = []
                for k in range(120):
                    given += [instance(k), label(k), {**instance(k + 500), **label(k + 500)}, label(k + 500)]
                arguments = ("--sampler", "sel-p", "--volunteered", "learn", *settings)
                whole = self.answers(given, *arguments, "--model", "whole")
                first = self.answers(given[:150], *arguments, "--ledger", "l")
                rest = self.answers(given[150:], "--ledger", "l", "--model", "m")
                strip = lambda answers: [{k: v for k, v in a.items() if k not in ("latency", "line")} for a in answers]
                self.assertEqual(strip(first + rest), strip(whole))
                self.ok("replay", "l", "--model", "replayed")
                self.assertEqual(self.read("m"), self.read("whole"))
                self.assertEqual(self.read("replayed"), self.read("m"))
                parsed = ParsedLedger(self.read("l"))
                self.assertEqual(len(parsed.outcomes), len(given))
                for line, outcome, answer in zip(parsed.lines, parsed.outcomes, whole):
                    if answer.get("outcome") == "volunteered":
                        self.assertEqual((outcome.outcome, outcome.round, outcome.updated),
                                         ("volunteered", 0, answer["updated"]))
                        self.assertIsNotNone(json.loads(line.text)["label"])
                self.assertEqual(sum(o.outcome == "volunteered" for o in parsed.outcomes if hasattr(o, "outcome")),
                                 sum(a.get("outcome") == "volunteered" for a in whole))
                os.remove(self.path("l"))


if __name__ == "__main__":
    unittest.main()
