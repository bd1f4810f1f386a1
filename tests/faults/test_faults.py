"""500 cases of tests/faults/stream_faults.py, and a full disk."""

import json
import os
import subprocess
import tempfile
import unittest

from parsed_ledger import Decision, ParsedLedger
from stream_faults import ASKFEW, NOT_TAKEN, run_cases

CASES = 500
DISK = 64 << 10


class Faults(unittest.TestCase):
    def test_no_acknowledged_line_is_lost_or_counted_twice_whatever_fails(self):
        seen = run_cases(0, CASES)
        self.assertEqual(seen["cases"], CASES)
        # Faults did happen.
        self.assertGreater(seen["deaths"], CASES / 3)
        self.assertGreater(seen["refusals"], CASES / 3)
        self.assertGreater(seen["checkpoints"], CASES / 8)


class FullDisk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "askfew_test", self.folder],
                                 stderr=subprocess.DEVNULL, check=False)
        if mounted.returncode != 0:
            self.skipTest("no file system may be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)

    def test_on_a_full_disk_lines_are_refused_and_taken_once_there_is_room(self):
        ballast = os.path.join(self.folder, "ballast")
        with open(ballast, "wb") as file:
            file.write(bytes(DISK // 2))
        stream = subprocess.Popen([ASKFEW, "stream", "--ledger", "ledger", "--sampler", "sel-p", "--quiet"], cwd=self.folder,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(stream.stdout.close)
        self.addCleanup(stream.wait)
        self.addCleanup(stream.kill)
        taken, refused = [], []

        def say(name):
            stream.stdin.write(json.dumps({"id": name, "text": f"rook {name} " * 20}).encode() + b"\n")
            stream.stdin.flush()
            answer = json.loads(stream.stdout.readline())
            if "ask" in answer:
                taken.append(name)
            else:
                self.assertEqual(answer["error"], f"{NOT_TAKEN}: No space left on device")
                refused.append(name)

        for name in range(300):
            say(name)
        self.assertTrue(taken and refused)
        self.assertEqual(taken, list(range(len(taken))))
        os.remove(ballast)
        for name in refused[:20]:
            say(name)
        stream.stdin.close()
        self.assertEqual(stream.wait(60), 0)
        with open(os.path.join(self.folder, "ledger"), "rb") as file:
            ledger = ParsedLedger(file.read())
        self.assertEqual(ledger.rest, b"")
        self.assertEqual([json.loads(line.text)["id"] for line in ledger.lines], taken)
        self.assertTrue(all(isinstance(outcome, Decision) for outcome in ledger.outcomes))


if __name__ == "__main__":
    unittest.main()
