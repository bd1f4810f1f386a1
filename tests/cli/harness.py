"""Helpers of the command-line tests: the program in a temporary folder, seeded data, traces.

    ASKFEW=build/release/apps/cli/askfew python3 tests/cli/test_resume.py
"""

import csv
import io
import json
import os
import re
import struct
import subprocess
import tempfile
import unittest
from collections import namedtuple

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))

MEMORY = "/dev/shm"  # outputs are synced, which takes long on a real disk

Done = namedtuple("Done", "code out err")
Row = namedtuple("Row", "round task margin probability coin asked prediction label updated")


class CliTest(unittest.TestCase):
    """A test whose files and working directory are in a temporary folder."""

    def setUp(self):
        if not os.path.exists(ASKFEW):
            raise FileNotFoundError(f"no program at {ASKFEW}: build it, or say where it is in ASKFEW")
        folder = tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def files(self):
        return {name: self.read(name) for name in os.listdir(self.folder) if os.path.isfile(self.path(name))}

    def askfew(self, *arguments, stdin=b"", timeout=300, **popen):
        """Runs the program; `stdin` is the content of a pipe, or an open file."""
        source = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        popen.setdefault("stdout", subprocess.PIPE)
        done = subprocess.run([ASKFEW, *arguments], cwd=self.folder, stderr=subprocess.PIPE, timeout=timeout, **source,
                              **popen)
        return Done(done.returncode, (done.stdout or b"").decode(errors="replace"), done.stderr.decode(errors="replace"))

    def ok(self, *arguments, **options):
        done = self.askfew(*arguments, **options)
        self.assertEqual(done.code, 0, f"askfew {' '.join(arguments)}\n{done.err}")
        return done

    def trace(self, *arguments, **options):
        """The bytes of the trace of a run."""
        self.ok("run", *arguments, "--quiet", "--trace", "trace.csv", **options)
        return self.read("trace.csv")

    def report(self, *arguments, **options):
        """The JSON of a run."""
        return json.loads(self.ok("run", *arguments, "--quiet", "--json", "-", **options).out)

    def complaint(self, done, code):
        """Checks that the refusal is one line, and returns it."""
        self.assertEqual(done.code, code, done)
        self.assertEqual(done.out, "", "something on standard output")
        self.assertRegex(done.err, r"\Aaskfew: [^\n]+\n\Z", "not exactly one line")
        line = done.err[:-1]
        self.assertTrue(line.isprintable(), f"{line!r} does not print as one clear line")
        return line

    def refused(self, code, *arguments, says, place=None, outputs=True, stdin=b""):
        """Checks a refusal: its place, its words, and that every file is unchanged."""
        if outputs:
            self.write("old.model", "an older file")
            arguments += "--quiet", "--model", "old.model", "--json", "new.json", "--trace", "new.csv"
        before = self.files()
        line = self.complaint(self.askfew(*arguments, stdin=stdin), code)
        if place is not None:
            self.assertRegex(line, rf"\Aaskfew: {place}: ")
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, line)
        self.unchanged(before)
        return line

    def unchanged(self, before):
        """Checks that no file was added, removed or changed since `before`."""
        after = self.files()
        self.assertEqual(sorted(after), sorted(before), "files were left behind")
        self.assertEqual([name for name in before if after[name] != before[name]], [], "files were changed")


def catalog():
    return json.loads(subprocess.run([ASKFEW, "list", "--json"], capture_output=True, check=True, timeout=60).stdout)


def every_preset():
    """The names of the presets, each with the options that it needs to run on any stream of up to 30 features."""
    known = catalog()
    unit = {learner["name"] for learner in known["learners"] if learner["unit_norm"]}
    for preset in known["presets"]:
        normalize = ["--normalize"] if preset["learner"].split(":")[0] in unit else []
        yield preset["name"], ["--sampler", preset["name"], "--dimension", "30", *normalize]


AUDIT_COLUMNS = ["audit", "audit_coin", "chance"]


def rows(trace):
    """The decisions in the bytes of a trace, without the columns of an audit."""
    reader = csv.reader(io.StringIO(trace.decode()))
    header = next(reader)
    if header[:len(Row._fields)] != list(Row._fields) or header[len(Row._fields):] not in ([], AUDIT_COLUMNS):
        raise AssertionError(f"the trace begins with {header}")
    kinds = (int, int, float, float, float, int, int, int, int)
    return [Row(*(kind(field) for kind, field in zip(kinds, row))) for row in reader]


def without_header(trace):
    return trace.split(b"\n", 1)[1]


def features(x):
    return " ".join(f"{i + 1}:{float(x[i])!r}" for i in np.flatnonzero(x))


def instances(rounds, dimension, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rounds, dimension)) * (rng.random((rounds, dimension)) < 0.4)


def binary_lines(rounds=400, dimension=30, seed=1):
    """Lines of -1 and +1 from a random hyperplane, a tenth of them wrong."""
    rng = np.random.default_rng(seed + 1000)
    x = instances(rounds, dimension, seed)
    y = np.where((x @ rng.normal(size=dimension) > 0) ^ (rng.random(rounds) < 0.1), "+1", "-1")
    return [f"{label} {features(row)}".rstrip() for label, row in zip(y, x)]


def topic_lines(rounds=400, dimension=30, topics=5, seed=2):
    """Lines with any number of the labels 0, 1, ...; the first line has two, and many have none and begin with a space."""
    rng = np.random.default_rng(seed + 1000)
    x = instances(rounds, dimension, seed)
    member = x @ rng.normal(size=(dimension, topics)) > rng.random(topics) * 3
    member[0, :2] = True
    return [f"{','.join(map(str, np.flatnonzero(labels)))} {features(row)}" for labels, row in zip(member, x)]


def text(lines):
    return "".join(line + "\n" for line in lines)


def idx_files(count=60, side=4, seed=3):
    """The bytes of an IDX file of images, of its labels, and both as arrays."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, count, dtype=np.uint8)
    images = rng.integers(0, 256, (count, side * side), dtype=np.uint8)
    return (struct.pack(">IIII", 0x803, count, side, side) + images.tobytes(),
            struct.pack(">II", 0x801, count) + labels.tobytes(), images, labels)


def sampler_of(arguments):
    """The arguments as a user would type them, for messages."""
    return re.sub(r"\s+", " ", " ".join(arguments))
