"""Reading in any format: several files, skipped malformed examples, threads."""

import ctypes
import gzip
import os
import struct
import unittest

from harness import CliTest, binary_lines, text, topic_lines


class SeveralFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines(900)
        self.write("whole", text(self.lines))
        self.write("a", text(self.lines[:300]))
        self.write("b.gz", gzip.compress(text(self.lines[300:700]).encode()))
        self.write("c", text(self.lines[700:]))

    def test_several_files_are_read_in_order_as_one(self):
        self.assertTrue(self.trace("whole") == self.trace("a", "b.gz", "c"), "the traces differ")

    def test_standard_input_can_be_one_of_several_files(self):
        done = self.ok("run", "a", "-", "c", "--quiet", "--trace", "t", stdin=text(self.lines[300:700]).encode())
        self.assertIn("rounds     900", done.out)

    def test_labels_and_dimension_are_searched_in_all_files(self):
        self.write("one", "3 1:1\n")
        self.write("two", "5,7 9:1\n3 2:1\n")
        done = self.ok("run", "one", "two", "--labels", "all", "--quiet")
        for topic in ("3", "5", "7"):
            self.assertRegex(done.out, rf"(?m)^{topic} ")
        self.ok("run", "a", "c", "--sampler", "sel-winnow", "--quiet")

    def test_an_error_names_its_file(self):
        self.write("bad", "+1 1:1\n-1 1:x\n")
        self.refused(3, "run", "a", "bad", "c", place="bad:2:6", says="not a number")

    def test_a_missing_file_is_refused_before_any_work(self):
        self.refused(2, "run", "a", "nowhere", "c", place="nowhere", says="No such file")

    def test_predict_reads_several_files(self):
        self.ok("run", "whole", "--model", "m", "--quiet")
        self.assertEqual(self.ok("predict", "m", "a", "b.gz", "c").out, self.ok("predict", "m", "whole").out)


class OnError(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines(400)
        self.write("good", text(self.lines))
        spoilt = list(self.lines)
        for at, line in ((0, "x"), (100, "+1 3:nan"), (101, "5 1:1"), (250, "+1 2:1 1:1")):
            spoilt.insert(at, line)
        self.write("bad", text(spoilt))

    def test_by_default_a_malformed_example_stops_the_run(self):
        self.refused(3, "run", "bad", place="bad:1:1", says="not an integer")
        self.refused(3, "run", "bad", "--on-error", "stop", place="bad:1:1", says="not an integer")

    def test_skip_leaves_malformed_examples_out_and_reports_them(self):
        for threads in ("1", "2", "5"):
            with self.subTest(threads):
                done = self.ok("run", "bad", "--on-error", "skip", "--trace", "t", "--json", "j", "--threads", threads,
                               "--quiet")
                self.assertTrue(self.read("t").decode() == self.trace_text("good"), "the traces differ")
                told = [line for line in done.err.splitlines() if line.startswith("skipped")]
                self.assertEqual(len(told), 4)
                for place in ("bad:1:1", "bad:101:6", "bad:102:1", "bad:251:8"):
                    self.assertTrue(any(f" {place}: " in line for line in told), (place, told))
                self.assertIn('"skipped": 4', self.read("j").decode())

    def trace_text(self, name):
        self.ok("run", name, "--trace", "expected", "--quiet")
        return self.read("expected").decode()

    def test_all_malformed_examples_are_counted_and_few_are_shown(self):
        self.write("worse", text(["+1 1:1", "-1 2:1"] + ["x"] * 5000))
        done = self.ok("run", "worse", "--on-error", "skip", "--quiet")
        self.assertEqual(len(done.err.splitlines()), 11)
        self.assertIn("skipped 4990 more", done.err)

    def test_predict_can_skip_malformed_examples(self):
        self.ok("run", "good", "--model", "m", "--quiet")
        done = self.ok("predict", "m", "bad", "--on-error", "skip")
        self.assertEqual(len(done.out.splitlines()), 401)  # here a label need not be -1, 0 or +1
        self.assertEqual(len(done.err.splitlines()), 3)

    def test_a_file_with_only_malformed_examples_is_an_error(self):
        self.write("worst", "x\ny\n")
        done = self.askfew("run", "worst", "--on-error", "skip", "--quiet")
        self.assertEqual(done.code, 3)
        self.assertIn("no example", done.err)

    def test_a_damaged_gzip_is_not_skipped(self):
        self.write("cut.gz", gzip.compress(text(self.lines).encode())[:-9])
        done = self.askfew("run", "cut.gz", "--on-error", "skip", "--quiet")
        self.assertEqual(done.code, 3)
        self.assertIn("truncated", done.err)


class Threads(CliTest):
    def test_a_line_longer_than_a_chunk_is_read(self):
        long_line = "+1 " + " ".join(f"{i}:{0.001 * (i % 7 + 1):.3f}" for i in range(1, 150_000))
        self.write("long", text(["-1 1:1", long_line, "+1 2:1", long_line, "-1 3:1"]))
        self.assertTrue(self.trace("long", "--threads", "1") == self.trace("long", "--threads", "3"), "the traces differ")

    def test_threads_change_nothing(self):
        self.write("topics", text(topic_lines(20_000)))
        arguments = ["topics", "--labels", "0-4", "--sampler", "sel-p", "--normalize"]
        self.assertTrue(self.trace(*arguments, "--threads", "1") == self.trace(*arguments, "--threads", "4"),
                        "the traces differ")


class Opens(CliTest):
    """Counts how often a file is opened, with the kernel's events."""

    IN_OPEN = 0x20
    WATCHED = IN_OPEN | 0x1 | 0x10  # also reads and closes: equal events in a row are merged
    EVENT = 16  # bytes of an event without a name

    def opens(self, *arguments):
        libc = ctypes.CDLL(None, use_errno=True)
        watch = libc.inotify_init1(os.O_NONBLOCK)
        self.assertGreaterEqual(watch, 0)
        try:
            self.assertGreaterEqual(libc.inotify_add_watch(watch, self.path("data").encode(), self.WATCHED), 0)
            self.ok(*arguments)
            return self.events(watch)
        finally:
            os.close(watch)

    def events(self, watch):
        try:
            found = os.read(watch, 1 << 16)
        except BlockingIOError:
            return 0
        masks = [struct.unpack_from("iI", found, at)[1] for at in range(0, len(found), self.EVENT)]
        return sum(bool(mask & self.IN_OPEN) for mask in masks)

    def test_every_command_opens_a_small_file_once(self):
        self.write("data", "+1 1:1\n-1 2:1\n" * 50)
        self.assertEqual(self.opens("run", "data", "--quiet"), 1)
        self.assertEqual(self.opens("run", "data", "--quiet", "--model", "m"), 1)
        self.assertEqual(self.opens("predict", "m", "data"), 1)
        self.assertEqual(self.opens("run", "data", "--quiet", "--resume", "m"), 1)
        self.assertEqual(self.opens("convert", "data", "-o", "cache"), 1)
        self.assertEqual(self.opens("bound", "data", "--sampler", "sel-p", "--seeds", "2"), 1)
        self.assertEqual(self.opens("tune", "data", "--grid", "C=1,2", "--rate", "50%", "--quiet"), 1)
        self.assertEqual(self.opens("run", "data", "--quiet", "--budget", "10"), 1)  # the pass that counts is kept in memory
        self.assertEqual(self.opens("run", "data", "--quiet", "--labels", "all"), 1)


if __name__ == "__main__":
    unittest.main()
