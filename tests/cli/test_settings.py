"""Settings that change midway: the plan continues from what was spent, a restart and a replay follow."""

import json
import os
import sys
import unittest

from live_stream import instance, label, StreamTest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "faults"))
from parsed_ledger import ParsedLedger, Settings  # noqa: E402


def settings(**changes):
    return {"settings": changes, "by": "ann"}


def asked(answers):
    return sum(a.get("ask", False) for a in answers)


class Changes(StreamTest):
    def followed(self, given, *arguments):
        """The answers; a ledger in two parts gives the same, and its replay the same model."""
        whole = self.answers(given, *arguments)
        middle = len(given) * 3 // 5
        pieces = self.answers(given[:middle], *arguments, "--ledger", "l")
        pieces += self.answers(given[middle:], "--ledger", "l", "--model", "m")
        strip = lambda answers: [{k: v for k, v in a.items() if k not in ("latency", "line")} for a in answers]
        self.assertEqual(strip(pieces), strip(whole))
        self.ok("replay", "l", "--model", "replayed")
        self.assertEqual(self.read("replayed"), self.read("m"))
        self.parsed = ParsedLedger(self.read("l"))
        os.remove(self.path("l"))
        return whole

    def test_a_budget_is_raised_and_lowered_and_the_plan_continues(self):
        rounds = [line for k in range(600) for line in (instance(k), label(k))]
        for first, second, low, high in ((20, 80, 60, 80), (80, 30, 20, 60), ("5%", "20%", 40, 120)):
            with self.subTest(first=first, second=second):
                given = rounds[:600] + [settings(budget=second)] + rounds[600:]
                answers = self.followed(given, "--sampler", "sel-p", "--budget", str(first), "--horizon", "600")
                before, after = asked(answers[:600]), asked(answers)
                self.assertEqual(answers[600]["round"], 300)
                self.assertEqual(answers[600]["settings"]["budget"], str(second))
                self.assertTrue(low <= after <= high, (before, after))
                plain = self.answers(rounds, "--sampler", "sel-p", "--budget", str(first), "--horizon", "600")
                self.assertEqual(answers[:600], [{**a, **({"latency": b["latency"]} if "latency" in b else {})}
                                                 for a, b in zip(plain[:600], answers)])
                if isinstance(second, int) and second <= before:
                    self.assertEqual(after, before)
                recorded = [o for o in self.parsed.outcomes if isinstance(o, Settings)]
                self.assertEqual(recorded, [Settings(300, answers[600]["settings"])])

    def test_a_budget_can_come_and_go(self):
        rounds = [instance(k) for k in range(600)]
        given = rounds[:200] + [settings(budget="10/day")] + rounds[200:400] + [settings(budget=None)] + rounds[400:]
        # No label comes, so that all margins are 0. The plan of a day depends on the clock: no second run is the same.
        answers = self.answers(given, "--sampler", "sel-p", "--ledger", "l", "--model", "m")
        self.ok("replay", "l", "--model", "replayed")
        self.assertEqual(self.read("replayed"), self.read("m"))
        self.assertEqual(asked(answers[:200]), 200)
        self.assertLessEqual(asked(answers[201:401]), 20)  # a day may end meanwhile
        self.assertEqual(asked(answers[402:]), 200)
        self.assertIsNone(answers[401]["settings"]["budget"])

    def test_an_audit_begins_midway_and_counts_only_what_comes_after(self):
        rounds = [instance(k) for k in range(800)]
        late = [label(k) for k in range(400)]  # of questions before the audit
        given = rounds[:400] + [settings(audit="20%")] + late + [{"report": True}] + \
            [line for k in range(400, 800) for line in (instance(k), label(k))] + [{"report": True}]
        for kind in (["--sampler", "sel-p"], ["--sampler", "sel-p", "--multiclass", "--labels", "-1,1"]):
            with self.subTest(kind):
                answers = self.followed(given, *kind)
                self.assertEqual(answers[400]["settings"]["audit"], 0.2)
                first = answers[801]["report"]["estimate"]["whole"]
                last = answers[-1]["report"]["estimate"]["whole"]
                self.assertEqual((first["rounds"], last["rounds"]), (0, 400))
                mistakes = sum(a["prediction"] != l["label"] and str(a["prediction"]) != str(l["label"])
                               for a, l in zip(answers[802:-1:2], (label(k) for k in range(400, 800))))
                self.assertLessEqual(last["error"]["low"], mistakes / 400)
                self.assertGreaterEqual(last["error"]["high"], mistakes / 400)

    def test_questions_that_wait_expire_by_the_new_setting(self):
        given = [instance(k) for k in range(10)] + [settings(expire=5), instance(10), label(0), label(9)]
        answers = self.followed(given, "--sampler", "perc")
        self.assertEqual([a["outcome"] for a in answers[-2:]], ["expired", "learned"])

    def test_classes_and_negative_labels_can_be_added(self):
        def text(k):
            return {"id": k, "text": ["red apple", "green pear", "blue plum"][k % 3] + f" {k % 5}"}
        given = []
        for k in range(60):
            given += [text(k), {"id": k, "label": "abc"[k % 3] if k >= 30 or k % 3 < 2 else None}]
        given[60:60] = [settings(labels=["a", "b", "c"])]
        answers = self.followed(given, "--sampler", "perc", "--multiclass", "--labels", "a,b")
        self.assertNotIn("c", [a.get("prediction") for a in answers[:61]])
        self.assertEqual([a["prediction"] for a in answers[-20:] if "prediction" in a], ["abc"[k % 3] for k in range(50, 60)])
        with self.live("--sampler", "perc", "--positive", "spam", "--negative", "ham") as live:
            live({"id": 1, "text": "news"})
            self.assertIn("error", live({"id": 1, "label": "news"}))
            live(settings(labels=["spam", "ham", "news"]))
            self.assertEqual(live({"id": 1, "label": "news"})["outcome"], "learned")

    def test_another_sampler_follows_new_labels(self):
        ledger = os.path.join(ROOT, "tests", "ledgers", "format2", "people.ledger")  # also several people, and a new audit
        found = json.loads(self.ok("whatif", ledger, "--sampler", "perc", "--json", "-").out)
        self.assertEqual((found["rounds"], found["what_if"]["asked"]), (60, 60))
        self.assertEqual(found["recorded"]["asked"], found["known"])  # every question was answered at last

    def test_a_label_in_the_same_write_knows_the_new_labels(self):
        given = [{"id": 1, "text": "x"}, settings(labels=["a", "b", "c"]), {"id": 1, "label": "c"}]
        self.assertEqual(self.answers(given, "--sampler", "perc", "--multiclass", "--labels", "a,b")[-1]["outcome"], "learned")

    def test_impossible_settings_change_nothing(self):
        with self.live("--sampler", "perc", "--ledger", "l", "--labels", "a,b,c", "--multiclass") as live:
            live({"id": 1, "text": "x"})
            for wrong in ({"budget": "many"}, {"audit": 2}, {"expire": "soon"}, {"labels": ["b", "a", "c"]}, {"labels": ["a"]},
                          {"volunteered": "x"}, {"horizon": 5}, {"seed": 2}, {"horizon": -1}, {"labels": [1]}, [], 7,
                          {"labels": ["a", "b", "c", "c"]}, {"labels": ["a", "b", "c", ""]}, {"annotators": "ann"}):
                self.assertIn("error", live({"settings": wrong}), wrong)
            self.assertEqual(live(settings(annotators=["ann"]))["settings"]["labels"], ["a", "b", "c"])
            live.end()
        done = self.ok("replay", "l", "--trace", "-").out
        self.assertEqual(done.splitlines()[-1].split(",")[11], "settings")

    def test_a_rule_without_a_scale_takes_no_budget(self):
        with self.live("--learner", "perceptron", "--rule", "always") as live:
            live(instance(1))
            self.assertIn("no scale", live(settings(budget=5))["error"])
            self.assertTrue(live(instance(2))["ask"])


if __name__ == "__main__":
    unittest.main()
