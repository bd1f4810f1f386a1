"""The system refuses memory or a thread: one clear line, exit 3, and no files are left."""

import resource
import os
import unittest

from harness import CliTest, binary_lines, text, topic_lines

MB = 1 << 20


def within(size):
    """Options of a program with a limit on its address space, in bytes."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))}


class OutOfMemory(CliTest):
    OUTPUTS = ["--quiet", "--model", "m", "--json", "j", "--trace", "t"]

    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(2000)))
        self.write("topics", text(topic_lines(500)))

    def test_a_thread_that_cannot_start_is_reported(self):
        before = self.files()
        for arguments in (["run", "data", *self.OUTPUTS], ["run", "topics", "--labels", "0-4", *self.OUTPUTS],
                          ["compare", "data", "--samplers", "sel-p", "--rates", "10%", "--json", "j"],
                          ["convert", "data", "--to", "cache", "-o", "c"]):
            with self.subTest(arguments):
                line = self.complaint(self.askfew(*arguments, "--threads", "1000", **within(1500 * MB)), 3)
                self.assertRegex(line, "cannot start thread [0-9]+ of [0-9]+: .*; use fewer threads|out of memory")
                self.unchanged(before)

    def least(self):
        """The least memory in which the program can print its version."""
        size = 8 * MB
        while self.askfew("--version", **within(size)).code != 0:
            size += MB
        return size

    def test_too_little_memory_anywhere_ends_with_one_line_and_no_files(self):
        before = self.files()
        least = self.least()
        ended = {0: 0, 3: 0}
        for threads in ("1", "3"):
            for size in range(least, least + 400 * MB, 5 * MB):
                with self.subTest(threads=threads, size=size // MB):
                    done = self.askfew("run", "data", "--sampler", "sop", "--dimension", "3000", "--threads", threads,
                                       *self.OUTPUTS, **within(size))
                    self.assertIn(done.code, ended, done)
                    ended[done.code] += 1
                    if done.code == 0:
                        for name in set(self.files()) - set(before):
                            os.remove(self.path(name))
                        break
                    self.assertRegex(self.complaint(done, 3), "out of memory|cannot start thread")
                    self.unchanged(before)
        self.assertGreater(ended[3], 3)
        self.assertEqual(ended[0], 2)


if __name__ == "__main__":
    unittest.main()
