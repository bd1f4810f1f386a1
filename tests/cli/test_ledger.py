"""Ledgers: every version replays the ledgers of older versions; memory limits and moved files do not end a stream."""

import csv
import glob
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from harness import ASKFEW, ROOT
from live_stream import StreamTest, instance, label, lines

sys.path.insert(0, os.path.join(ROOT, "tests", "faults"))
from parsed_ledger import hash_of

OLD = os.path.join(ROOT, "tests", "ledgers")
NUMBERS = ("margin", "probability", "coin", "audit")


def old_ledgers():
    return sorted(glob.glob(os.path.join(OLD, "*", "*.ledger")))


class OldLedgers(StreamTest):
    """Each folder of tests/ledgers was written by a version of that format, with `askfew stream` and `replay --trace`.

    Format 1: `text` has refusals, corrections, repeated ids and instances, expired questions, a dictionary and tf-idf; the
    others have classes, a refused norm, a budget, positive labels, an audit; `no-words` ended for lack of memory with a line
    that stopped every later process of that version. Format 2: repeated instances, words and labels without memory, a clock
    that was ten years ahead, a line that is set aside, classes, a refused norm; `people` has several people for a question,
    unsure and volunteered labels, and settings that change; in `unsure` an unsure answer is skipped, as in earlier versions;
    `default` has the default sampler, whose sums had another order, and `steady-drift` that of the next version, whose matrix
    had a drift that stayed."""

    def same_rows(self, found, expected):
        found, expected = (list(csv.DictReader(io.StringIO(text.decode()))) for text in (found, expected))
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            for name, value in other.items():
                if name in NUMBERS and value:
                    self.assertAlmostEqual(float(one[name]), float(value), delta=1e-9)
                else:
                    self.assertEqual(one[name], value, name)

    def test_every_ledger_of_an_older_version_replays(self):
        self.assertGreater(len(old_ledgers()), 10)
        for path in old_ledgers():
            with self.subTest(path):
                shutil.copy(path, self.path("l"))
                self.ok("ledger", "check", "l")
                limit = "1kB" if "no-words" not in path else "1GB"  # the current limit applies to lines without an outcome
                self.ok("replay", "l", "--trace", "t", "--max-memory", limit)
                with open(path.replace(".ledger", ".csv"), "rb") as file:
                    self.same_rows(self.read("t"), file.read())

    def test_every_ledger_of_an_older_version_can_be_continued_and_then_replays(self):
        for path in old_ledgers():
            with self.subTest(path):
                shutil.copy(path, self.path("l"))
                before = self.read("l")
                self.answers([{"id": "late", "label": None}], "--ledger", "l", "--model", "m", "--max-memory", "1GB")
                self.assertTrue(self.read("l").startswith(before))
                self.assertEqual(self.rebuilt(), self.read("m"))

    def test_a_ledger_of_an_earlier_version_continues_with_the_options_that_began_it(self):
        """The default has changed since, and so have the plan of a budget and the forecasts of an audit."""
        options = {"default": ["--budget", "40%", "--horizon", "45", "--positive", "yes", "--negative", "no"],
                   "steady-drift": ["--budget", "60%", "--horizon", "60"],
                   "audited-share": ["--sampler", "sel-p", "--budget", "10%", "--audit", "4%"]}
        for name, given in options.items():
            with self.subTest(name):
                shutil.copy(os.path.join(OLD, "format2", name + ".ledger"), self.path("l"))
                before = self.read("l")
                self.answers([{"id": "late", "label": None}], "--ledger", "l", *given)
                self.assertTrue(self.read("l").startswith(before))
                refused = self.askfew("stream", "--ledger", "l", *given, "--seed", "5")
                self.assertIn("the ledger was begun with seed", refused.err)

    def test_a_ledger_that_ended_for_lack_of_memory_continues_with_the_same_limit(self):
        shutil.copy(os.path.join(OLD, "format1", "no-words.ledger"), self.path("l"))
        answers = self.answers([{"id": 1, "label": 1}, {"id": 3, "text": "king"}], "--ledger", "l", "--max-memory", "12kB")
        self.assertEqual(answers[0]["outcome"], "repeated")
        self.assertIn("ask", answers[1])
        self.assertIn("1 instances refused", self.ok("replay", "l").out)

    def rebuilt(self):
        self.ok("replay", "l", "--model", "rebuilt")
        return self.read("rebuilt")


