"""`askfew stream` answers at once and learns late."""

import json
import os
import random
import re
import signal
import time
import unittest

from live_stream import PATIENCE, StreamTest, instance, label, lines, numbers


class Protocol(StreamTest):
    def test_an_instance_is_answered_at_once(self):
        with self.live("--sampler", "sel-p") as live:
            answer = live(instance(1))
            self.assertEqual(list(answer), ["id", "prediction", "margin", "ask", "probability", "why"])
            self.assertEqual((answer["id"], answer["ask"]), (1, True))
            receipt = live(label(1))
            self.assertEqual(receipt["outcome"], "learned")
            self.assertGreaterEqual(receipt["latency"], 0)
            self.assertEqual(live.end(), (0, ""))

    def test_every_kind_of_label_has_its_answer(self):
        x = {"id": "a", "x": [1, 2]}
        with self.live("--rule", "margin:b=0.001", "--learner", "perceptron", "--expire", "3") as live:
            self.assertTrue(live(x)["ask"])
            again = live(x)  # the first answer again, and no new round
            self.assertEqual((again["ask"], again["repeated"]), (True, True))
            self.assertIn("waits", live({"id": "a", "x": [2, 1]})["error"])
            for given, outcome in ((1, "learned"), (1, "repeated"), (-1, "corrected"), (None, "kept"), (-1, "repeated")):
                self.assertEqual(live({"id": "a", "label": given})["outcome"], outcome, given)
            self.assertTrue(live({"id": "w", "x": [1, 2]})["ask"])  # the correction has made the margin 0 again
            self.assertTrue(live({"id": "w", "label": 1})["updated"])
            unasked = live({"id": "b", "x": [1000, 2000]})
            self.assertFalse(unasked["ask"])
            answer = live({"id": "b", "label": 1})
            self.assertEqual((answer["outcome"], answer["line"]), ("never asked", 12))
            self.assertEqual(live({"id": "c", "label": 1})["outcome"], "unknown")
            self.assertTrue(live({"id": "d", "x": [0, 0]})["ask"])
            self.assertTrue(live({"id": "e", "x": [0, 0]})["ask"])
            self.assertEqual(live({"id": "e", "label": None})["outcome"], "skipped")
            for k in range(3):
                live({"id": k, "x": [0, 0]})
            self.assertEqual(live({"id": "d", "label": 1})["outcome"], "expired")
            report = live({"report": True})["report"]
            self.assertEqual((report["pending"], report["expired"]), (3, 1))
            self.assertEqual(report["labels"], {"learned": 2, "repeated": 2, "corrected": 1, "skipped": 1, "kept": 1,
                                                "expired": 1, "never asked": 1, "unknown": 1, "volunteered": 0,
                                                "unsure": 0, "collected": 0})

    def test_pending_lists_the_waiting_questions_with_their_instances(self):
        with self.live("--sampler", "perc", "--labels", "spam,ham") as live:
            self.assertEqual(live({"pending": True}), {"pending": [], "waiting": 0})
            texts = {"a": "cheap watches", 2: "the minutes", "c": "cheap cheap watches", "d": "watches"}
            for id_, text in texts.items():
                self.assertTrue(live({"id": id_, "text": text, "title": "t"})["ask"])
                if id_ == "a":
                    live({"id": "a", "label": "spam"})
            listed = live({"pending": True})
            self.assertEqual(listed["waiting"], 3)
            self.assertEqual([one["id"] for one in listed["pending"]], [2, "c", "d"])
            for one in listed["pending"]:
                self.assertEqual(list(one), ["id", "round", "prediction", "margin", "probability", "age", "instance"])
                self.assertEqual(one["instance"], {"id": one["id"], "text": texts[one["id"]], "title": "t"})
                self.assertGreaterEqual(one["age"], 0)
            doubtful = live({"pending": True, "order": "doubtful"})["pending"]
            self.assertEqual([one["id"] for one in doubtful], [2, "d", "c"])  # margins 0, 1 and 3
            self.assertEqual(sorted(doubtful, key=lambda one: abs(one["margin"])), doubtful)
            for order in ("oldest", "asked"):
                short = live({"pending": True, "order": order, "limit": 1})
                self.assertEqual(([one["id"] for one in short["pending"]], short["waiting"]), ([2], 3))
            for wrong in ({"pending": False}, {"pending": True, "order": "newest"}, {"pending": True, "limit": 0},
                          {"pending": True, "limit": "1"}, {"pending": True, "colour": 1}, {"pending": 1}):
                self.assertEqual(list(live(wrong)), ["error", "line"], wrong)
            self.assertEqual(live({"report": True})["report"]["rounds"], 4)

    def test_why_explains_the_decision_in_the_terms_of_the_rule(self):
        given = [o for k in range(120) for o in (instance(k), label(k))]
        for settings in ([], ["--dictionary", "--bias", "1"]):
            answers = self.answers(given, "--sampler", "sel-p", *settings)
            named = 0
            for answer in answers[::2]:
                why = answer["why"]
                self.assertRegex(why, r"\Arule margin, scale 1; margin \S+, norm \S+; probability \S+, coin \S+: asks up to ")
                threshold = float(re.search(r"\|margin\| ([^;]+)", why)[1])
                self.assertEqual(answer["ask"], abs(answer["margin"]) <= threshold, why)
                self.assertTrue(answer["ask"] or "heaviest" not in why)
                for word, share in re.findall(r"(?:heaviest: |, )([a-z]+[0-9]+) ([+-]\S+?)(?=,|\Z)", why):
                    self.assertIn(word, instance(answer["id"])["text"].split())
                    self.assertNotEqual(float(share), 0)
                    named += 1
            self.assertGreater(named, 20)

    def test_why_explains_names_budgets_audits_and_first_labels(self):
        named = [{"id": 1, "features": {'the "end"': 2, "b": -1}}, {"id": 1, "label": 1},
                 {"id": 2, "features": {'the "end"': 2, "b": -1}}]
        self.assertTrue(self.answers(named, "--sampler", "perc")[2]["why"].endswith('; heaviest: the "end" +4, b +1'))
        x = [{"id": k, "x": [1, k]} for k in range(60)]
        paced = [a["why"] for a in self.answers(x, "--sampler", "sel-p", "--budget", "4", "--horizon", "60", "--audit", "3%")]
        self.assertTrue(any(why.endswith("; the budget held it back") for why in paced))
        audited = [a for a in self.answers(x, "--sampler", "sel-p", "--audit", "50%") if "the audit's coin asked" in a["why"]]
        self.assertTrue(audited and all(a["ask"] for a in audited))
        first = self.answers(x[:1], "--sampler", "dkm2", "--normalize")
        self.assertTrue(first[0]["why"].endswith(": the learner needs a label first"))

    def test_bad_lines_are_reported_and_the_next_line_is_answered(self):
        bad = [b"nonsense", b'{"id": 1, "text": "a', b'{"id": 2, "text": 3}', b'{"text": "no id"}', b"[]", b'{"id": {}}',
               b'\xff\xfe', b'{"id": 5, "x": [1]}', b'{"id": 6, "label": "seven"}', b'{"id": 7, "text": "a", "label": 1}']
        with self.live() as live:
            live(instance(0))
            self.assertIn("label 'spam' is not -1, 0 or +1, and the session was begun without other names", live({"id": 0, "label": "spam"})["error"])
            for number, line in enumerate(bad, 3):
                answer = live(line + b"\n")
                self.assertEqual(answer["line"], number)
                self.assertIn("column", answer["error"])
            self.assertEqual(answer["id"], 7)
            live.send(b"\n  \r\n")  # blank lines are ignored
            self.assertEqual(live(label(0))["outcome"], "learned")
            self.assertEqual(live.end()[0], 0)

    def test_the_number_of_refused_lines_is_told_at_the_end(self):
        good, bad = [instance(1), label(1), instance(2)], [{"id": 99, "label": 1}, {"id": 1}, {"idd": 3}]
        for options in ([], ["--model-per", "user", "--ledger", "ledgers"]):
            given = [{**line, "user": "ann"} for line in good + bad] if options else good + bad
            done = self.ok("stream", *options, stdin=lines(given))
            errors = sum("error" in json.loads(line) for line in done.out.splitlines())
            self.assertEqual(errors, 3)
            self.assertEqual(done.err, 'askfew: 3 of 6 lines were refused: their answers have an "error" that says why\n')
        self.assertEqual(self.ok("stream", stdin=lines(good)).err, "")
        self.assertEqual(self.ok("stream", "--quiet", stdin=lines(bad)).err, "")

    def test_a_label_that_would_make_the_model_infinite_is_refused_and_the_stream_continues(self):
        for learner, size in (("perceptron", 1e140), ("pa", 1e-150), ("kernel-perceptron:kernel=linear", 1e140)):
            with self.subTest(learner), self.live("--learner", learner, "--rule", "always", "--update", "asked", "--model", "m") as live:
                answers = []
                for k in range(5):
                    question = live({"id": k, "x": [size, -size] if k < 3 else [1, k]})
                    answers.append(live({"id": k, "label": 1 if k % 2 else -1}) if question.get("ask") else question)
                self.assertRegex(answers[2]["error"], "^round 3, task 0: the update is too large ")
                self.assertEqual(answers[4]["outcome"], "learned")
                self.assertEqual(live.end()[0], 0)
                self.ok("inspect", "m")

    def test_a_line_can_come_in_pieces_and_the_last_needs_no_line_end(self):
        with self.live() as live:
            whole = lines([instance(1), label(1)])
            for byte in range(0, len(whole) - 1, 9):
                live.send(whole[byte:min(byte + 9, len(whole) - 1)])
                time.sleep(0.002)
            self.assertEqual(live.read()["id"], 1)
            live.process.stdin.close()
            self.assertEqual(live.read()["outcome"], "learned")
            live.process.stdin = None

    def test_labels_can_come_in_any_order_and_answers_come_in_the_order_of_lines(self):
        rng = random.Random(1)
        given = [instance(k) for k in range(300)]
        late = [label(k) for k in range(300)]
        rng.shuffle(late)
        answers = self.answers(given + late)
        self.assertEqual([a["id"] for a in answers], [o["id"] for o in given + late])
        asked = {a["id"] for a in answers[:300] if a["ask"]}
        self.assertGreater(len(asked), 10)
        learned = {a["id"] for a in answers[300:] if a["outcome"] == "learned"}
        self.assertEqual(learned, asked)

    def test_immediate_labels_give_the_result_of_a_run(self):
        given = [o for k in range(200) for o in (instance(k), label(k))]
        answers = self.answers(given, "--sampler", "sel-p", "--tf-idf", "--normalize")
        self.write("data", lines([{**instance(k), **label(k)} for k in range(200)]))
        self.ok("run", "data", "--format", "jsonl", "--sampler", "sel-p", "--tf-idf", "--normalize", "--quiet", "--trace", "t")
        rows = [line.split(",") for line in self.read("t").decode().splitlines()[1:]]
        self.assertEqual([float(r[2]) for r in rows], [a["margin"] for a in answers[::2]])
        self.assertEqual([float(r[3]) for r in rows], [a["probability"] for a in answers[::2]])
        self.assertEqual([r[5] == "1" for r in rows], [a["ask"] for a in answers[::2]])
        self.assertEqual([r[8] == "1" for r in rows], [a.get("updated", False) for a in answers[1::2]])

    def test_classes_are_answered_by_name(self):
        answers = self.answers([{"id": 1, "x": [1, 0]}, {"id": 1, "label": "b"}, {"id": 2, "x": [1, 0]}],
                               "--multiclass", "--labels", "a,b,c")
        self.assertEqual([a.get("prediction") for a in answers], ["a", None, "b"])
        self.assertIn("--labels", self.complaint(self.askfew("stream", "--multiclass"), 2))
        self.assertIn("--sync is for a --ledger", self.complaint(self.askfew("stream", "--sync", stdin=b""), 2))

    def test_a_reader_that_leaves_ends_the_stream_and_the_model_is_written(self):
        with self.live("--model", "m") as live:
            live(instance(1))
            live.process.stdout.close()
            live.send(instance(2))
            self.assertEqual(live.process.wait(PATIENCE), 141)
            live.process.stdout = None
        self.ok("inspect", "m")

    def test_an_interrupted_stream_leaves_a_model(self):
        for signal_sent, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.live("--model", "m") as live:
                live(instance(1))
                live(label(1))
                live.process.send_signal(signal_sent)
                live.process.communicate(timeout=PATIENCE)
                self.assertEqual(live.process.returncode, code)
            self.ok("inspect", "m")
            os.remove(self.path("m"))


