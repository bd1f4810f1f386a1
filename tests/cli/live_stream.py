"""Runs `askfew stream` for tests."""

import json
import random
import subprocess

from harness import ASKFEW, CliTest

PATIENCE = 120  # seconds; much more than needed, for a busy machine
WORDS = "rook stone king white black pawn board clock castle check mate draw".split()


def instance(k):
    rng = random.Random(k)
    return {"id": k, "text": " ".join(rng.choice(WORDS) + str(rng.randrange(20)) for _ in range(8))}


def label(k):
    return {"id": k, "label": 1 if "rook" in instance(k)["text"] or "king" in instance(k)["text"] else -1}


def numbers(rounds, delay):
    """A stream whose labels become random after 3,000 rounds; each label comes `delay` rounds late."""
    def truth(k):
        return 1 if (k * 7919 % 101 > 50 if k < 3000 else k * 104729 % 103 > 51) else -1

    for k in range(rounds + delay):
        if k < rounds:
            yield {"id": k, "x": [(k * 7919 % 101 - 50.5) / 50]}
        if k >= delay:
            yield {"id": k - delay, "label": truth(k - delay)}


def lines(objects):
    return "".join(json.dumps(o) + "\n" for o in objects).encode()


class Live:
    """A running `askfew stream`, line by line."""

    def __init__(self, folder, *arguments, **popen):
        self.process = subprocess.Popen([ASKFEW, "stream", *arguments], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else lines([line]))
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def __call__(self, line):
        self.send(line)
        return self.read()

    def end(self):
        self.process.stdin.close()
        self.process.stdin = None
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err.decode()


class StreamTest(CliTest):
    def live(self, *arguments, **popen):
        return Live(self.folder, *arguments, **popen)

    def answers(self, objects, *arguments):
        done = self.ok("stream", *arguments, stdin=lines(objects))
        return [json.loads(line) for line in done.out.splitlines()]
