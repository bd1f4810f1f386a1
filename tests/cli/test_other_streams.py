"""Digits in IDX files and Debian package lists."""

import gzip
import unittest

import numpy as np

from harness import CliTest, idx_files, rows

STANZAS = [
    ("chess", "universe/games", "game::board, role::program, x::y", ["a funny game", "of kings and queens"]),
    ("zlib", "libs", "role::shared-lib", ["compression library", "deflate"]),
    ("nettest", "contrib/web", "", ["browser"]),
    ("go", "games", "game::board, role::program", ["board stones territory"]),
]


def stanza(name, section, tags, description, end="\n"):
    lines = [f"Package: {name}", "Version: 1.0-1", f"Section: {section}"]
    if tags:
        first, *rest = tags.split(", ")
        lines += [f"Tag: {first}" + ("," if rest else "")] + [f" {tag}" + ("," if tag != rest[-1] else "") for tag in rest]
    lines += ["Description: " + description[0]] + [" " + line for line in description[1:]]
    return "".join(line + end for line in lines) + end


class Digits(CliTest):
    def setUp(self):
        super().setUp()
        self.image_bytes, self.label_bytes, self.pixels, self.digits = idx_files(120, side=5)
        self.write("train-images-idx3-ubyte", self.image_bytes)
        self.write("train-labels-idx1-ubyte", self.label_bytes)
        self.options = ["--sampler", "perc", "--positive", "1,4,7"]
        self.expected = self.trace("train-images-idx3-ubyte", *self.options)

    def test_margins_equal_those_of_the_perceptron_on_pixels_divided_by_255(self):
        w = np.zeros(25)
        for row, x, digit in zip(rows(self.expected), self.pixels / 255.0, self.digits):
            label = 1 if digit in (1, 4, 7) else -1
            self.assertEqual(row.label, label)
            self.assertAlmostEqual(row.margin, w @ x, delta=1e-9)
            if row.prediction != label:
                w += label * x

    def test_normalized_margins_equal_those_of_the_perceptron_on_normalized_pixels(self):
        trace = rows(self.trace("train-images-idx3-ubyte", *self.options, "--normalize"))
        w = np.zeros(25)
        for row, x in zip(trace, self.pixels / np.linalg.norm(self.pixels.astype(float), axis=1, keepdims=True)):
            self.assertAlmostEqual(row.margin, w @ x, delta=1e-9)
            if row.prediction != row.label:
                w += row.label * x

    def test_gzipped_images_and_labels_give_the_same_run(self):
        self.write("t10k-images-idx3-ubyte.gz", gzip.compress(self.image_bytes))
        self.write("t10k-labels-idx1-ubyte.gz", gzip.compress(self.label_bytes))
        self.assertEqual(self.trace("t10k-images-idx3-ubyte.gz", *self.options), self.expected)
        self.write("x-images", gzip.compress(self.image_bytes))
        self.write("x-labels", self.label_bytes)
        self.assertEqual(self.trace("x-images", *self.options), self.expected)

    def test_the_label_file_is_found_by_name_or_given(self):
        self.write("pictures", self.image_bytes)
        self.assertEqual(self.trace("pictures", *self.options, "--idx-labels", "train-labels-idx1-ubyte"), self.expected)
        self.write("train-images.idx3-ubyte", self.image_bytes)
        self.write("train-labels.idx1-ubyte", self.label_bytes)
        self.assertEqual(self.trace("train-images.idx3-ubyte", *self.options), self.expected)

    def test_images_from_standard_input_give_the_same_run(self):
        for content in (self.image_bytes, gzip.compress(self.image_bytes)):
            self.assertEqual(self.trace("-", *self.options, "--idx-labels", "train-labels-idx1-ubyte", stdin=content),
                             self.expected)

    def test_each_chosen_digit_makes_a_task(self):
        for chosen, digits in (("all", sorted(set(self.digits))), ("0-9", range(10)), ("3,8", (3, 8))):
            with self.subTest(chosen):
                trace = rows(self.trace("train-images-idx3-ubyte", "--labels", chosen))
                self.assertEqual([row.label > 0 for row in trace],
                                 [digit == chosen for digit in self.digits for chosen in digits])

    def test_winnow_gets_the_number_of_pixels(self):
        self.ok("run", "train-images-idx3-ubyte", "--sampler", "sel-winnow", "--positive", "1")
        self.ok("run", "-", "--idx-labels", "train-labels-idx1-ubyte", "--sampler", "sel-winnow", "--positive", "1",
                "--dimension", "25", stdin=self.image_bytes)


