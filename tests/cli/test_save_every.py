"""--save-every: however a run ends, the last saved model is on disk, and resuming from it changes nothing."""

import os
import resource
import signal
import subprocess
import time
import unittest

from harness import ASKFEW, CliTest, binary_lines, every_preset, text, topic_lines

PATIENCE = 120  # seconds; much more than needed, for a busy machine
LAST = 2000    # with --save-every 500


class SaveEvery(CliTest):
    def rounds_in(self, model):
        """The rounds that a model on disk has seen, 0 if there is none."""
        if not os.path.exists(self.path(model)):
            return 0
        shown = self.ok("inspect", model).out.splitlines()[1]
        return int(shown.removeprefix("rounds").replace(",", ""))

    def kill_after(self, rounds, lines, *arguments):
        """Runs the lines from a pipe that stays open, and kills the run once a model of so many rounds is saved."""
        process = subprocess.Popen([ASKFEW, "run", "-", *arguments, "--quiet", "--model", "m"], cwd=self.folder,
                                   stdin=subprocess.PIPE)
        try:
            process.stdin.write(text(lines).encode())
            process.stdin.flush()
            deadline = time.monotonic() + PATIENCE
            while self.rounds_in("m") < rounds and time.monotonic() < deadline:
                time.sleep(0.02)
        finally:
            process.kill()
            process.communicate()
        self.assertEqual(self.rounds_in("m"), rounds)

    def test_a_killed_run_can_be_resumed_to_the_same_model(self):
        lines = binary_lines(2100)
        self.write("whole", text(lines))
        self.write("rest", text(lines[LAST:]))
        for name, arguments in every_preset():
            with self.subTest(name):
                self.kill_after(LAST, lines[:2000], *arguments, "--save-every", "500")
                self.ok("run", "rest", "--resume", "m", "--quiet", "--model", "m", "--save-every", "500")
                self.ok("run", "whole", *arguments, "--quiet", "--model", "expected")
                self.assertTrue(self.read("m") == self.read("expected"), "the models differ")
                os.remove(self.path("m"))

    def test_a_killed_run_of_many_tasks_and_threads_can_be_resumed_to_the_same_model(self):
        lines = topic_lines(2100)
        arguments = ["--sampler", "sel-p", "--labels", "0-4"]
        self.kill_after(LAST, lines[:2000], *arguments, "--threads", "3", "--save-every", "500")
        self.ok("run", self.write("rest", text(lines[LAST:])), "--resume", "m", "--quiet", "--model", "m")
        self.ok("run", self.write("whole", text(lines)), *arguments, "--quiet", "--model", "expected")
        self.assertTrue(self.read("m") == self.read("expected"), "the models differ")

    def test_save_every_changes_no_result(self):
        self.write("topics", text(topic_lines(1500)))
        arguments = ["topics", "--sampler", "sel-p", "--labels", "0-4", "--model", "m", "--baseline"]
        trace = self.trace(*arguments)
        report, model = untimed(self.report(*arguments)), self.read("m")
        for every in ("7", "100", "512", "1000", "1000000000"):
            with self.subTest(every):
                self.assertTrue(self.trace(*arguments, "--save-every", every) == trace, "the traces differ")
                self.assertEqual(untimed(self.report(*arguments, "--save-every", every)), report)
                self.assertTrue(self.read("m") == model, "the models differ")

    def fails(self, code, *arguments, says, remains, **options):
        """Checks that a run fails and leaves the model of round `remains` (or the old file) and no other output."""
        self.write("m", "an older file")
        self.write("j", "older results")
        before = self.files()
        done = self.askfew("run", *arguments, "--quiet", "--model", "m", "--json", "j", "--trace", "t", **options)
        line = self.complaint(done, code)
        self.assertIn(says, line)
        if remains:
            self.assertTrue(line.endswith(f"; the model of round {remains} is in m"), line)
            self.assertEqual(self.rounds_in("m"), remains)
            before["m"] = self.read("m")
        else:
            self.assertNotIn("the model of round", line)
        self.unchanged(before)

    def test_after_a_bad_line_the_saved_model_can_be_resumed(self):
        lines = binary_lines(1400)
        self.write("bad", text(lines + ["oops"]))
        self.write("good", text(lines))
        self.fails(3, "bad", "--save-every", "600", says="bad:1401:1: label 'oops'", remains=1200)
        self.ok("run", "good", "--quiet", "--model", "good.m")
        self.ok("run", self.write("rest", text(lines[1200:])), "--resume", "m", "--quiet", "--model", "m")
        self.assertTrue(self.read("m") == self.read("good.m"), "the models differ")

    def test_a_failure_before_the_first_save_leaves_the_old_file(self):
        self.write("bad", text(binary_lines(1000) + ["oops"]))
        self.fails(3, "bad", "--save-every", "1001", says="bad:1001:1", remains=None)
        self.fails(3, "bad", says="bad:1001:1", remains=None)

    def test_rounds_are_counted_from_the_first_run(self):
        self.write("bad", text(binary_lines(600) + ["oops"]))
        self.ok("run", self.write("good", text(binary_lines(250))), "--quiet", "--model", "first")
        self.fails(3, "bad", "--resume", "first", "--save-every", "512", says="bad:601:1", remains=250 + 512)

    def test_after_a_number_that_is_not_finite_the_saved_model_remains(self):
        """Also with several threads."""
        lines = topic_lines(1300)
        lines[1200:1210] = [f"{k % 5} 3:1e120 5:-1e120" for k in range(10)]
        self.write("large", text(lines))
        for threads in ("1", "2", "5"):
            for every, remains in (([], None), (["--save-every", "500"], 1000)):
                with self.subTest(threads=threads, every=every):
                    self.fails(3, "large", "--learner", "perceptron:rate=1e100", "--rule", "always", "--labels", "0-4",
                               "--threads", threads, *every, says="stay finite", remains=remains)

    def test_a_label_that_would_make_the_model_infinite_is_not_learned(self):
        """The feature never occurs again, so that no margin would show its infinite weight."""
        lines = binary_lines(1500)
        lines[700] = "+1 40:1e150"
        self.write("large", text(lines))
        self.fails(3, "large", "--learner", "perceptron", "--rule", "always", "--update", "asked",
                   "--save-every", "500", says="round 701, task 0: the update is too large", remains=500)

    def test_a_model_that_cannot_be_written_leaves_the_old_file(self):
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.write("good", text(binary_lines(1500)))
        self.write("m", "an older file")
        before = self.files()
        done = self.askfew("run", "good", "--quiet", "--model", "m", "--save-every", "500", preexec_fn=little_room)
        self.assertIn("m: cannot write", self.complaint(done, 2))
        self.unchanged(before)

    def test_a_successful_run_prints_nothing_about_saved_models(self):
        self.write("good", text(binary_lines(1500)))
        done = self.ok("run", "good", "--quiet", "--model", "m", "--save-every", "100")
        self.assertEqual(done.err, "")
        self.assertEqual(self.rounds_in("m"), 1500)
        with open("/dev/full", "wb") as full:  # the report is lost, the model is complete
            done = self.askfew("run", "good", "--quiet", "--model", "m", "--save-every", "100", stdout=full)
        self.assertNotIn("round", self.complaint(done, 2))
        self.assertEqual(self.rounds_in("m"), 1500)

    def test_save_every_needs_a_model_in_a_regular_file(self):
        self.write("good", text(binary_lines(10)))
        os.mkfifo(self.path("fifo"))
        os.symlink("/dev/null", self.path("link"))
        for model in ([], ["--model", "-"], ["--model", "/dev/null"], ["--model", "fifo"], ["--model", "link"]):
            with self.subTest(model):
                self.refused(2, "run", "good", "--quiet", *model, "--save-every", "5", outputs=False,
                             says=["--save-every", "--model"])


def untimed(report):
    return {key: value for key, value in report.items() if key not in ("seconds", "examples_per_second")}


if __name__ == "__main__":
    unittest.main()
