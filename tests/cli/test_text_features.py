"""Features of text, tf-idf and the constant: independent of threads, saved in the model, refused if impossible."""

import os
import random
import unittest

from harness import CliTest, binary_lines, features, idx_files, rows, text

VOCABULARY = [f"{'aeiou'[k % 5]}{k}{'ÉßЖ東'[k % 4] if k % 3 == 0 else ''}" for k in range(2000)]

OPTIONS = [
    [],
    ["--dictionary"],
    ["--dictionary", "--most-words", "500", "--ngrams", "1-2"],
    ["--tf-idf", "--normalize"],
    ["--dictionary", "--tf-idf", "--bias", "0.5", "--normalize", "--stem", "english", "--stop-words", "english"],
    ["--char-ngrams", "3-4", "--ngrams", "none", "--bits", "12", "--no-fold", "--bias", "-2", "--tf", "count"],
]


def stanzas(count, seed=1):
    """Package lists of random texts; a package is a game if it has one of the first words."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        words = [VOCABULARY[int(len(VOCABULARY) ** chance.random()) - 1] for _ in range(chance.choice((0, 5, 20, 80)))]
        section = "games" if set(words) & set(VOCABULARY[:3]) else "libs"
        made.append(f"Package: {chance.choice(VOCABULARY)}\nSection: {section}\nDescription: {' '.join(words)}\n\n")
    return made


class TextFeatures(CliTest):
    sampler = ["--sampler", "sel-p", "--positive", "games", "--quiet"]

    def model(self, data, *arguments):
        self.ok("run", data, *arguments, "--model", "m")
        return self.read("m")

    def test_threads_change_nothing(self):
        self.write("list", "".join(stanzas(6000)))  # several chunks
        self.assertGreater(len(self.read("list")), 1_000_000)
        for options in OPTIONS:
            with self.subTest(options):
                found = set()
                for threads in ("1", "2", "5"):
                    model = self.model("list", *self.sampler, *options, "--threads", threads, "--trace", "t.csv")
                    found.add((model, self.read("t.csv"), self.ok("predict", "m", "list", "--threads", threads).out))
                self.assertEqual(len(found), 1)

    def test_a_resumed_run_gives_the_same_model(self):
        made = stanzas(1500)
        self.write("list", "".join(made))
        for options in OPTIONS:
            expected = self.model("list", *self.sampler, *options)
            for cut in (1, 700, 1499):
                with self.subTest(options, cut=cut):
                    self.write("first", "".join(made[:cut]))
                    self.write("second", "".join(made[cut:]))
                    self.ok("run", "first", *self.sampler, *options, "--model", "half")
                    self.assertEqual(self.model("second", "--resume", "half", "--quiet"), expected)

    def test_a_model_saved_during_a_run_knows_only_the_words_before(self):
        made = stanzas(1500)
        self.write("first", "".join(made[:1300]))
        broken = "".join(made) + "Package: x\nno field\n"
        for options in OPTIONS:
            with self.subTest(options):
                expected = self.model("first", *self.sampler, *options)
                done = self.askfew("run", self.write("broken", broken), *self.sampler, *options, "--save-every", "1300",
                                   "--model", "saved")
                self.assertEqual(done.code, 3, done)
                self.assertEqual(self.read("saved"), expected)

    def test_skipped_examples_leave_no_words(self):
        made = stanzas(300)
        self.write("good", "".join(made))
        spoiled = "".join(s + "Package: neverseen\nnofield\n\n" for s in made)
        options = [*self.sampler, "--dictionary", "--tf-idf"]
        expected = self.model("good", *options)
        self.assertEqual(self.model(self.write("bad", spoiled), *options, "--on-error", "skip"), expected)

    def test_a_dictionary_and_hashes_without_collisions_decide_the_same(self):
        self.write("list", "".join(stanzas(1500)))
        for options in ([], ["--ngrams", "1-2", "--tf-idf"], ["--char-ngrams", "2-3", "--normalize"]):
            with self.subTest(options):
                hashed = rows(self.trace("list", *self.sampler[:-1], *options, "--bits", "27"))
                numbered = rows(self.trace("list", *self.sampler[:-1], *options, "--dictionary"))
                for a, b in zip(hashed, numbered, strict=True):
                    self.assertAlmostEqual(a.margin, b.margin, delta=1e-9 * (1 + abs(b.margin)))
                    self.assertEqual((a.asked, a.prediction, a.updated), (b.asked, b.prediction, b.updated))

    def test_a_dictionary_ignores_unknown_words_in_predictions(self):
        self.write("list", "".join(stanzas(200)))
        self.write("new", "Package: neverseen\nSection: games\nDescription: unheard unseen\n\n")
        self.model("list", *self.sampler, "--dictionary")
        self.assertEqual(self.ok("predict", "m", "new").out, "-1\t0\n")

    def test_words_of_a_stop_file_are_saved_in_the_model(self):
        self.write("stop", "Alpha,\nbeta")
        for name, words in (("a", "alpha gamma BETA"), ("b", "gamma")):
            self.write(name, f"Package:\nSection: games\nDescription: {words}\n\n")
        self.model("a", *self.sampler, "--stop-words", "stop")
        os.remove(self.path("stop"))
        self.assertEqual(self.ok("predict", "m", "a").out, self.ok("predict", "m", "b").out)
        self.assertIn("stop-words                               2 words\n", self.ok("inspect", "m").out)


class Bias(CliTest):
    def test_the_bias_is_a_constant_first_feature(self):
        lines = binary_lines(300)
        self.write("plain", text(lines))
        shifted = []
        for line in lines:
            label, *pairs = line.split()
            pairs = [f"{int(i) + 1}:{v}" for i, v in (pair.split(":") for pair in pairs)]
            shifted.append(" ".join([label, "1:0.5", *pairs]))
        self.write("shifted", text(shifted))
        for sampler in ("sel-p", "sel-2nd", "pa-log"):
            with self.subTest(sampler):
                self.assertEqual(self.trace("plain", "--sampler", sampler, "--bias", "0.5"),
                                 self.trace("shifted", "--sampler", sampler))
                self.assertEqual(self.trace("plain", "--sampler", sampler, "--bias", "0.5", "--dimension", "30"),
                                 self.trace("shifted", "--sampler", sampler, "--dimension", "31"))

    def test_the_bias_is_a_constant_first_feature_of_dense_instances(self):
        images, labels, pixels, digits = idx_files()
        self.write("x-images-idx3-ubyte", images)
        self.write("x-labels-idx1-ubyte", labels)
        self.write("same", text(f"{'+1' if digit == 1 else '-1'} 1:2 " + features([0, *(row / 255)])
                                for digit, row in zip(digits, pixels)))
        numbers = rows(self.trace("same", "--sampler", "sel-p"))
        dense = rows(self.trace("x-images-idx3-ubyte", "--sampler", "sel-p", "--positive", "1", "--bias", "2"))
        for a, b in zip(dense, numbers, strict=True):
            self.assertAlmostEqual(a.margin, b.margin, delta=1e-9)

    def test_the_bias_counts_in_the_dimension(self):
        self.write("plain", text(binary_lines(100)))
        for arguments in ([], ["--dimension", "30"], ["--dimension", "40"]):
            self.ok("run", "plain", "--sampler", "sel-winnow", "--bias", "1", *arguments, "--model", "m")
            self.ok("predict", "m", "plain")
        self.write("wide", "+1 41:1\n")
        self.refused(3, "predict", "m", "wide", "-o", "p", outputs=False, place="wide:1:4", says="41")
        self.write("empty", "+1\n-1\n")
        self.ok("run", "empty", "--sampler", "sel-winnow", "--bias", "1", "--model", "m")

    def test_normalized_instances_with_a_bias_have_norm_1(self):
        self.write("plain", text(binary_lines(100) + ["+1"]))
        self.ok("run", "plain", "--sampler", "dkm2", "--bias", "3", "--normalize")


class Refusals(CliTest):
    def setUp(self):
        super().setUp()
        self.write("list", "".join(stanzas(20)))

    def test_bad_stop_files_are_refused(self):
        for name, content, says in (("bytes", b"\xff\xfe", "not UTF-8"), ("none-in-it", b"... \n", "no word"),
                                    ("large", b"word " * 300_000, "more than 1000000 bytes")):
            with self.subTest(name):
                self.write(name, content)
                self.refused(2, "run", "list", "--stop-words", name, says=["--stop-words", name, says])
        self.refused(2, "run", "list", "--stop-words", "nowhere", says=["nowhere"])

    def test_bad_values_are_refused(self):
        for arguments, says in ((["--stem", "klingon"], ["--stem", "klingon", "english", "german", "turkish"]),
                                (["--ngrams", "0"], ["--ngrams", "1 to 8"]),
                                (["--char-ngrams", "3-9"], ["--char-ngrams", "3-9", "1 to 8"]),
                                (["--ngrams", "2-1"], ["--ngrams", "2-1"]),
                                (["--ngrams", "none"], ["ngrams", "char-ngrams"]),
                                (["--tf", "idf"], ["--tf", "log, count or once"]),
                                (["--bias", "x"], ["--bias", "'x'", "number"]),
                                (["--bias", "inf"], ["--bias", "number"]),
                                (["--dictionary", "--bits", "9"], ["--bits", "--dictionary"]),
                                (["--most-words", "9"], ["--most-words", "--dictionary"]),
                                (["--dictionary", "--most-words", "0"], ["--most-words", "1 to 134217728"]),
                                (["--dictionary", "--dimension", "9"], ["--dimension", "--most-words"]),
                                (["--dictionary", "--sampler", "sel-winnow"], ["--most-words"])):
            with self.subTest(arguments):
                self.refused(2, "run", "list", "--positive", "games", *arguments, says=says)

    def test_a_limited_dictionary_has_a_dimension(self):
        self.ok("run", "list", "--positive", "games", "--dictionary", "--most-words", "50", "--sampler", "sel-winnow",
                "--model", "m")
        self.ok("predict", "m", "list")

    def test_a_dictionary_beyond_the_memory_limit_is_refused_unless_its_words_are_limited(self):
        descriptions = (" ".join(f"w{k}" for k in range(first, first + 500)) for first in range(0, 50_000, 500))
        self.write("many", "".join(f"Package:\nSection: games\nDescription: {words}\n\n" for words in descriptions))
        options = ["--positive", "games", "--dictionary", "--max-memory", "100kB"]
        self.refused(3, "run", "many", *options, says=["the dictionary"])
        self.ok("run", "many", *options, "--most-words", "1000")


if __name__ == "__main__":
    unittest.main()
