"""The ledger of `askfew stream` loses nothing, and `askfew replay` rebuilds the model."""

import json
import os
import random
import resource
import time
import unittest

from live_stream import instance, label, lines, StreamTest


class Ledger(StreamTest):
    def rebuilt(self, ledger="l"):
        self.ok("replay", ledger, "--model", "rebuilt")
        return self.read("rebuilt")

    def test_replay_rebuilds_the_model_bit_for_bit(self):
        for arguments in (["--sampler", "sel-p", "--budget", "50/day"], ["--sampler", "sel-2nd", "--bits", "6"],
                          ["--sampler", "arow-log", "--dictionary", "--tf-idf", "--bias", "1", "--expire", "50"],
                          ["--sampler", "sel-p", "--multiclass", "--labels", "-1,1"]):
            with self.subTest(arguments):
                rng = random.Random(2)
                given = [instance(k) for k in range(150)] + [label(k) for k in range(150) for _ in range(rng.randrange(3))]
                given.sort(key=lambda o: o["id"] + ("label" in o) * rng.randrange(1, 60))
                self.answers(given, *arguments, "--ledger", "l", "--model", "m")
                self.assertEqual(self.rebuilt(), self.read("m"))
                os.remove(self.path("l"))

    def test_a_restart_continues_as_if_nothing_had_happened(self):
        given = [instance(k) for k in range(100)] + [label(k) for k in range(100)] + [instance(k) for k in range(100, 150)]
        whole = self.answers(given, "--ledger", "whole", "--model", "m")
        pieces = []
        for begin in range(0, len(given), 60):
            pieces += self.answers(given[begin:begin + 60], "--ledger", "l", "--model", "n")
        strip = [{k: v for k, v in a.items() if k != "line" and k != "latency"} for a in whole]
        self.assertEqual([{k: v for k, v in a.items() if k != "line" and k != "latency"} for a in pieces], strip)
        self.assertEqual(self.read("m"), self.read("n"))
        self.assertEqual(self.rebuilt(), self.read("m"))

    def test_waiting_questions_have_their_instances_after_a_restart(self):
        given = [instance(k) for k in range(30)] + [label(k) for k in range(0, 30, 3)]
        with self.live("--sampler", "perc", "--ledger", "l") as live:
            for line in given:
                live(line)
            before = live({"pending": True, "order": "doubtful"})
            live.end()
        with self.live("--ledger", "l", "--quiet") as live:
            after = live({"pending": True, "order": "doubtful"})
            live.end()
        for one in before["pending"] + after["pending"]:
            del one["age"]
        self.assertEqual(after, before)
        self.assertEqual({one["id"]: one["instance"] for one in after["pending"]},
                         {k: instance(k) for k in range(30) if k % 3})

    def test_estimates_and_budgets_continue_after_a_restart(self):
        given = [o for k in range(300) for o in ([instance(k), label(k - 20)] if k >= 20 else [instance(k)])]
        arguments = ["--sampler", "sel-p", "--audit", "5%", "--budget", "20%"]
        whole = self.answers(given + [{"report": True}], *arguments, "--ledger", "whole")
        self.answers(given[:200], *arguments, "--ledger", "l")
        rest = self.answers(given[200:] + [{"report": True}], "--ledger", "l")
        report = whole[-1]["report"]
        self.assertLessEqual(report["asked"], 60)
        self.assertLess(report["estimate"]["whole"]["error"]["high"], 1)
        self.assertEqual(rest[-1], whole[-1])

    def test_a_ledger_continues_only_with_its_settings(self):
        self.answers([instance(1)], "--ledger", "l", "--seed", "3", "--sampler", "sel-p")
        before = self.read("l")
        line = self.complaint(self.askfew("stream", "--ledger", "l", "--seed", "4", "--sampler", "sel-p"), 2)
        self.assertIn("begun with seed 3, not 4", line)
        self.assertIn("keep", self.complaint(self.askfew("stream", "--ledger", "l", "--seed", "3", "--sampler", "sel-p",
                                                         "--keep", "5"), 2))
        for options, words in (
            (["--budget", "5%"], "budget none, not 5%"),
            (["--budget", "100/day"], "budget none, not 100/day"),
            (["--audit", "1%"], "audit 0%, not 1%"),
            (["--positive", "spam"], "the labels -1 and +1, not the positive label 'spam'"),
            (["--labels", "a,b", "--multiclass"], "the labels -1 and +1, not the classes 'a', 'b'"),
            (["--labels", "a,b", "--ask", "together"], "ask none, not together"),
            (["--ngrams", "2"], "ngrams 1, not 2"),
            (["--expire", "7d"], "expire never, not after 604800 s"),
            (["--overlap", "10%:3"], "overlap none, not 10%:3"),
        ):
            with self.subTest(words):
                line = self.complaint(self.askfew("stream", "--ledger", "l", "--seed", "3", "--sampler", "sel-p", *options), 2)
                self.assertIn(f"l: the ledger was begun with {words}: leave the options out to continue it", line)
                self.assertNotIn("{", line)
        self.assertEqual(self.read("l"), before)
        self.answers([instance(2)], "--ledger", "l")  # without options the settings of the ledger are used
        self.answers([instance(3)], "--ledger", "l", "--seed", "3", "--sampler", "sel-p")

    def test_two_streams_cannot_share_a_ledger(self):
        with self.live("--ledger", "l") as live:
            live(instance(1))
            self.assertIn("another process", self.complaint(self.askfew("stream", "--ledger", "l"), 2))
            self.ok("replay", "l")  # reading is allowed

    def test_a_torn_end_is_cut_off_and_damage_is_refused(self):
        self.answers([instance(1), label(1), instance(2)], "--ledger", "l", "--model", "m")
        whole = self.read("l")
        self.write("l", whole[:-3])
        done = self.ok("stream", "--ledger", "l", "--model", "n")
        self.assertIn("cut off", done.err)
        self.assertEqual(self.read("n"), self.read("m"))  # the line was complete, and its outcome is written again
        self.assertEqual(self.read("l"), whole)
        damaged = bytearray(whole)
        damaged[-40] ^= 1
        self.write("l", bytes(damaged))
        for command in (["stream", "--ledger", "l"], ["replay", "l"]):
            self.assertRegex(self.complaint(self.askfew(*command), 3), "l: damaged at byte [0-9]+: nothing was changed; 'askfew ledger check' tells what can be done")
        self.write("l", b"{}\n")
        self.assertIn("not a ledger", self.complaint(self.askfew("replay", "l"), 3))

    def test_a_replay_writes_a_trace_and_a_report(self):
        self.answers([instance(1), label(1), {"id": 'a"b', "text": "c"}], "--ledger", "l")
        self.ok("replay", "l", "--trace", "t", "--json", "j")
        rows = self.read("t").decode().splitlines()
        self.assertTrue(rows[0].startswith("time,id,round,margin,"))
        self.assertEqual([row.count(",") for row in rows[:3]], [15] * 3)
        self.assertRegex(rows[2], r",learned,\d+\.\d{6},[01],[^,]*,[^,]*$")
        self.assertEqual(json.loads(self.read("j"))["report"]["labels"]["learned"], 1)

    def test_a_full_disk_is_reported_and_no_line_is_taken(self):
        with self.live("--ledger", "/dev/full") as live:
            for number in (1, 2):
                answer = live(instance(number))
                self.assertEqual(answer, {"error": "the ledger cannot be written, so the line was not taken: "
                                                   "No space left on device", "id": number, "line": number})
            self.assertEqual(live({"report": True})["report"]["rounds"], 0)
            code, said = live.end()
            self.assertEqual(code, 3)
            self.assertIn("the ledger could not be written at the end: No space left on device", said)

    def test_a_stream_continues_once_the_disk_has_room_again(self):
        with self.live("--ledger", "l", "--model", "m") as live:
            live(instance(0))
            resource.prlimit(live.process.pid, resource.RLIMIT_FSIZE, (os.path.getsize(self.path("l")) + 700, -1))
            answers = [live(instance(k)) for k in range(1, 20)]
            taken = [a["id"] for a in answers if "ask" in a]
            self.assertTrue(0 < len(taken) < 19)
            self.assertIn("File too large", answers[-1]["error"])
            self.assertEqual(live({"report": True})["report"]["rounds"], 1 + len(taken))
            self.assertIn("error", live(label(0)))
            resource.prlimit(live.process.pid, resource.RLIMIT_FSIZE, (-1, -1))
            self.assertEqual(live(label(0))["outcome"], "learned")
            self.assertEqual(live(instance(30))["id"], 30)
            self.assertEqual(live.end()[0], 0)
        self.assertEqual(self.rebuilt(), self.read("m"))

    def test_no_acknowledged_line_is_lost_by_a_kill_at_any_moment(self):
        """A restart follows each kill; at the end a new process replays the ledger."""
        rng = random.Random(3)
        acknowledged, asked, k = set(), [], 0
        for _ in range(30):
            with self.live("--ledger", "l", "--sampler", "sel-p") as live:
                kill_at, begun = rng.random() * 0.02, time.monotonic()
                unread = 0
                while time.monotonic() - begun < kill_at:
                    batch = [instance(k + j) for j in range(rng.randrange(1, 30))]
                    k += len(batch)
                    batch += [label(asked.pop(rng.randrange(len(asked)))) for _ in range(rng.randrange(20)) if asked]
                    live.send(lines(batch))
                    unread += len(batch)
                    for _ in range(unread - rng.randrange(min(unread, 60))):
                        self.note(live.read(), asked, acknowledged)
                        unread -= 1
                live.process.kill()
                for line in live.process.stdout.read().decode().splitlines(keepends=True):
                    if line.endswith("\n"):
                        self.note(json.loads(line), asked, acknowledged)
        self.ok("stream", "--ledger", "l", "--model", "m")
        self.ok("replay", "l", "--trace", "t", "--model", "rebuilt")
        self.assertEqual(self.read("rebuilt"), self.read("m"))
        learned = {row.split(",")[1] for row in self.read("t").decode().splitlines() if ",learned," in row}
        self.assertGreater(len(acknowledged), 30)
        self.assertEqual(acknowledged - learned, set())

    def note(self, answer, asked, acknowledged):
        if answer.get("ask"):
            asked.append(answer["id"])
        if answer.get("outcome") == "learned":
            acknowledged.add(str(answer["id"]))


if __name__ == "__main__":
    unittest.main()
