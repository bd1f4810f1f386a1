"""Several people answer the same questions: the majority is learned, agreement is reported, disagreement is settled."""

import json
import math
import os
import random
import sys
import unittest

from live_stream import instance, label, StreamTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "reference")]
import agreement  # noqa: E402
from parsed_ledger import ParsedLedger  # noqa: E402


def answer(k, by, given, **more):
    return {"id": k, "label": given, "by": by, **more}


class Overlap(StreamTest):
    def assert_figure(self, given, value, deviation):
        self.assertAlmostEqual(given["value"], value, 9)
        spread = 2 if deviation is None else 1.959963984540054 * deviation
        self.assertAlmostEqual(given["low"], max(-1, value - spread), 9)
        self.assertAlmostEqual(given["high"], min(1, value + spread), 9)

    def test_the_majority_of_three_is_learned(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham", "--overlap", "100%:3") as live:
            self.assertEqual(live({"id": 1, "text": "cheap"})["people"], 3)
            first = live(answer(1, "ann", "ham"))
            self.assertEqual((first["outcome"], first["updated"]), ("collected", False))
            self.assertEqual(live(answer(1, "ann", "ham"))["outcome"], "repeated")
            self.assertEqual(live(answer(1, "bob", "spam", comment="sure"))["outcome"], "collected")
            self.assertEqual(live({"report": True})["report"]["pending"], 1)
            last = live(answer(1, "eve", "spam"))
            self.assertEqual((last["outcome"], last["updated"]), ("learned", True))
            self.assertEqual(live({"id": 2, "text": "cheap"})["margin"], 1)
            self.assertEqual(live(answer(1, "zoe", "spam"))["outcome"], "collected")  # one more of the same
            self.assertEqual(live({"report": True})["report"]["updates"], 1)

    def test_a_tie_waits_for_one_more_person_or_for_somebody_who_settles_it(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham", "--overlap", "100%:2") as live:
            for k in (1, 2):
                live({"id": k, "text": "cheap"})
                live(answer(k, "ann", "ham"))
                self.assertEqual(live(answer(k, "bob", "spam"))["outcome"], "collected")
            disputed = live({"disputed": True})["disputed"]
            self.assertEqual(disputed[0], {"id": 1, "round": 1, "label": None, "instance": {"id": 1, "text": "cheap"},
                                           "answers": [{"by": "ann", "label": -1}, {"by": "bob", "label": 1}]})
            self.assertEqual([one["id"] for one in live({"disputed": True, "limit": 1})["disputed"]], [1])
            self.assertEqual(live(answer(1, "eve", "spam"))["outcome"], "learned")
            self.assertEqual(live(answer(2, "boss", "ham", settles=True))["outcome"], "learned")
            self.assertEqual([(one["id"], one["label"]) for one in live({"disputed": True})["disputed"]], [(1, 1)])
            self.assertEqual(live(answer(1, "boss", "ham", settles=True))["outcome"], "corrected")
            self.assertEqual(live({"disputed": True}), {"disputed": []})
            self.assertEqual(live({"report": True})["report"]["pending"], 0)

    def test_unsure_is_apart_from_skipped(self):
        with self.live("--sampler", "perc") as live:
            for k, more, outcome in ((1, {"unsure": True}, "unsure"), (2, {}, "skipped"), (3, {"unsure": False}, "skipped")):
                live(instance(k))
                self.assertEqual(live(answer(k, "ann", None, **more))["outcome"], outcome)
            labels = live({"report": True})["report"]["labels"]
            self.assertEqual((labels["unsure"], labels["skipped"]), (1, 2))
            self.assertEqual(live(label(1))["outcome"], "learned")
        with self.live("--sampler", "perc", "--overlap", "100%:2") as live:
            live(instance(1))
            live(answer(1, "ann", None))
            self.assertEqual(live(answer(1, "bob", None, unsure=True))["outcome"], "unsure")
            live(instance(2))
            live(answer(2, "ann", None, unsure=True))
            self.assertEqual(live(answer(2, "bob", -1))["outcome"], "learned")  # one label is a majority of the labels

    def test_about_the_given_share_is_asked_of_several(self):
        answers = self.answers([instance(k) for k in range(3000)], "--sampler", "perc", "--overlap", "10%:3")
        several = sum(a.get("people", 1) == 3 for a in answers)
        self.assertLess(abs(several - 300), 5 * math.sqrt(3000 * 0.1 * 0.9))
        self.assertNotIn("people", self.answers([instance(1)], "--sampler", "perc")[0])

    def test_agreement_is_as_the_naive_reference_has_it(self):
        for people, classes in (("ann bob".split(), "ab"), ("ann bob eve zoe".split(), "abc"), ("ann bob".split(), "a")):
            with self.subTest(people=people, classes=classes):
                rng = random.Random(len(people) + len(classes))
                given, questions = [], []
                for k in range(80):
                    given.append(instance(k))
                    truth, votes = rng.choice(classes), {}
                    asked = rng.sample(people, min(3, len(people)))
                    for person in asked:
                        said = truth if rng.random() < 0.8 else rng.choice(classes)
                        votes[person] = said
                        given.append(answer(k, person, said))
                    questions.append(votes)
                arguments = ["--sampler", "perc", "--overlap", f"100%:{min(3, len(people))}", "--multiclass", "--labels", "a,b,c"]
                report = self.answers(given + [{"report": True}], *arguments)[-1]["report"]["agreement"]
                self.assertEqual(report["questions"], 80)
                self.assertEqual(report["disputed"], sum(len(set(votes.values())) > 1 for votes in questions))
                for name, expected in (("kappa", agreement.kappa(questions)), ("alpha", agreement.alpha(questions))):
                    if expected is None:
                        self.assertIsNone(report[name])
                    else:
                        self.assert_figure(report[name], *expected)
                for person in report["people"]:
                    shared, rate = agreement.disagreement(questions, person["name"])
                    self.assertEqual(person["shared"], shared)
                    self.assertAlmostEqual(person["disagreement"], rate, 12)

    def test_the_reference_gives_what_the_literature_has(self):
        # Fleiss, Cohen and Everitt (1969), table 1: 200 cases, kappa 0.429, standard deviation 0.054.
        table = [[53, 5, 2], [11, 14, 5], [1, 6, 3]]
        questions = [{"a": i, "b": j} for i in range(3) for j in range(3) for _ in range(2 * table[i][j])]
        value, deviation = agreement.kappa(questions)
        self.assertAlmostEqual(value, 0.429, 3)
        self.assertAlmostEqual(deviation, 0.054, 3)

    def test_a_restart_and_a_replay_follow_and_the_ledger_has_who_said_what(self):
        rng = random.Random(3)
        given = []
        for k in range(150):
            given.append(instance(k))
            for person in rng.sample(["ann", "bob", "eve", "zoe"], 3):
                said = rng.choice([label(k)["label"], label(k)["label"], -label(k)["label"], None])
                given.append(answer(k, person, said, unsure=said is None and rng.random() < 0.5))
            if k % 20 == 0:
                given.append(answer(k, "boss", 1, settles=True))
        arguments = ["--sampler", "sel-p", "--overlap", "50%:3", "--audit", "10%"]
        end = [{"report": True}, {"disputed": True}]
        whole = self.answers(given + end, *arguments, "--model", "whole")
        pieces = self.answers(given[:333], *arguments, "--ledger", "l")
        pieces += self.answers(given[333:] + end, "--ledger", "l", "--model", "m")
        strip = lambda answers: [{k: v for k, v in a.items() if k not in ("latency", "line")} for a in answers]
        self.assertEqual(strip(pieces), strip(whole))
        self.ok("replay", "l", "--model", "replayed", "--json", "report")
        self.assertEqual(self.read("replayed"), self.read("whole"))
        self.assertEqual(json.loads(self.read("report")), whole[-2])
        # Independently: the majority of the people in the ledger's lines is what was learned.
        parsed = ParsedLedger(self.read("l"))
        people = {a["id"]: a.get("people", 1) for a in whole if a.get("ask")}
        votes, checked = {}, 0
        for line, outcome in zip(parsed.lines, parsed.outcomes):
            line = json.loads(line.text)
            if "label" not in line or people.get(line["id"], 1) < 2 or line.get("settles"):
                continue
            votes.setdefault(line["id"], {})[line["by"]] = line["label"]
            labels = [given for given in votes[line["id"]].values() if given is not None]
            if outcome.outcome == "learned":
                ones = labels.count(1)
                self.assertNotEqual(2 * ones, len(labels))
                self.assertEqual(outcome.label, int(2 * ones > len(labels)))
                checked += 1
            elif outcome.outcome == "collected":
                tied = 2 * labels.count(1) == len(labels)
                self.assertTrue(len(votes[line["id"]]) < 3 or tied or len(votes[line["id"]]) > 3)
        self.assertGreater(checked, 20)

    def test_an_impossible_overlap_is_refused(self):
        for wrong in ("3", "10%", "10%:1", "10%:x", "0%:3", "200%:3", "10%:101", ":3"):
            self.complaint(self.askfew("stream", "--overlap", wrong, stdin=b""), 2)


if __name__ == "__main__":
    unittest.main()