class Memory(StreamTest):
    def go_on(self, objects, limit, *arguments):
        return self.answers(objects, "--ledger", "l", "--max-memory", limit, *arguments)

    def test_at_the_limit_of_the_dictionary_lines_are_refused_and_the_ledger_continues_with_any_limit(self):
        new_words = [{"id": k, "text": " ".join(f"w{k}_{j}" for j in range(40))} for k in range(100)]
        answers = self.go_on(new_words, "50kB", "--dictionary", "--sampler", "sel-p")
        refused = [a["id"] for a in answers if "no memory" in a.get("error", "")]
        self.assertTrue(0 < len(refused) < 100)
        for limit in ("50kB", "1kB", "1GB"):
            self.assertEqual(self.askfew("stream", "--ledger", "l", "--max-memory", limit).code, 0)
        self.assertIn("ask", self.go_on([new_words[refused[0]]], "1GB")[0])
        models = set()
        for limit in ("1kB", "50kB", "1GB"):
            self.ok("replay", "l", "--max-memory", limit, "--model", "m")
            models.add(self.read("m"))
        self.assertEqual(len(models), 1)

    def test_at_the_limit_of_the_learner_labels_are_refused_and_the_ledger_continues_with_any_limit(self):
        given = []
        for k in range(300):
            given += [{"id": k, "features": [[k, 1], [400 + k % 7, 2]]}, {"id": k, "label": 1 if k % 2 else -1}]
        answers = self.go_on(given, "200kB", "--learner", "rls:form=dual", "--rule", "always", "--keep", "5")
        refused = [a["id"] for a in answers if "no memory to learn this label" in a.get("error", "")]
        self.assertTrue(refused)
        for limit in ("200kB", "10kB", "1GB"):
            self.assertEqual(self.askfew("stream", "--ledger", "l", "--max-memory", limit).code, 0)
        again = self.go_on([label for label in given if label.get("label") and label["id"] == refused[0]], "1GB")
        self.assertEqual(again[0]["outcome"], "learned")
        self.ok("replay", "l", "--max-memory", "1kB")

    def test_labels_that_the_model_does_not_name_take_no_memory(self):
        count = 60_000
        with open(self.path("in"), "w", encoding="utf-8") as file:
            file.write('{"id": 1, "x": [1]}\n')
            for k in range(count):
                file.write(json.dumps({"id": 2, "label": f"{k:0>1000}x"}) + "\n")
        for settings in ([], ["--positive", "spam"], ["--multiclass", "--labels", "a,b"]):
            with open(self.path("in"), "rb") as source:
                stream = subprocess.Popen([ASKFEW, "stream", "--max-memory", "20MB", "--quiet", *settings], cwd=self.folder, stdin=source,
                                          stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(stream.pid, 0)
            stream.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(stream.returncode, 0)
            self.assertLess(used.ru_maxrss << 10, (20 << 20) + (64 << 20), settings)


class Files(StreamTest):
    def test_a_moved_ledger_is_reported_and_no_line_is_taken_until_it_is_back(self):
        for go_away in (os.remove, lambda path: os.rename(path, path + "2")):
            with self.live("--ledger", "l") as live:
                live(instance(0))
                go_away(self.path("l"))
                answer = live(instance(1))
                self.assertEqual(answer["error"], "the ledger cannot be written, so the line was not taken: l was deleted or moved")
                self.write("l", "another file")
                self.assertIn("deleted or moved", live(instance(1))["error"])
                self.assertEqual(live({"report": True})["report"]["rounds"], 1)
                if os.path.exists(self.path("l2")):
                    os.rename(self.path("l2"), self.path("l"))
                    self.assertIn("ask", live(instance(1)))
                    self.assertEqual(live.end()[0], 0)
                    self.assertIn("2 lines", self.ok("replay", "l").out)
            for name in os.listdir(self.folder):
                os.remove(self.path(name))

    def test_refused_settings_leave_no_ledger(self):
        for settings in (["--labels", "a"], ["--sampler", "sel-p:b=0"], ["--learner", "perceptron", "--rule", "dgs"],
                         ["--learner", "ellipsoid", "--rule", "always", "--dimension", "20", "--max-memory", "1kB"]):
            self.complaint(self.askfew("stream", "--ledger", "l", *settings), 3 if "--max-memory" in settings else 2)
            self.assertEqual(os.listdir(self.folder), [], settings)

    def test_the_next_process_repeats_a_lost_answer(self):
        with self.live("--ledger", "l", "--sampler", "sel-p") as live:
            first = live(instance(1))
            live.process.kill()
        again, unknown = self.answers([instance(1), {**instance(1), "id": 9}], "--ledger", "l")
        self.assertEqual({**again, "why": first["why"]}, {**first, "repeated": True})
        self.assertNotIn("repeated", unknown)

    def test_a_clock_that_was_ahead_is_reported_and_later_times_are_right(self):
        self.answers([instance(1)], "--ledger", "l")
        ten_years = 10 * 365 * 86400 * 10 ** 6
        data = bytearray(self.read("l"))
        # Moves the only line ten years ahead, as a stream with such a clock would have written it.
        at, link = 16, hash_of(bytes(data[:16]))
        while at < len(data):
            size, kind, _ = struct.unpack_from("<IIQ", data, at)
            if kind == 2:
                struct.pack_into("<q", data, at + 16, struct.unpack_from("<q", data, at + 16)[0] + ten_years)
            check = hash_of(bytes(data[at:at + 8]), link)
            struct.pack_into("<Q", data, at + 8, check)
            link = hash_of(bytes(data[at + 16:at + 16 + size]), check)
            struct.pack_into("<Q", data, at + 16 + size, link)
            at += 24 + size
        self.write("l", bytes(data))
        done = self.ok("stream", "--ledger", "l", stdin=lines([instance(2)]))
        self.assertIn("s behind the ledger's last line", done.err)
        self.assertNotIn("behind", self.ok("stream", "--ledger", "l", stdin=lines([instance(3)])).err)
        self.ok("replay", "l", "--trace", "t")
        times = [float(row.split(",")[0]) for row in self.read("t").decode().splitlines()[1:]]
        self.assertGreater(times[0], times[1] + 9 * 365 * 86400)
        self.assertGreaterEqual(times[2], times[1])
        self.assertLess(times[2], times[1] + 3600)


class Care(StreamTest):
    """askfew ledger check, repair and skip."""

    def setUp(self):
        super().setUp()
        self.answers([instance(1), label(1), instance(2)], "--ledger", "l", "--sampler", "sel-p")
        self.whole = self.read("l")

    def test_a_whole_ledger_is_reported_as_whole_and_not_changed(self):
        self.assertEqual(self.ok("ledger", "check", "l").out,
                         f"ledger     l: format 3, {len(self.whole):,} bytes, all whole\n"
                         "lines      3, 3 with an outcome, 0 set aside\n")
        self.assertIn("nothing to repair", self.ok("ledger", "repair", "l").out)
        self.assertEqual(self.read("l"), self.whole)

    def test_zeros_are_refused_by_every_command_and_cut_by_a_repair(self):
        for cut in (0, 10, 30, 100):
            self.write("l", self.whole[:len(self.whole) - cut] + bytes(4096))
            self.assertIn("'askfew ledger repair' cuts them off", self.complaint(self.askfew("ledger", "check", "l"), 3))
            for command in (["stream", "--ledger", "l"], ["replay", "l"]):
                self.assertIn("'askfew ledger check' tells", self.complaint(self.askfew(*command), 3))
            self.assertIn("cut off", self.ok("ledger", "repair", "l").out)
            kept = [self.path(name) for name in os.listdir(self.folder) if ".cut-" in name]
            self.assertEqual(len(kept), 0 if cut == 0 else 1)
            for path in kept:
                os.remove(path)
            self.ok("ledger", "check", "l")
            self.ok("stream", "--ledger", "l", "--quiet")
            self.assertTrue(self.whole.startswith(self.read("l")[:len(self.whole) - 200]))

    def test_a_torn_end_is_reported_and_cut_by_a_repair(self):
        self.write("l", self.whole[:-10])
        self.assertIn("torn ", self.ok("ledger", "check", "l").out)
        self.assertIn("unfinished line 3", self.ok("ledger", "check", "l").out)
        self.assertIn("what was cut off is in l.cut-", self.ok("ledger", "repair", "l").out)
        self.assertNotIn("torn ", self.ok("ledger", "check", "l").out)

    def test_damage_is_never_cut_off(self):
        damaged = bytearray(self.whole)
        damaged[len(damaged) // 2] ^= 4
        self.write("l", bytes(damaged))
        for command in ("check", "repair"):
            line = self.complaint(self.askfew("ledger", command, "l"), 3)
            self.assertRegex(line, r"l: damaged at byte \d+: .* whole records, so nothing is cut off")
        self.assertEqual(self.read("l"), bytes(damaged))

    def test_only_a_line_without_an_outcome_can_be_set_aside(self):
        self.write("l", self.whole[:-78])  # without the last outcome
        self.assertIn("unfinished line 3", self.ok("ledger", "check", "l").out)
        self.assertIn("line 2 has an outcome", self.complaint(self.askfew("ledger", "skip", "l", "2"), 2))
        self.assertIn("line 4 is not there", self.complaint(self.askfew("ledger", "skip", "l", "4"), 2))
        self.ok("ledger", "skip", "l", "3", "--why", "no process gets over it")
        self.assertIn("1 set aside", self.ok("ledger", "check", "l").out)
        self.assertEqual(self.answers([{"id": 2, "label": 1}], "--ledger", "l")[0]["outcome"], "unknown")
        self.assertIn("note: 1 lines are set aside", self.ok("replay", "l").err)

    def test_other_files_and_newer_ledgers_are_refused_and_not_changed(self):
        self.write("text", "no ledger\n")
        self.write("newer", self.whole.replace(b"ledger 3", b"ledger 7"))
        before = self.files()
        for command in (["check"], ["repair"], ["skip"]):
            line = [] if command != ["skip"] else ["1"]
            self.assertIn("not a ledger", self.complaint(self.askfew("ledger", *command, "text", *line), 3))
            self.assertIn("a newer version of askfew", self.complaint(self.askfew("ledger", *command, "newer", *line), 3))
            self.complaint(self.askfew("ledger", *command, "none", *line), 2)
        self.unchanged(before)

    def test_a_ledger_that_is_being_written_can_be_checked_and_not_repaired(self):
        with self.live("--ledger", "l") as live:
            live(instance(5))
            self.ok("ledger", "check", "l")
            for command in (["repair", "l"], ["skip", "l", "1"]):
                self.assertIn("another process writes", self.complaint(self.askfew("ledger", *command), 2))
            self.assertEqual(live.end()[0], 0)


if __name__ == "__main__":
    unittest.main()