class Watching(StreamTest):
    AUDITED = ["--sampler", "sel-p", "--audit", "20%"]

    def test_a_change_has_its_own_line_and_a_restart_repeats_no_old_changes(self):
        for delay in (0, 150):
            given = list(numbers(5000, delay))
            whole = self.answers(given + [{"report": True}], *self.AUDITED)
            changes = [a["change"] for a in whole if "change" in a]
            self.assertEqual([c["kind"] for c in changes][:1], ["error_up"])
            self.assertTrue(all(a["round"] > 3000 for a in changes))
            for change in changes:  # after the answer to the instance of its round
                self.assertEqual(whole[whole.index({"change": change}) - 1]["id"], change["round"] - 1)
            estimate = whole[-1]["report"]["estimate"]
            self.assertEqual(estimate["changes"], changes)
            advice = estimate["next_labels"]
            self.assertEqual(advice["labels"], whole[-1]["report"]["labels"]["learned"])
            self.assertTrue(0 <= advice["low"] <= advice["gain"] <= advice["high"] < 0.3)
            pieces = []
            for begin in range(0, len(given), 3500):
                pieces += self.answers(given[begin:begin + 3500], *self.AUDITED, "--ledger", f"l{delay}")
            self.assertEqual([a["change"] for a in pieces if "change" in a], changes)
            self.ok("replay", f"l{delay}", "--json", "j")
            self.assertEqual(json.loads(self.read("j")), whole[-1])
            text = self.ok("replay", f"l{delay}").out
            self.assertIn("\nchange     more mistakes since round ", text)
            self.assertRegex(text, r"\nnext [0-9,]+ labels: the error falls by ")

    def test_the_quality_monitor_continues_after_a_kill(self):
        given = list(numbers(4000, 30))
        whole = self.answers(given + [{"report": True}], *self.AUDITED)
        with self.live(*self.AUDITED, "--ledger", "l") as live:
            for o in given[:500]:
                live(o)
            live.process.kill()
        rest = self.answers(given[500:] + [{"report": True}], "--ledger", "l")
        self.assertEqual(rest[-1], whole[-1])

    def test_immediate_labels_give_the_changes_of_a_run(self):
        given = list(numbers(5000, 0))
        report = self.answers(given + [{"report": True}], *self.AUDITED)[-1]["report"]["estimate"]
        self.write("data", lines([{**x, **y} for x, y in zip(given[::2], given[1::2])]))
        self.ok("run", "data", "--format", "jsonl", *self.AUDITED, "--quiet", "--json", "j")
        run = json.loads(self.read("j"))["tasks"][0]["estimate"]
        self.assertEqual([(c["kind"], c["since"]) for c in report["changes"]],
                         [(c["kind"], c["since"]) for c in run["changes"]])
        self.assertAlmostEqual(report["next_labels"]["gain"], run["next_labels"]["gain"], 9)
        self.assertAlmostEqual(report["recent"]["error"]["high"], run["recent"]["error"]["high"], 9)

    def test_changes_of_classes_are_detected_from_right_and_wrong_predictions(self):
        given = [{**o, "label": "ab"[o["label"] > 0]} if "label" in o else o for o in numbers(4000, 5)]
        answers = self.answers(given + [{"report": True}], *self.AUDITED, "--multiclass", "--labels", "a,b,c")
        changes = [a["change"] for a in answers if "change" in a]
        self.assertIn("error_up", [c["kind"] for c in changes])
        self.assertEqual(answers[-1]["report"]["estimate"]["changes"], changes)


