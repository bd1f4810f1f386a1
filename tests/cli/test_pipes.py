"""Long streams take no more memory than short ones, and readers that go away end the program without a mess."""

import os
import subprocess
import unittest

from harness import ASKFEW, CliTest, binary_lines, text, topic_lines

PATIENCE = 20  # seconds for what should take none


class Memory(CliTest):
    def peak(self, block, times, *arguments):
        """The most memory, in kB, until the last of the blocks has gone into the pipe."""
        process = subprocess.Popen([ASKFEW, "run", "-", "--quiet", *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL)
        try:
            for _ in range(times):
                process.stdin.write(block)
            process.stdin.flush()
            with open(f"/proc/{process.pid}/status") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
            process.stdin.close()
            self.assertEqual(process.wait(PATIENCE), 0)
            return peak
        finally:
            process.kill()
            process.wait()

    def test_does_not_grow_with_the_stream(self):
        """400,000 lines against 20,000."""
        block = text(binary_lines(20_000, dimension=12)).encode()
        for arguments in (["--sampler", "pa-log", "--model", "m"], ["--sampler", "sel-p", "--trace", "/dev/null"]):
            with self.subTest(arguments):
                short = self.peak(block, 1, *arguments)
                self.assertLess(self.peak(block, 20, *arguments), short + 3000)

    def test_does_not_grow_with_many_tasks(self):
        block = text(topic_lines(5_000, dimension=12)).encode()
        arguments = ["--sampler", "sel-p", "--labels", "0-4", "--baseline"]
        self.assertLess(self.peak(block, 20, *arguments), self.peak(block, 2, *arguments) + 3000)


class ClosedPipes(CliTest):
    def read_one_line(self, *arguments):
        """Runs the program for a reader that leaves after one line, as `| head -1` does."""
        process = subprocess.Popen([ASKFEW, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = process.stdout.readline().decode()
        process.stdout.close()
        try:
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        self.assertLessEqual(err.count(b"\n"), 1, err)
        return line

    def test_list(self):
        self.assertIn("PRESETS", self.read_one_line("list"))
        self.assertEqual(self.read_one_line("list", "--json"), "{\n")

    def test_predictions_and_traces(self):
        self.write("data", text(binary_lines(20_000, dimension=12)))
        self.ok("run", "data", "--quiet", "--model", "m")
        before = self.files()
        self.assertRegex(self.read_one_line("predict", "m", "data"), r"\A[+-]1\t")
        self.assertTrue(self.read_one_line("run", "data", "--quiet", "--trace", "-").startswith("round,"))
        self.unchanged(before)

    def test_nothing_half_written_is_left(self):
        self.write("data", text(binary_lines(20_000, dimension=12)))
        self.write("m", "an older file")
        before = self.files()
        self.read_one_line("run", "data", "--quiet", "--trace", "-", "--model", "m", "--json", "j")
        self.unchanged(before)

    def test_a_closed_standard_input(self):
        done = self.askfew("run", "-", "--quiet", stdin=None, preexec_fn=lambda: os.close(0))
        self.assertIn("<stdin>: cannot open", self.complaint(done, 2))


if __name__ == "__main__":
    unittest.main()
