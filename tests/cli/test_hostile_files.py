"""Hostile files: no reader takes more memory than --max-memory plus 64 MB, none crashes, and a refusal is one line.
bench/reading_time.py measures how the time grows."""

import gzip
import json
import os
import struct
import subprocess
import sys
import unittest

import hostile
from harness import ASKFEW, CliTest

SIZE = 8 << 20  # long enough for any reader without limits
LIMIT = 20_000_000
BESIDE = 64 << 20
PATIENCE = 120  # seconds; most take less than one

# The memory of the process before it becomes the program counts, too: this process has little.
MEASURE = """
import os, sys
with open(os.devnull, "wb") as nothing:
    pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)])
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""


class HostileFiles(CliTest):
    def measured(self, *arguments, stdin=None):
        """Exit code, the largest memory in bytes, and the output."""
        done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, ASKFEW, *arguments], cwd=self.folder,
                              stdin=stdin, capture_output=True, timeout=PATIENCE, check=True)
        code, memory = map(int, done.stdout.split())
        return code, memory, done.stderr.decode()

    def stays_within(self, *arguments, limit=LIMIT, stdin=None):
        code, memory, said = self.measured(*arguments, "--max-memory", str(limit), stdin=stdin)
        self.assertIn(code, (0, 3), said)
        self.assertLess(memory, limit + BESIDE, f"{memory / 2**20:.0f} MiB")
        if code == 3:
            self.assertRegex(said, r"\Aaskfew: [^\n]+\n\Z")
        return code, said

    def convert(self, name, form, *more, **options):
        return self.stays_within("convert", name, "--format", form, "--on-error", "skip", "-o", "/dev/null", *more, **options)

    def test_every_reader_stays_within_a_small_limit(self):
        for form, files in hostile.FILES.items():
            for make in files:
                self.write("data-images", make(SIZE))
                if form == "idx":
                    self.write("data-labels", hostile.idx_labels(SIZE))
                for threads in ("1", "2"):
                    with self.subTest(make.__name__, threads=threads):
                        self.convert("data-images", form, "--threads", threads)

    def test_every_reader_stays_within_a_larger_limit(self):
        """Most of these files are read to their end."""
        read = 0
        for form, files in hostile.FILES.items():
            for make in files:
                if make in (hostile.csv_many_columns, hostile.arff_many_attributes, hostile.arff_many_values):
                    continue  # these need a kB for a few bytes
                self.write("data-images", make(2 << 20))
                if form == "idx":
                    self.write("data-labels", hostile.idx_labels(2 << 20))
                with self.subTest(make.__name__):
                    code, said = self.convert("data-images", form, limit=400_000_000)
                    self.assertEqual(code, 0, said)
                    read += 1
        self.assertGreater(read, 30)

    def test_compressed_files_stay_within_the_limit(self):
        for make in hostile.PACKED:
            with self.subTest(make.__name__):
                self.write("data.gz", make(1 << 20))
                self.assertEqual(self.convert("data.gz", "svmlight")[0], 0)

    def test_a_compressed_file_without_a_line_end_is_refused_early(self):
        """6 MB of such a file would decompress to 6 GB."""
        self.write("bomb", hostile.gzip_without_a_line(1 << 20))
        for form in hostile.FILES:
            if form == "idx":
                continue
            with self.subTest(form):
                code, said = self.convert("bomb", form)
                self.assertEqual(code, 3)
        code, said = self.stays_within("run", "bomb", "--quiet", limit=1_000_000_000)
        self.assertEqual((code, said), (3, "askfew: bomb:1:1: more than 16777216 bytes without an end, the most that a line "
                                           "may have: see --max-line\n"))

    def test_the_limit_of_a_line_can_be_given(self):
        self.write("data", "+1 1:1\n-1 1:2 2:1 3:1\n")
        self.ok("run", "data", "--quiet", "--max-line", "15")
        self.refused(3, "run", "data", "--max-line", "14", place="data:2:1", says="more than 14 bytes without an end")
        self.ok("run", "data", "--quiet", "--max-line", "1GiB")

    def test_a_pipe_without_a_line_end_is_refused_at_the_limit(self):
        for form, beginning in (("svmlight", b"+1 "), ("csv", b"a,y\n"), ("jsonl", b'{"text": "')):
            with self.subTest(form):
                writer = subprocess.Popen([sys.executable, "-c", f"import sys\nsys.stdout.buffer.write({beginning!r})\n"
                                           "while True: sys.stdout.buffer.write(b'1' * 65536)"],
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                try:
                    code, _ = self.convert("-", form, stdin=writer.stdout)
                    self.assertEqual(code, 3)
                finally:
                    writer.stdout.close()
                    writer.kill()
                    writer.wait()

    def test_names_of_labels_are_charged_to_the_limit(self):
        name = "n" * 1000
        self.write("data.jsonl", "".join(json.dumps({"text": "a", "label": f"{name}{k}"}) + "\n" for k in range(60_000)))
        code, said = self.stays_within("run", "data.jsonl", "--multiclass", "--labels", f"{name}1,{name}2", "--quiet",
                                       "--on-error", "skip")
        self.assertEqual(code, 3)
        self.assertIn("names of labels", said)

    def test_labels_found_in_a_first_pass_are_charged_to_the_limit(self):
        self.write("data.svm", "".join(f"{k},{k + 1} 1:1\n" for k in range(1, 1_000_000, 2)))
        code, said = self.stays_within("run", "data.svm", "--labels", "all", "--quiet")
        self.assertEqual(code, 3)
        self.assertIn("--max-memory", said)

    def test_labels_of_images_are_charged_to_the_limit(self):
        count = 200_000_000
        self.write("images", struct.pack(">IIII", 0x803, count, 1, 1))
        with gzip.open(self.path("labels"), "wb", 1) as file:
            file.write(struct.pack(">II", 0x801, count))
            for _ in range(count // 10_000_000):
                file.write(bytes(10_000_000))
        self.assertIn("the labels", self.convert("images", "idx")[1])

    def test_examples_that_are_sorted_by_time_are_charged_to_the_limit(self):
        self.write("data.jsonl", "".join(json.dumps({"x": [k] * 50, "time": k, "label": 1}) + "\n" for k in range(100_000)))
        code, said = self.stays_within("run", "data.jsonl", "--order", "time", "--quiet")
        self.assertEqual(code, 3)
        self.assertIn("put in order", said)

    @unittest.skipUnless(any(os.access(os.path.join(folder, "zstd"), os.X_OK) for folder in os.get_exec_path()), "no zstd")
    def test_the_window_of_zstd_is_charged_to_the_limit(self):
        lines = b"".join(b"+1 1:%d\n" % k for k in range(3_000_000))
        packed = subprocess.run(["zstd", "-q", "-c", "--long=27"], input=lines, capture_output=True, check=True).stdout
        self.write("data.zst", packed)
        code, said = self.convert("data.zst", "svmlight")
        self.assertEqual(code, 3)
        self.assertIn("window", said)
        self.assertEqual(self.convert("data.zst", "svmlight", limit=2_000_000_000)[0], 0)

    def test_many_malformed_lines_are_counted_and_not_kept(self):
        self.write("data.svm", "x\n+1 1:1\n" * 1_000_000)
        code, said = self.convert("data.svm", "svmlight")
        self.assertEqual(code, 0)
        self.assertIn("skipped 999990 more", said)


if __name__ == "__main__":
    unittest.main()