class Packages(CliTest):
    def setUp(self):
        super().setUp()
        self.list = "".join(stanza(*fields) for fields in STANZAS * 4)
        self.write("list", self.list)
        self.options = ["--sampler", "sel-p", "--labels", "games,libs,web"]
        self.expected = self.trace("list", *self.options)

    def task_labels(self, *arguments, **options):
        report = self.report(*arguments, "--trace", "trace.csv", **options)
        return [entry["task"] for entry in report["tasks"]], [row.label > 0 for row in rows(self.read("trace.csv"))]

    def test_sections_are_labels(self):
        """The component before a section is not part of its name."""
        names, labels = self.task_labels("list", "--labels", "all")
        self.assertEqual(sorted(names), ["games", "libs", "web"])
        sections = [section.split("/")[-1] for _, section, _, _ in STANZAS * 4]
        self.assertEqual(labels, [section == name for section in sections for name in names])

    def test_tags_on_continued_lines_are_labels(self):
        names, labels = self.task_labels("list", "--label-field", "tag")
        self.assertEqual(sorted(names), ["game::board", "role::program", "role::shared-lib", "x::y"])
        tags = [set(tags.split(", ")) for _, _, tags, _ in STANZAS * 4]
        self.assertEqual(labels, [name in given for given in tags for name in names])
        names, labels = self.task_labels("-", "--label-field", "tag", "--positive", "game::board,x::y",
                                         stdin=self.list.encode())
        self.assertEqual(labels, [bool(given & {"game::board", "x::y"}) for given in tags])

    def test_sources_and_spellings_change_nothing(self):
        spelled = "\n\n" + "".join(stanza(*fields, end="\r\n") + " \r\n\r\n" for fields in STANZAS * 4)
        for name, content in (("gzip", gzip.compress(self.list.encode())), ("unfinished", self.list.rstrip("\n")),
                              ("crlf and more empty lines", spelled)):
            with self.subTest(name):
                self.assertEqual(self.trace(self.write("other", content), "--format", "packages", *self.options),
                                 self.expected)
        self.assertEqual(self.trace("-", *self.options, stdin=self.list.encode()), self.expected)

    def test_a_description_can_be_continued_on_the_next_line(self):
        joined = "".join(stanza(name, section, tags, [" ".join(text)]) for name, section, tags, text in STANZAS * 4)
        self.assertEqual(self.trace(self.write("joined", joined), *self.options), self.expected)

    def test_other_fields_are_ignored(self):
        more = self.list.replace("Version:", "Depends: chess,\n kings (>= 2)\nMaintainer: A Game <a@b>\nVersion:")
        self.assertEqual(self.trace(self.write("more", more), *self.options), self.expected)

    def test_words_are_the_features(self):
        """With norm 1 a text has margin 1 with itself, whatever its case, and margin 0 with a text of other words."""
        self.write("texts", stanza("alpha", "games", "", ["beta gamma"]) + stanza("ALPHA", "games", "", ["Beta, (gamma)!"]) +
                   stanza("delta", "libs", "", ["epsilon zeta"]))
        trace = rows(self.trace("texts", "--sampler", "perc", "--positive", "games", "--normalize"))
        for row, expected in zip(trace, (0, 1, 0)):
            self.assertAlmostEqual(row.margin, expected, delta=1e-12)

    def test_few_bits_make_words_collide(self):
        trace = rows(self.trace("list", "--sampler", "perc", "--positive", "games", "--normalize", "--bits", "1"))
        self.assertGreater(abs(trace[1].margin), 0.5)

    def test_an_empty_text_counts_as_an_instance(self):
        self.write("texts", "Package:\nSection: games\n\n" + self.list)
        trace = rows(self.trace("texts", "--format", "packages", "--positive", "games"))
        self.assertEqual((len(trace), trace[0].margin), (4 * len(STANZAS) + 1, 0))


if __name__ == "__main__":
    unittest.main()
