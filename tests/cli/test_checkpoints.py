"""Checkpoints: a stream with a long ledger starts again from the last one; `askfew compact` leaves only one."""

import glob
import json
import os
import re
import shutil
import unittest

from harness import ROOT
from live_stream import StreamTest

OLD = os.path.join(ROOT, "tests", "ledgers")
SETTINGS = ["--sampler", "sel-p", "--bits", "8", "--keep", "20", "--expire", "50", "--audit", "10%"]


def without_latency(answers):
    """Without the numbers of lines, too, which count from the start of a process."""
    return re.sub(r'"(latency|line)":[^,}]*', "", answers)


def conversation(first, past):
    for k in range(first, past):
        yield {"id": k, "text": f"word{k * k % 31} word{k % 7}", "note": "nobody reads this " * 5}
        yield {"id": k - 3, "label": 1 if k % 7 > 3 else -1}


class Checkpoints(StreamTest):
    def go_on(self, first, past, ledger="l", *arguments):
        text = "".join(json.dumps(line) + "\n" for line in conversation(first, past))
        return self.askfew("stream", "--ledger", ledger, *arguments, stdin=text.encode())

    def test_a_stream_goes_on_from_its_last_checkpoint_with_the_answers_of_one_that_never_stopped(self):
        whole = self.go_on(0, 3000, "whole", *SETTINGS)
        first = self.go_on(0, 2000, "l", *SETTINGS)
        second = self.go_on(2000, 3000, "l", "--model", "m")
        self.assertRegex(second.err, r"^askfew: l: 4000 lines, the last \d+ replayed from a checkpoint\n"
                         r"askfew: \d+ of 2000 lines were refused: their answers have an \"error\" that says why\n$")
        self.assertEqual(without_latency(first.out + second.out), without_latency(whole.out))
        replayed = self.ok("replay", "l", "--model", "r").out
        self.assertRegex(replayed, r"l: 6000 lines, every outcome as it was recorded\ncheckpoints \d+, each as the lines before it give it\n")
        self.assertEqual(self.read("r"), self.read("m"))
        self.assertRegex(self.ok("ledger", "check", "l").out, r"checkpoints \d+\n")

    def test_late_labels_raise_the_same_alarms_after_restarts(self):
        def lines(first, past):
            for k in range(first, past):
                yield {"id": k, "text": f"word{k * 7 % 31} word{k % 5}", "note": "nobody reads this " * 5}
                late = k - 40
                is_noise = late > 2500 and late * 7919 % 101 < 50
                yield {"id": late, "label": 1 if (late % 5 > 2) != is_noise else -1}

        def go_on(ledger, first, past, *arguments):
            text = "".join(json.dumps(line) + "\n" for line in lines(first, past))
            return self.askfew("stream", "--ledger", ledger, *arguments, stdin=text.encode()).out

        settings = ["--sampler", "sel-p", "--bits", "8", "--keep", "20", "--expire", "100", "--audit", "20%"]
        whole = go_on("whole", 0, 5000, *settings)
        self.assertIn('"change":{"kind":"error_up"', whole)
        parts = go_on("l", 0, 700, *settings) + "".join(go_on("l", first, first + 700) for first in range(700, 4900, 700))
        parts += go_on("l", 4900, 5000)
        self.assertEqual(without_latency(parts), without_latency(whole))
        self.assertRegex(self.ok("replay", "l").out, r"checkpoints [1-9]\d*, each as the lines")

    def test_a_compact_ledger_goes_on_and_says_what_it_stands_for(self):
        self.go_on(0, 2000, "l", *SETTINGS)
        out = self.ok("compact", "l", "-o", "short").out
        self.assertRegex(out, r"^ledger     l: 4,000 lines, [\d,]+ bytes, every outcome as it was recorded\n"
                              r"compacted  short: [\d,]+ bytes, a checkpoint stands for 4,000 lines, 0 follow\n$")
        self.assertLess(len(self.read("short")), len(self.read("l")) / 5)
        short, long = self.go_on(2000, 2100, "short", "--model", "m"), self.go_on(2000, 2100, "l")
        self.assertEqual(without_latency(short.out), without_latency(long.out))
        self.assertIn("short: 200 lines after a checkpoint of 4000, every outcome as it was recorded",
                      self.ok("replay", "short", "--model", "r").out)
        self.assertEqual(self.read("r"), self.read("m"))
        self.ok("replay", "l", "--model", "r")
        self.assertEqual(self.read("r"), self.read("m"))
        self.assertRegex(self.ok("ledger", "check", "short").out,
                         r"lines      4,200, 200 with an outcome, 0 set aside\n"
                         r"dropped    the first 4,000 lines, [\d,]+ bytes up to the hash [0-9a-f]{16}: a checkpoint stands for them\n")
        refused = self.askfew("whatif", "short", "--sampler", "perc")
        self.assertEqual(refused.code, 3)
        self.assertIn("the ledger was compacted, and the lines up to here are needed", refused.err)

    def test_settings_still_have_to_be_those_of_the_ledger(self):
        self.go_on(0, 500, "l", *SETTINGS)
        self.ok("compact", "l", "-o", "short")
        refused = self.go_on(500, 501, "short", "--sampler", "sel-p", "--seed", "2")
        self.assertEqual(refused.code, 2)
        self.assertIn("leave the options out to continue it", refused.err)

    def test_a_line_of_a_compact_ledger_is_set_aside_by_its_number(self):
        self.go_on(0, 200, "l", *SETTINGS)
        self.ok("compact", "l", "-o", "short")
        whole = self.read("short")
        self.go_on(200, 201, "short")
        with open(self.path("short"), "r+b") as file:  # without the two outcomes
            data = file.read()
            file.truncate(len(data) - (24 + 54) - (24 + 31))
        self.assertTrue(self.read("short").startswith(whole))
        self.assertIn("unfinished line 401", self.ok("ledger", "check", "short").out)
        self.ok("ledger", "skip", "short", "401")
        self.assertIn("1 set aside", self.ok("ledger", "check", "short").out)
        self.go_on(201, 210, "short")
        self.ok("replay", "short")

    def test_old_ledgers_are_compacted_or_refused_with_the_reason(self):
        refused = 0
        for path in sorted(glob.glob(os.path.join(OLD, "*", "*.ledger"))):
            with self.subTest(path):
                shutil.copy(path, self.path("l"))
                compacted = self.askfew("compact", "l", "-o", "short", "--max-memory", "1GB")
                if "classes" in path or "people" in path:
                    self.assertIn("learns late labels as an earlier version did", compacted.err)
                    self.assertFalse(os.path.exists(self.path("short")))
                    refused += 1
                    continue
                self.assertEqual(compacted.code, 0, compacted.err)
                for ledger in ("l", "short"):
                    self.answers([{"id": "late", "label": None}], "--ledger", ledger, "--model", ledger + "m", "--max-memory", "1GB")
                self.assertEqual(self.read("lm"), self.read("shortm"))
                os.remove(self.path("short"))
        self.assertEqual(refused, 3)

    def test_the_output_must_be_another_file(self):
        self.go_on(0, 5, "l", *SETTINGS)
        before = self.read("l")
        self.assertEqual(self.askfew("compact", "l", "-o", "l").code, 2)
        self.assertEqual(self.askfew("compact", "nothing", "-o", "short").code, 2)
        self.assertEqual(self.read("l"), before)
        self.assertFalse(os.path.exists(self.path("short")))

    def test_a_peek_is_the_decision_of_the_next_instance_and_is_not_recorded(self):
        self.go_on(0, 50, "l", *SETTINGS)
        before = self.read("l")
        instance = {"id": 50, "text": "word3 word5"}
        peek, = self.answers([{"peek": instance}], "--ledger", "l")
        self.assertEqual(self.read("l"), before)
        decision, = self.answers([instance], "--ledger", "l")
        decision.pop("why", None)
        self.assertEqual(peek, {"peek": decision})


if __name__ == "__main__":
    unittest.main()
