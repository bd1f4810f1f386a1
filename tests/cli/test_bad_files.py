"""Files that cannot be read or are damaged: empty, missing, truncated, of another format."""

import gzip
import os
import unittest

from harness import CliTest, binary_lines, idx_files, text

PACKAGES = "Package: chess\nSection: games\nDescription: a game\n of chess\n\nPackage: zlib\nSection: libs\n\n"


class EmptyOrMissing(CliTest):
    def test_a_file_without_examples_is_refused(self):
        for content in ("", "\n\n", "# only\n  # comments\n\n", "\r\n", gzip.compress(b""), gzip.compress(b"# c\n")):
            for sampler in ("perc", "sel-winnow"):
                with self.subTest(content=content, sampler=sampler):
                    self.write("empty.svm", content)
                    self.refused(3, "run", "empty.svm", "--sampler", sampler, place=r"empty\.svm", says="no example")

    def test_every_command_refuses_data_without_examples(self):
        self.write("empty.svm", "# nothing\n")
        self.refused(3, "run", "empty.svm", "--labels", "all", place=r"empty\.svm", says="no example")
        self.refused(3, "run", "-", place="<stdin>", says="no example")
        self.write("good.svm", "+1 1:1\n")
        self.ok("run", "good.svm", "--model", "m")
        self.refused(3, "predict", "m", "empty.svm", "-o", "new", outputs=False, place=r"empty\.svm", says="no example")
        self.refused(3, "run", "empty.svm", "--resume", "m", place=r"empty\.svm", says="no example")

    def test_a_file_of_another_program_is_refused_with_what_to_do(self):
        table = "text,label\ncheap watches,spam\nminutes,ham\n"
        for content, says in ((table.encode("utf-16"), "iconv -f UTF-16 -t UTF-8"),
                              (table.encode("utf-16-be"), "iconv -f UTF-16BE -t UTF-8"),
                              (b"\xfe\xff" + table.encode("utf-16-be"), "iconv"), (b"PK\3\4" + bytes(100), "save them as CSV"),
                              (b"PAR1" + bytes(100), "parquet"), (b"BZh91AY", "unpack it first")):
            with self.subTest(content[:4]):
                self.write("table.csv", content)
                self.refused(3, "run", "table.csv", "--positive", "spam", "--budget", "5", place=r"table\.csv", says=says)

    def test_a_path_that_cannot_be_opened_is_refused(self):
        os.mkdir(self.path("dir"))
        self.write("good.svm", "+1 1:1\n")
        for path, says in (("missing.svm", "No such file"), ("dir", "folder"), ("missing/a.svm", "No such file"),
                           ("good.svm/below", "cannot open")):
            with self.subTest(path):
                self.refused(2, "run", path, place=path, says=says)

    def test_a_model_that_cannot_be_opened_is_refused(self):
        os.mkdir(self.path("dir"))
        self.write("good.svm", "+1 1:1\n")
        for path, says in (("missing", "No such file"), ("dir", "folder")):
            with self.subTest(path):
                self.refused(2, "run", "good.svm", "--resume", path, place=path, says=says)
                self.refused(2, "predict", path, "good.svm", outputs=False, place=path, says=says)
                self.refused(2, "inspect", path, outputs=False, place=path, says=says)


