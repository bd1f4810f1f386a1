"""Ctrl-C ends a run as if its stream ended there: exit 130, complete outputs that agree, and a model that can be resumed."""

import json
import os
import signal
import subprocess
import threading
import time
import unittest

from harness import ASKFEW, CliTest, binary_lines, rows, text, topic_lines, without_header

PATIENCE = 60  # seconds; much more than needed, for a busy machine


class Interrupt(CliTest):
    def start(self, *arguments):
        """Starts a run on a pipe, with its outputs; the run always ends with the test."""
        process = subprocess.Popen([ASKFEW, "run", "-", *arguments, "--trace", "t", "--model", "m", "--json", "j"],
                                   cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def feed(self, process, lines):
        """Writes the lines repeatedly until the program stops reading or `stop` is set."""
        block, stop = text(lines).encode(), threading.Event()
        def write():
            try:
                while not stop.is_set():
                    process.stdin.write(block)
            except BrokenPipeError:
                pass
        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        self.addCleanup(lambda: (stop.set(), process.kill(), writer.join(PATIENCE)))

    def wait_for_rounds(self, process, rounds):
        """Reads the progress until that many rounds are done."""
        for line in process.stderr:
            word = line.split()[0]
            if word.isdigit() and int(word) >= rounds:
                return
        self.fail("the run ended before it was interrupted")

    def ends(self, process):
        """The exit code after Ctrl-C."""
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.fail(f"still running {PATIENCE} seconds after Ctrl-C")

    def check_outputs(self, process, lines, *arguments):
        """Checks that trace, JSON, text and model agree on the rounds, and that the model can be resumed."""
        self.assertEqual(sorted(os.listdir(self.folder)), ["j", "m", "t"])
        trace = self.read("t")
        done = rows(trace)[-1].round
        tasks = json.loads(self.read("j"))["tasks"]
        self.assertEqual({entry["rounds"] for entry in tasks}, {done})
        self.assertEqual(len(rows(trace)), done * len(tasks))
        self.assertIn(f"rounds     {done:,}\nstopped    before the data ended\n", process.stdout.read().decode())
        self.assertIs(json.loads(self.read("j"))["stopped"], True)
        self.assertIn(f"rounds     {done:,}\n", self.ok("inspect", "m").out)
        fed = [lines[k % len(lines)] for k in range(done + 300)]
        rest = self.trace(self.write("rest", text(fed[done:])), "--resume", "m")
        self.assertTrue(self.trace(self.write("whole", text(fed)), *arguments) == trace + without_header(rest),
                        "the interrupted run does not go on as the whole one")

    def test_ctrl_c_in_the_middle_of_a_stream_leaves_complete_outputs(self):
        lines = binary_lines(1000)
        for sampler in ("sel-p", "pa-log:next=1"):
            with self.subTest(sampler):
                process = self.start("--sampler", sampler)
                self.feed(process, lines)
                self.wait_for_rounds(process, 2000)
                self.assertEqual(self.ends(process), 130)
                self.check_outputs(process, lines, "--sampler", sampler)
                for name in os.listdir(self.folder):
                    os.remove(self.path(name))

    def test_ctrl_c_with_many_tasks_and_threads_leaves_complete_outputs(self):
        lines = topic_lines(1000)
        arguments = ["--sampler", "sel-p", "--labels", "0-4"]
        process = self.start(*arguments, "--threads", "2")
        self.feed(process, lines)
        self.wait_for_rounds(process, 1000)
        self.assertEqual(self.ends(process), 130)
        self.check_outputs(process, lines, *arguments)

    def test_ctrl_c_ends_a_run_that_waits_for_its_stream(self):
        """A pipe that stays open but gives nothing more, as from a slow source."""
        lines = binary_lines(8000)
        process = self.start("--sampler", "sel-p")
        process.stdin.write(text(lines).encode())
        process.stdin.flush()
        self.wait_for_rounds(process, 1000)
        time.sleep(0.2)  # until the last lines are read
        self.assertEqual(self.ends(process), 130)
        self.check_outputs(process, lines, "--sampler", "sel-p")

    def test_ctrl_c_before_the_first_line_leaves_no_partial_file(self):
        process = self.start("--quiet")
        deadline = time.monotonic() + PATIENCE
        while not os.listdir(self.folder) and time.monotonic() < deadline:
            time.sleep(0.01)  # until the outputs are created
        time.sleep(0.2)
        self.assertEqual(self.ends(process), 130)
        self.assertLessEqual(set(os.listdir(self.folder)), {"t", "m", "j"}, "a partial file is left")

    def test_ctrl_c_ends_a_run_over_a_file_soon(self):
        self.write("data", text(binary_lines(1000)) * 500)
        process = subprocess.Popen([ASKFEW, "run", "data", "--json", "j"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        self.wait_for_rounds(process, 1000)
        self.assertEqual(self.ends(process), 130)
        rounds = json.loads(self.read("j"))["macro"]["rounds"]
        self.assertLess(rounds, 500_000)
        self.assertIn(f"rounds     {rounds:,}\nstopped    before the data ended\n", process.stdout.read().decode())

    def test_ctrl_c_ends_a_program_whose_output_nobody_reads(self):
        """The pipe is full and its reader does not read: the first signal ends the program."""
        self.write("data", text(binary_lines(20_000)))
        self.ok("run", "data", "--quiet", "--model", "m")
        lines = b"".join(json.dumps({"id": k, "x": [k, 1]}).encode() + b"\n" for k in range(5000))
        for sent, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            for arguments in (["predict", "m", "data"], ["run", "data", "--quiet", "--trace", "-"],
                              ["convert", "data", "--to", "svmlight", "-o", "-"], ["stream", "--ledger", f"l{code}"]):
                with self.subTest(arguments=arguments, signal=sent):
                    self.write("lines", lines)
                    with open(self.path("lines"), "rb") as stdin:
                        process = subprocess.Popen([ASKFEW, *arguments], cwd=self.folder, stdin=stdin,
                                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    self.addCleanup(process.communicate)
                    time.sleep(0.5)  # until the pipe is full
                    self.assertIsNone(process.poll(), "the program did not wait for its reader")
                    process.send_signal(sent)
                    self.assertEqual(process.wait(PATIENCE), code)
                    self.assertEqual(process.stderr.read(), b"")


class InterruptedPrediction(CliTest):
    def test_ctrl_c_is_no_error_of_the_data(self):
        """Also while the first bytes of the data are awaited, which show its format."""
        self.write("a.csv", "text,label\n" + "a free prize,spam\nlunch is soon,ham\n" * 20)
        for columns in ([], ["--text-columns", "text"]):
            self.ok("run", "a.csv", "--positive", "spam", "--sampler", "perc", "--model", "m", "--quiet", *columns)
            for command in ("predict", "evaluate"):
                with self.subTest(command, columns=columns):
                    process = subprocess.Popen([ASKFEW, command, "m", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    self.addCleanup(Interrupt.end, process)
                    self.wait_until_it_reads(process)
                    process.send_signal(signal.SIGINT)
                    self.assertEqual(process.wait(PATIENCE), 130)
                    self.assertEqual(process.stderr.read(), b"")

    def wait_until_it_reads(self, process):
        """Sleeping several times in a row: it waits for nothing else."""
        deadline = time.monotonic() + PATIENCE
        sleeping = 0
        while sleeping < 5:
            self.assertLess(time.monotonic(), deadline)
            with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
                sleeping = sleeping + 1 if file.read().rsplit(")", 1)[1].split()[0] == "S" else 0
            time.sleep(0.02)


class InterruptedReproduction(CliTest):
    def test_ctrl_c_ends_a_reproduction_in_the_middle_of_a_job_and_keeps_what_is_done(self):
        command = [ASKFEW, "reproduce", "moroshko-2014", "--data", "none", "-o", "out", "--threads", "1"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(Interrupt.end, process)
        work = self.path("out/work")
        while process.poll() is None and not self.kept(work):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 130)
        self.assertTrue(process.stderr.read().decode().endswith("stopped; the same command goes on from here\n"))
        self.assertFalse(os.path.exists(self.path("out/moroshko-2014.html")))
        before = self.kept(work)
        self.assertGreater(len(before), 0)
        again = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(Interrupt.end, again)
        while again.poll() is None and len(self.kept(work)) <= len(before):
            time.sleep(0.05)
        again.send_signal(signal.SIGINT)
        self.assertEqual(again.wait(PATIENCE), 130)
        self.assertEqual(self.kept(work)[:len(before)], before)

    @staticmethod
    def kept(work):
        """The complete lines of finished jobs."""
        lines = []
        for name in os.listdir(work) if os.path.exists(work) else ():
            if name.endswith(".jsonl"):
                with open(os.path.join(work, name)) as file:
                    lines += [line for line in file if line.endswith("\n")]
        return lines


if __name__ == "__main__":
    unittest.main()
