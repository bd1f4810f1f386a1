"""Long streams take no more memory than short streams, and a reader that goes away ends the program cleanly."""

import fcntl
import json
import os
import subprocess
import termios
import time
import unittest

from harness import ASKFEW, CliTest, binary_lines, text, topic_lines

PATIENCE = 120  # seconds; much more than needed, for a busy machine


class Memory(CliTest):
    def wait_until_it_waits(self, process):
        """Until the pipe is empty and no time of the processor is used any more."""
        used = None
        while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) != bytes(4) or used != self.time_of(process):
            used = self.time_of(process)
            time.sleep(0.1)

    @staticmethod
    def time_of(process):
        with open(f"/proc/{process.pid}/stat") as stat:
            return stat.read().rsplit(") ", 1)[1].split()[11:13]

    def peak(self, block, times, *arguments):
        """The most memory, in kB, until the program has read the last of the blocks and waits for more."""
        process = subprocess.Popen([ASKFEW, "run", "-", "--quiet", *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL)
        try:
            for _ in range(times):
                process.stdin.write(block)
            process.stdin.flush()
            self.wait_until_it_waits(process)
            with open(f"/proc/{process.pid}/status") as status:
                peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
            process.stdin.close()
            self.assertEqual(process.wait(PATIENCE), 0)
            return peak
        finally:
            process.kill()
            process.wait()

    def assert_flat(self, block, *arguments):
        """Compares 50 blocks with 10, which fill all buffers: less than 8 bytes for each further line."""
        further_lines = 40 * block.count(b"\n")
        self.assertLess(self.peak(block, 50, *arguments), self.peak(block, 10, *arguments) + 8 * further_lines / 1024)

    def test_memory_does_not_grow_with_the_stream(self):
        block = text(binary_lines(20_000, dimension=12)).encode()
        for arguments in (["--sampler", "pa-log", "--model", "m"], ["--sampler", "sel-p", "--trace", "/dev/null"]):
            with self.subTest(arguments):
                self.assert_flat(block, *arguments)

    def test_memory_does_not_grow_with_the_stream_of_many_tasks(self):
        block = text(topic_lines(20_000, dimension=12)).encode()
        self.assert_flat(block, "--sampler", "sel-p", "--labels", "0-4", "--baseline")


class PipesThatDoNotWait(CliTest):
    """Other programs may have set a shared pipe to fail instead of waiting (O_NONBLOCK)."""

    def slowly(self, pieces, *arguments):
        """The output of the program for pieces that come one after the other."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        process = subprocess.Popen([ASKFEW, *arguments], cwd=self.folder, stdin=reading, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        os.close(reading)
        for piece in pieces:
            time.sleep(0.2)
            os.write(writing, piece)
        os.close(writing)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)
        return out

    def test_a_stream_waits_for_more_lines(self):
        lines = [json.dumps({"id": k, "x": [k, 1]}).encode() + b"\n" for k in range(3)]
        self.assertEqual(self.slowly(lines, "stream", "--quiet").count(b"\n"), 3)

    def test_a_run_waits_for_more_lines(self):
        lines = binary_lines(30)
        pieces = [text(lines[k:k + 10]).encode() for k in (0, 10, 20)]
        self.assertIn(b"rounds     30\n", self.slowly(pieces, "run", "-", "--quiet"))

    def test_predict_waits_until_the_pipe_takes_its_output(self):
        self.write("data", text(binary_lines(20_000, dimension=12)))
        self.ok("run", "data", "--quiet", "--model", "m")
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        process = subprocess.Popen([ASKFEW, "predict", "m", "data"], cwd=self.folder, stdout=writing,
                                   stderr=subprocess.PIPE)
        os.close(writing)
        time.sleep(0.2)
        with open(reading, "rb") as pipe:
            predictions = pipe.read()
        self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
        process.stderr.close()
        self.assertEqual(predictions.count(b"\n"), 20_000)


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

    def test_list_ends_cleanly_when_its_reader_leaves(self):
        self.assertIn("PRESETS", self.read_one_line("list"))
        self.assertEqual(self.read_one_line("list", "--json"), "{\n")

    def test_predictions_and_traces_end_cleanly_when_their_reader_leaves(self):
        self.write("data", text(binary_lines(20_000, dimension=12)))
        self.ok("run", "data", "--quiet", "--model", "m")
        before = self.files()
        self.assertRegex(self.read_one_line("predict", "m", "data"), r"\A[+-]1\t")
        self.assertTrue(self.read_one_line("run", "data", "--quiet", "--trace", "-").startswith("round,"))
        self.unchanged(before)

    def test_no_partial_file_is_left_when_a_reader_leaves(self):
        self.write("data", text(binary_lines(20_000, dimension=12)))
        self.write("m", "an older file")
        before = self.files()
        self.read_one_line("run", "data", "--quiet", "--trace", "-", "--model", "m", "--json", "j")
        self.unchanged(before)

    def test_a_closed_standard_input_is_refused(self):
        done = self.askfew("run", "-", "--quiet", stdin=None, preexec_fn=lambda: os.close(0))
        self.assertIn("<stdin>: cannot open", self.complaint(done, 2))


if __name__ == "__main__":
    unittest.main()