class DamagedGzip(CliTest):
    def setUp(self):
        super().setUp()
        self.packed = gzip.compress(text(binary_lines()).encode())

    def test_a_truncated_file_is_refused(self):
        for length in (2, 5, 10, 11, 50, len(self.packed) // 2, len(self.packed) - 9, len(self.packed) - 8,
                       len(self.packed) - 1):
            with self.subTest(length):
                self.write("cut.svm.gz", self.packed[:length])
                self.refused(3, "run", "cut.svm.gz", place=r"cut\.svm\.gz:\d+:\d+", says=["truncated", "gzip"])

    def test_a_corrupted_file_is_refused(self):
        """Damaged data may also decompress to malformed text; then the message is about the text."""
        for at, says in ((len(self.packed) // 3, ""), (len(self.packed) - 6, "gzip"), (len(self.packed) - 2, "gzip")):
            with self.subTest(at):
                damaged = bytearray(self.packed)
                damaged[at] ^= 0x55
                self.write("bad.svm.gz", bytes(damaged))
                self.refused(3, "run", "bad.svm.gz", place=r"bad\.svm\.gz:\d+:\d+", says=says)

    def test_the_place_of_a_truncation_is_after_the_last_whole_line(self):
        """Everything that can be decompressed is read; the place is the first line that cannot be read."""
        self.write("cut.svm.gz", gzip.compress(b"+1 1:1\n-1 1:2\n")[:-1])
        self.refused(3, "run", "cut.svm.gz", place=r"cut\.svm\.gz:3:1", says="truncated")

    def test_damage_is_refused_from_standard_input_and_by_predict(self):
        self.write("good.svm", "+1 1:1\n")
        self.ok("run", "good.svm", "--model", "m")
        self.refused(3, "run", "-", stdin=self.packed[:-3], place=r"<stdin>:\d+:\d+", says="truncated")
        self.write("cut.gz", self.packed[:-3])
        self.refused(3, "predict", "m", "cut.gz", "-o", "new", outputs=False, place=r"cut\.gz:\d+:\d+", says="truncated")


class BadDigits(CliTest):
    IMAGES, LABELS = "digits-images-idx3-ubyte", "digits-labels-idx1-ubyte"

    def setUp(self):
        super().setUp()
        self.images, self.labels, _, _ = idx_files()

    def bad(self, images, labels, code=3, place=IMAGES, says=(), *arguments):
        for name, content in ((self.IMAGES, images), (self.LABELS, labels)):
            if content is not None:
                self.write(name, content)
        return self.refused(code, "run", self.IMAGES, "--positive", "1,4,7", *arguments, place=place, says=says)

    def test_truncated_images_are_refused(self):
        for length in (4, 9, 15, 16, 17, 16 + 16 * 30, len(self.images) - 1):
            with self.subTest(length):
                self.bad(self.images[:length], self.labels, says="ends too early")

    def test_truncated_labels_are_refused(self):
        for length in (4, 7, 8, 9, len(self.labels) - 1):
            with self.subTest(length):
                self.bad(self.images, self.labels[:length], place=self.LABELS, says="ends too early")

    def test_a_truncated_gzip_is_refused(self):
        self.bad(gzip.compress(self.images)[:-20], self.labels, says=["truncated", "gzip"])
        self.bad(self.images, gzip.compress(self.labels)[:-9], place=self.LABELS, says=["truncated", "gzip"])

    def test_another_number_of_labels_than_images_is_refused(self):
        labels = self.labels[:4] + (61).to_bytes(4, "big") + self.labels[8:] + b"\x05"
        self.bad(self.images, labels, place=self.LABELS, says=["61 labels", "60 images"])

    def test_a_missing_label_file_is_refused(self):
        self.bad(self.images, None, 2, self.LABELS, "No such file")
        self.bad(self.images, self.labels, 2, "nowhere", "No such file", "--idx-labels", "nowhere")

    def test_an_image_file_whose_name_gives_no_label_file_is_refused(self):
        self.write("digits", self.images)
        self.refused(2, "run", "digits", "--positive", "1", place="digits", says="--idx-labels")
        self.refused(2, "run", "-", "--positive", "1", stdin=self.images, place="<stdin>", says="--idx-labels")

    def test_files_that_are_not_images_or_labels_are_refused(self):
        self.bad(self.images, self.images, place=self.LABELS, says="not an IDX file of labels")
        self.write("good.svm", "+1 1:1\n")
        self.refused(3, "run", "good.svm", "--format", "idx", "--idx-labels", self.LABELS, "--positive", "1",
                     place=r"good\.svm", says="not an IDX file of images")

    def test_images_without_pixels_or_with_too_many_are_refused(self):
        for rows, columns in ((0, 4), (4, 0), (2**31, 2**31)):
            with self.subTest(rows=rows, columns=columns):
                sizes = rows.to_bytes(4, "big") + columns.to_bytes(4, "big")
                self.bad(self.images[:8] + sizes + self.images[16:], self.labels, says="pixels")

    def test_a_file_without_images_is_refused(self):
        self.bad(self.images[:4] + bytes(4) + self.images[8:16], self.labels[:4] + bytes(4), says="no example")

    def test_tasks_must_be_named(self):
        self.write(self.IMAGES, self.images)
        self.write(self.LABELS, self.labels)
        self.refused(2, "run", self.IMAGES, says=["--positive", "--labels"])
        self.refused(2, "run", self.IMAGES, "--positive", "1,x", says=["'x'", "0 to 255"])
        self.refused(2, "run", self.IMAGES, "--labels", "0-256", says=["'256'", "0 to 255"])

    def test_pixels_beyond_the_dimension_are_refused(self):
        self.write(self.IMAGES, self.images)
        self.write(self.LABELS, self.labels)
        before = self.files()
        done = self.askfew("run", self.IMAGES, "--positive", "1", "--dimension", "15", "--model", "m", "--quiet")
        self.assertIn(done.code, (2, 3), done)
        self.complaint(done, done.code)
        self.unchanged(before)


class BadPackages(CliTest):
    def test_malformed_stanzas_are_refused(self):
        good = PACKAGES.count("\n")
        for extra, place, says in (("no colon here\n", rf":{good + 1}:1", "Field: value"),
                                   (" continues nothing\n", rf":{good + 1}:1", "continued"),
                                   ("Package: a\nno colon\n", rf":{good + 2}:1", "Field: value"),
                                   (": nameless\n", rf":{good + 1}:1", "Field: value")):
            with self.subTest(extra):
                self.write("list", PACKAGES + extra)
                self.refused(3, "run", "list", "--positive", "games", place="list" + place, says=says)

    def test_a_truncated_gzip_is_refused(self):
        self.write("list.gz", gzip.compress(PACKAGES.encode() * 50)[:-4])
        self.refused(3, "run", "list.gz", "--positive", "games", place=r"list\.gz:\d+:\d+", says="truncated")

    def test_tasks_must_be_named(self):
        self.write("list", PACKAGES)
        self.refused(2, "run", "list", says=["--positive", "--labels"])

    def test_labels_that_are_not_utf8_are_refused_or_work_everywhere(self):
        """Names are written to JSON and models, which are UTF-8: such a label is refused, or works everywhere."""
        self.write("list", PACKAGES.encode() + b"Package: a\nSection: j\xe4ger\nDescription: b\n\n")
        arguments = "run", "list", "--labels", "all", "--json", "j", "--model", "m", "--quiet"
        if self.askfew(*arguments).code == 0:
            self.ok("run", "list", "--resume", "m")
        else:
            self.refused(3, *arguments, outputs=False, place=r"list:\d+:\d+", says="UTF-8")


if __name__ == "__main__":
    unittest.main()
