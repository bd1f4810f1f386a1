"""`askfew whatif` says what another sampler would have spent and scored on the stream of a ledger."""

import json
import random
import unittest

from harness import CliTest

WORDS = "rook stone king white black pawn board clock castle check mate draw".split()
ROUNDS = 1500


def text(k):
    rng = random.Random(k)
    return " ".join(rng.choice(WORDS) + str(rng.randrange(4)) for _ in range(6))


def truth(k):
    wrong = random.Random(-k).random() < 0.1
    return 1 if ("rook" in text(k) or "king0" in text(k)) != wrong else -1


def stream(rounds=ROUNDS, answered=lambda k: True):
    """Instances, each followed by its label: a label that was not asked is not learned."""
    lines = []
    for k in range(1, rounds + 1):
        lines.append({"id": k, "text": text(k)})
        if answered(k):
            lines.append({"id": k, "label": truth(k)})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


class WhatIf(CliTest):
    def record(self, *arguments, name="l", lines=None):
        done = self.ok("stream", *arguments, "--ledger", name, "--quiet", stdin=stream() if lines is None else lines)
        return [answer for answer in map(json.loads, done.out.splitlines()) if "ask" in answer]

    def whatif(self, *arguments, name="l"):
        return json.loads(self.ok("whatif", name, *arguments, "--json", "-").out)

    def test_the_same_sampler_spends_the_same_and_every_label_is_known(self):
        for settings in (["--sampler", "sel-p"], ["--sampler", "pa-log", "--tf-idf", "--dictionary"],
                         ["--sampler", "sel-p", "--budget", "300", "--horizon", "1500", "--audit", "2%"]):
            name = str(len(settings))
            answers = self.record(*settings, name=name)
            found = self.whatif(name=name)
            asked = sum(answer["ask"] for answer in answers)
            self.assertGreater(asked, 50, settings)
            self.assertEqual((found["recorded"]["asked"], found["what_if"]["asked"]), (asked, asked))
            self.assertEqual(found["recorded"], found["what_if"])
            self.assertEqual((found["known"], found["coverage"]["coverage"]), (asked, 1))
            self.assertEqual([part["coverage"] for part in found["tenths"]], [1] * 10)
            self.assertEqual(sum(part["asked"] for part in found["tenths"]), asked)

    def test_a_ledger_with_all_labels_gives_exactly_the_result_of_another_run(self):
        self.record("--sampler", "perc")
        for name, given in (("margin", ["--rule", "margin:b=0.5"]), ("pa", ["--sampler", "pa-log"]),
                            ("paced", ["--rule", "margin", "--budget", "10%", "--audit", "1%"])):
            fresh = given if name == "pa" else ["--learner", "perceptron", *given]
            answers = self.record(*fresh, name=name)
            found = self.whatif(*given)
            self.assertEqual(found["what_if"]["asked"], sum(a["ask"] for a in answers), name)
            self.assertEqual(found["coverage"]["coverage"], 1)
            error = sum(a["prediction"] != truth(a["id"]) for a in answers) / ROUNDS
            self.assertAlmostEqual(found["what_if"]["error"]["value"], error, places=12)
            hits = sum(a["prediction"] == truth(a["id"]) == 1 for a in answers)
            either = sum((a["prediction"] == 1) + (truth(a["id"]) == 1) for a in answers)
            self.assertAlmostEqual(found["what_if"]["f1"]["value"], 2 * hits / either, places=12)

    def test_the_interval_contains_the_error_of_the_run(self):
        for seed in "123":
            answers = self.record("--sampler", "sel-p", "--audit", "5%", "--seed", seed, name=seed)
            error = sum(a["prediction"] != truth(a["id"]) for a in answers) / ROUNDS
            found = self.whatif(name=seed)["what_if"]["error"]
            self.assertLess(found["low"], error)
            self.assertGreater(found["high"], error)
            self.assertLess(found["high"] - found["low"], 0.3)

    def test_a_sampler_that_asks_less_with_the_same_coins_finds_nearly_all_labels_known(self):
        self.record("--sampler", "sel-p:b=2", "--audit", "5%")
        found = self.whatif("--rule", "margin:b=1")
        self.assertLess(found["what_if"]["asked"], found["recorded"]["asked"])
        self.assertGreater(found["coverage"]["coverage"], 0.8)
        self.assertLess(found["coverage"]["coverage"], 1)
        self.assertIn("could not learn the labels that are not known", self.ok("whatif", "l", "--rule", "margin:b=1").out)

    def test_little_coverage_is_reported(self):
        self.record("--sampler", "sel-p:b=0.1", "--audit", "1%")
        found = self.whatif("--rule", "always")
        self.assertEqual(found["what_if"]["asked"], ROUNDS)
        self.assertEqual(found["coverage"], {"asked": ROUNDS, "known": found["known"],
                                             "coverage": found["known"] / ROUNDS})
        self.assertLess(found["coverage"]["coverage"], 0.8)
        self.assertIn("the figures say little", self.ok("whatif", "l", "--rule", "always").out)
        self.assertNotIn("say little", self.ok("whatif", "l").out)

    def test_labels_that_never_came_are_unknown(self):
        answers = self.record("--sampler", "sel-p", "--audit", "2%", lines=stream(answered=lambda k: k % 2 == 0))
        found = self.whatif()
        self.assertEqual(found["known"], sum(a["ask"] and a["id"] % 2 == 0 for a in answers))
        self.assertEqual(found["coverage"]["asked"], sum(a["ask"] for a in answers))
        self.assertEqual(found["coverage"]["known"], found["known"])
        self.assertEqual(found["recorded"], found["what_if"])

    def test_without_an_audit_there_is_no_interval(self):
        self.record("--sampler", "sel-p")
        found = self.whatif("--rule", "margin:b=0.2")
        self.assertIsNone(found["what_if"]["error"]["low"])
        self.assertGreater(found["what_if"]["error"]["value"], 0)
        self.assertIn("no valid interval", self.ok("whatif", "l").out)
        self.record("--sampler", "pa-log", name="sure")  # it asks with probability 0 or 1
        self.assertIsNone(self.whatif(name="sure")["what_if"]["error"])
        self.assertIn("nothing is known of the others", self.ok("whatif", "sure").out)

    def test_budgets_classes_and_repeated_ids_are_supported(self):
        again = "".join(json.dumps(line) + "\n" for k in range(200)
                        for line in ({"id": k % 2, "x": [k % 3, 1, k % 5]}, {"id": k % 2, "label": "abc"[k % 3]})).encode()
        classes = ["--multiclass", "--labels", "a,b,c", "--sampler", "sel-p:b=0.5", "--audit", "5%"]
        self.record(*classes, lines=again)
        found = self.whatif("--rule", "margin:b=5", "--learner", "pa-1")
        self.assertEqual(found["rounds"], 200)
        self.assertGreater(found["what_if"]["asked"], found["recorded"]["asked"])
        self.assertIsNone(found["what_if"]["f1"])
        self.assertLessEqual(self.whatif("--budget", "30", "--horizon", "200")["what_if"]["asked"], 30)
        self.assertEqual(self.whatif("--budget", "none")["what_if"], found["recorded"])

    def test_corrections_of_old_questions_are_learned_as_in_the_ledgers_run(self):
        old = [{"id": "old", "x": [1, 0]}, {"id": "old", "label": 1}]
        many = [line for k in range(10100) for line in ({"id": k, "x": [0, 1]}, {"id": k, "label": 1})]
        corrected = [{"id": "old", "label": -1}, {"id": "again", "x": [1, 0]}, {"id": "again", "label": -1}]
        given = "".join(json.dumps(line) + "\n" for line in old + many + corrected).encode()
        answers = self.record("--sampler", "perc", "--keep", "20000", lines=given)
        self.assertEqual((answers[-1]["id"], answers[-1]["prediction"]), ("again", -1))
        found = self.whatif()
        self.assertEqual(found["coverage"]["coverage"], 1)
        self.assertEqual(found["what_if"], found["recorded"])

    def test_impossible_questions_are_refused(self):
        self.record("--sampler", "sel-p", lines=stream(20))
        for arguments, says in ((["--sampler", "sel-p", "--rule", "always"], "--sampler names learner and rule"),
                                (["--rule", "nonsense"], "nonsense"), (["--rule", "dgs"], "spread"),
                                (["--learner", "reflect"], "line 1: the other sampler does not take the instance"),
                                (["--horizon", "9"], "--horizon is for a --budget")):
            self.assertIn(says, self.complaint(self.askfew("whatif", "l", *arguments), 2))
        self.assertIn("empty ledger", self.complaint(self.askfew("whatif", self.write("e", "")), 3))


if __name__ == "__main__":
    unittest.main()
