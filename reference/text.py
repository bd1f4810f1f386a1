"""Turns text into features naively: Python's own Unicode tables, a dictionary, counts by name. No hashing, no stemming.

Indices count from 0; the constant, if there is one, is feature 0, and all other indices grow by 1.
"""

import math
import unicodedata

LONGEST_WORD = 255


def words(text, fold=True):
    """The runs of letters, marks and numbers in a text, as bytes. Bytes that are not UTF-8 count as letters."""
    found = [[]]
    for character in text.decode("utf-8", "surrogateescape"):
        if unicodedata.category(character)[0] in "LMN" or 0xDC80 <= ord(character) <= 0xDCFF:
            found[-1].append(character.casefold() if fold else character)
        elif found[-1]:
            found.append([])
    return ["".join(word).encode("utf-8", "surrogateescape") for word in found if word]


def terms(text, fold=True, stop=(), ngrams=(1, 1), char_ngrams=()):
    """The names of a text's features, one for every occurrence, in the order in which a dictionary numbers them."""
    kept = [word for word in words(text, fold) if word not in stop]
    short = [word for word in kept if len(word) <= LONGEST_WORD]
    names = []
    if ngrams:
        for n in range(ngrams[0], ngrams[1] + 1):
            names += [b" ".join(short[k:k + n]) for k in range(len(short) - n + 1)]
    if char_ngrams:
        for word in kept:
            characters = f" {word.decode('utf-8', 'surrogateescape')} "
            for n in range(char_ngrams[0], char_ngrams[1] + 1):
                names += [b"~" + characters[k:k + n].encode("utf-8", "surrogateescape")
                          for k in range(len(characters) - n + 1)]
    return names


def tf(n, weight):
    return {"log": 1 + math.log(n), "count": n, "once": 1}[weight]


def norm(values):
    total = 0.0
    for value in values:
        total += value * value
    return math.sqrt(total)


class Features:
    """The features of a sequence of texts; the features of a text depend on the texts before it."""

    def __init__(self, tf="log", tf_idf=False, bias=0.0, normalize=False, most_words=2**27, **of_terms):
        self.tf, self.tf_idf, self.bias, self.normalize, self.most_words = tf, tf_idf, bias, normalize, most_words
        self.of_terms = of_terms
        self.numbers = {}
        self.documents = 0
        self.frequencies = {}

    def learn(self, text):
        names = terms(text, **self.of_terms)
        for name in names:
            if name not in self.numbers and len(self.numbers) < self.most_words:
                self.numbers[name] = len(self.numbers)
        self.documents += 1
        for name in set(names) & set(self.numbers):
            self.frequencies[name] = self.frequencies.get(name, 0) + 1
        return self.apply(text)

    def apply(self, text):
        """Pairs of index and value in ascending order of the index; changes nothing."""
        names = terms(text, **self.of_terms)
        known = sorted((self.numbers[name], name) for name in set(names) if name in self.numbers)
        indices = [number for number, _ in known]
        values = [tf(names.count(name), self.tf) for _, name in known]
        if self.tf_idf:
            seen = math.log(1 + self.documents)
            values = [value * (1 + (seen - math.log(1 + self.frequencies.get(name, 0))))
                      for value, (_, name) in zip(values, known)]
        if self.normalize and values:
            size = norm(values)
            values = [value / size for value in values]
        if self.bias != 0:
            indices = [0] + [index + 1 for index in indices]
            values = [self.bias] + values
            if self.normalize:
                size = norm(values)
                values = [value / size for value in values]
        return list(zip(indices, values))
