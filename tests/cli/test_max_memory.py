"""--max-memory: usual spellings of sizes, the same results within the limit, and one clear line beyond it."""

import unittest

from harness import CliTest, binary_lines, catalog, text, topic_lines

SIZES = ["1", "4096", "4096B", "500MB", "500mb", "2GB", "2G", "2 GB", "1GiB", "1.5GiB", "100k", "100KiB", "8TB", "010"]
NO_SIZES = ["", "0", "0.5", "-1", "-5MB", "much", "GB", "5XB", "5MBs", "5 M B", "1e9", "1,5GB", "nan", "inf", "infGB",
            "9999999TB", "99999999999999999999", "0x10", "5%"]

WIDE = "+1 " + " ".join(f"{i}:1" for i in range(1, 1001)) + "\n"


def has_second_order():
    return any(learner["name"] == "second-order" for learner in catalog()["learners"])


class Sizes(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(300)))

    def test_every_spelling_of_a_size_is_accepted_and_changes_no_result(self):
        """A learner that stores only weights is not limited."""
        expected = self.trace("data", "--sampler", "sel-p")
        for size in SIZES:
            with self.subTest(size):
                self.assertEqual(self.trace("data", "--sampler", "sel-p", "--max-memory", size), expected)

    def test_texts_that_are_not_sizes_are_refused(self):
        for size in NO_SIZES:
            with self.subTest(size):
                self.refused(2, "run", "data", "--max-memory", size, says=["--max-memory", f"'{size}'", "500MB"])

    def test_the_limit_is_not_part_of_the_model(self):
        self.ok("run", "data", "--quiet", "--model", "a")
        self.ok("run", "data", "--quiet", "--model", "b", "--max-memory", "3GB")
        self.assertEqual(self.read("a"), self.read("b"))
        self.ok("run", "data", "--quiet", "--resume", "a", "--max-memory", "1MB")

    def test_the_help_has_the_default(self):
        shown = " ".join(self.ok("run", "--help-all").out.split())
        self.assertIn("three quarters of the machine's", shown)


@unittest.skipUnless(has_second_order(), "no learner with a matrix in the catalog")
class Exhausted(CliTest):
    PAIR = ["--learner", "second-order", "--rule", "margin", "--update", "asked"]

    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(300)))
        self.write("topics", text(topic_lines(300)))

    def test_exhausted_memory_is_one_line_and_leaves_no_files(self):
        for data, more in (("data", []), ("data", ["--dimension", "30"]), ("topics", ["--threads", "1"]),
                           ("topics", ["--threads", "3"]), ("topics", ["--baseline"])):
            with self.subTest(data=data, more=more):
                self.refused(3, "run", data, *self.PAIR, *more, "--max-memory", "100B",
                             says=["--max-memory", "limit of 100 bytes"])

    def test_the_message_has_round_and_task(self):
        """The first lines fit; a line with many features does not."""
        lines = text(binary_lines(100)) + WIDE * 50
        self.refused(3, "run", "-", *self.PAIR, "--max-memory", "1MB", stdin=lines.encode(),
                     says=["round 1", ", task 0: ", "--max-memory"])

    def test_the_last_saved_model_remains(self):
        lines = text(binary_lines(600)) + WIDE * 50
        done = self.askfew("run", "-", *self.PAIR, "--max-memory", "1MB", "--quiet", "--model", "m", "--save-every",
                           "500", stdin=lines.encode())
        self.assertTrue(self.complaint(done, 3).endswith("; the model of round 500 is in m"))
        self.ok("inspect", "m")

    def test_a_model_that_is_too_large_to_resume_is_refused(self):
        self.ok("run", "data", *self.PAIR, "--quiet", "--model", "m")
        self.refused(3, "run", "data", "--resume", "m", "--max-memory", "100B", place="m", says="--max-memory")
        self.ok("predict", "m", "data")


if __name__ == "__main__":
    unittest.main()