class Memory(StreamTest):
    LIMITED = ["--sampler", "perc", "--keep", "5", "--ledger", "l"]

    def test_a_question_without_memory_is_refused_and_the_stream_continues(self):
        with self.live(*self.LIMITED, "--max-memory", "200kB", "--model", "m") as live:
            taken = 0
            while "ask" in (answer := live(instance(taken))):
                taken += 1
            self.assertGreater(taken, 50)
            self.assertRegex(answer["error"], f"^no memory for one more question, so the line was not taken: up to {taken} wait for "
                                              "a label, and all that are kept have [0-9.]+ kB of the limit of 200.0 kB, ")
            self.assertEqual((answer["id"], answer["line"]), (taken, taken + 1))
            for k in range(40):
                self.assertEqual(live(label(k))["outcome"], "learned")
            self.assertTrue(live(instance(taken))["ask"])
            self.assertEqual(live({"report": True})["report"]["rounds"], taken + 1)
            self.assertEqual(live.end()[0], 0)
        self.ok("replay", "l", "--model", "rebuilt")  # the limit is not in the ledger
        self.assertEqual(self.read("rebuilt"), self.read("m"))
        fewer = self.answers([instance(taken + 1)], "--ledger", "l", "--max-memory", "20kB")  # accepted lines stay
        self.assertIn("no memory", fewer[0]["error"])
        more = self.answers([instance(taken + 1)], "--ledger", "l", "--max-memory", "400kB")
        self.assertTrue(more[0]["ask"])


if __name__ == "__main__":
    unittest.main()
