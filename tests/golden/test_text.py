"""Golden tests of features: text read by askfew, and the reference's features of the same text as svmlight, give the same
traces, models and predictions, to the bit.

    ASKFEW=build/release/apps/cli/askfew python3 tests/golden/test_text.py
"""

import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [ROOT]

from reference.text import Features, words  # noqa: E402

ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))

SCRIPTS = """the The of game Games strategy STRATEGY real time 3d 1990s straße STRASSE Été été
             E\u0301te\u0301 Привет МИР ΣΊΣΥΦΟΣ 東京 हिन्दी İstanbul ﬃ ½ Ⅷ x² don't a_b 𐐀𐐨 naïve ŉ"""
WORDS = [word.encode() for word in SCRIPTS.split()] + [b"caf\xe9", b"\xff", b"\xe6\x9d", b"z" * 300, b"y" * 255]
BETWEEN = [between.encode() for between in (" ", " ", " ", ", ", "-", "\u2014", "\u00a0", "😀", "\t", "、", "")]


def texts(seed, count):
    """Texts of words with Zipf's frequencies in several scripts, some of them empty."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        pieces = []
        for _ in range(chance.choice((0, 1, 3, 10, 40))):
            rank = int(len(WORDS) ** chance.random()) - 1
            pieces += [WORDS[rank], chance.choice(BETWEEN)]
        made.append(b"".join(pieces))
    return made


def label_of(text):
    return 1 if b"game" in text.lower() else -1


# Options of the command line, and of the reference.
CASES = [
    (["--dictionary"], {}),
    (["--dictionary", "--no-fold"], {"fold": False}),
    (["--dictionary", "--stop-words", "stop"], {"stop": {b"the", b"of", b"strasse"}}),
    (["--dictionary", "--ngrams", "1-3"], {"ngrams": (1, 3)}),
    (["--dictionary", "--ngrams", "2", "--tf", "count"], {"ngrams": (2, 2), "tf": "count"}),
    (["--dictionary", "--ngrams", "none", "--char-ngrams", "1-4"], {"ngrams": (), "char_ngrams": (1, 4)}),
    (["--dictionary", "--char-ngrams", "3", "--tf", "once"], {"char_ngrams": (3, 3), "tf": "once"}),
    (["--dictionary", "--most-words", "12"], {"most_words": 12}),
    (["--dictionary", "--normalize"], {"normalize": True}),
    (["--dictionary", "--bias", "0.5"], {"bias": 0.5}),
    (["--dictionary", "--bias=-2", "--normalize"], {"bias": -2.0, "normalize": True}),
    (["--dictionary", "--tf-idf"], {"tf_idf": True}),
    (["--dictionary", "--tf-idf", "--normalize", "--bias", "1", "--most-words", "20", "--ngrams", "1-2"],
     {"tf_idf": True, "normalize": True, "bias": 1.0, "most_words": 20, "ngrams": (1, 2)}),
]


class Golden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def askfew(self, *arguments):
        done = subprocess.run([ASKFEW, *arguments], cwd=self.folder, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return done.stdout

    def packages(self, name, all_texts):
        """A package list with these texts; its labels are sections."""
        return self.write(name, b"".join(b"Package:\nSection: %s\nDescription:%s\n\n" %
                                         (b"yes" if label_of(text) == 1 else b"no", text) for text in all_texts))

    def svmlight(self, name, all_texts, rows):
        lines = [" ".join([f"{label_of(text):+d}", *(f"{i + 1}:{v!r}" for i, v in row)])
                 for text, row in zip(all_texts, rows)]
        return self.write(name, ("\n".join(lines) + "\n").encode())

    def test_text_gives_the_same_run_as_the_features_of_the_reference(self):
        seen, later = texts(1, 700), texts(2, 200)
        self.write("stop", "The\nOF, Straße".encode())
        self.packages("seen", seen)
        self.packages("later", later)
        for options, of_reference in CASES:
            with self.subTest(options):
                features = Features(**of_reference)
                self.svmlight("seen.svm", seen, [features.learn(text) for text in seen])
                self.svmlight("later.svm", later, [features.apply(text) for text in later])
                sampler = ["--sampler", "sel-p", "--quiet"]
                self.askfew("run", "seen", *options, *sampler, "--positive", "yes", "--trace", "text.csv",
                            "--model", "text.m")
                self.askfew("run", "seen.svm", *sampler, "--trace", "numbers.csv", "--model", "numbers.m")
                self.assertEqual(self.read("text.csv"), self.read("numbers.csv"))
                self.assertEqual(self.askfew("predict", "text.m", "later"),
                                 self.askfew("predict", "numbers.m", "later.svm"))

    def test_tf_idf_and_bias_of_svmlight_agree_with_the_reference(self):
        # Counts of words as svmlight: askfew and the reference give them the same weights.
        seen = texts(3, 400)
        options = ["--tf-idf", "--normalize", "--bias", "0.25"]
        counts, weighed = Features(tf="count"), Features(tf="count", tf_idf=True, normalize=True, bias=0.25)
        self.svmlight("counts", seen, [counts.learn(text) for text in seen])
        self.svmlight("weighed", seen, [weighed.learn(text) for text in seen])
        self.askfew("run", "counts", *options, "--sampler", "sel-p", "--quiet", "--trace", "a.csv")
        self.askfew("run", "weighed", "--sampler", "sel-p", "--quiet", "--trace", "b.csv")
        self.assertEqual(self.read("a.csv"), self.read("b.csv"))

    def test_the_dictionary_in_a_model_equals_the_dictionary_of_the_reference(self):
        seen = texts(4, 300)
        features = Features(ngrams=(1, 2))
        for text in seen:
            features.learn(text)
        self.packages("seen", seen)
        self.askfew("run", "seen", "--positive", "yes", "--dictionary", "--ngrams", "1-2", "--quiet", "--model", "m")
        self.assertIn(b"".join(features.numbers), self.read("m"))
        self.assertRegex(self.askfew("inspect", "m").decode(), rf"words in the dictionary +{len(features.numbers)}\n")


class Reference(unittest.TestCase):
    def test_the_words_of_the_reference_equal_a_case_computed_by_hand(self):
        self.assertEqual(words("Straße, «ÉTÉ» x² a😀b".encode() + b" caf\xe9"),
                         ["strasse".encode(), "été".encode(), "x²".encode(), b"a", b"b", b"caf\xe9"])
        self.assertEqual(words(b" ... "), [])

    def test_the_weights_of_the_reference_equal_a_case_computed_by_hand(self):
        features = Features(tf_idf=True)
        features.learn(b"a b")
        first, second = features.learn(b"a c")[0:2]
        self.assertEqual(first, (0, 1.0))  # in both documents
        self.assertAlmostEqual(second[1], 1 + 0.4054651081081644)  # ln(3 / 2)


if __name__ == "__main__":
    unittest.main()
