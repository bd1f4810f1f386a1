"""Kills `askfew stream` at random moments, and checks that nothing that it acknowledged is lost.

    ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 bench/kill_stream.py [KILLS [FOLDER]]

Each time, the stream continues from its ledger and gets instances and labels as fast as it takes them. SIGKILL ends the
stream some moment later: while it starts, reads the ledger again, writes, answers or waits. After every few kills another
process replays the ledger. Every acknowledged label must be in the ledger, every replayed decision must equal the answer
that was given, and the replayed model must equal the model of a stream that continues from the ledger, bit for bit.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
KILLS_OF_ONE = 25  # after so many a ledger is checked, and a new one begun
LONGEST = 0.1  # seconds that a stream lives
WORDS = "rook stone king white black pawn board clock castle check mate draw".split()


def instance(rng, k):
    return {"id": k, "text": " ".join(rng.choice(WORDS) + str(rng.randrange(20)) for _ in range(rng.randrange(1, 40)))}


class Witness:
    """What the stream has acknowledged."""

    def __init__(self):
        self.decisions, self.labels, self.asked, self.next = {}, {}, [], 0

    def hear(self, line):
        answer = json.loads(line)
        if "ask" in answer:
            self.decisions[str(answer["id"])] = (answer["margin"], answer["ask"])
            if answer["ask"]:
                self.asked.append(answer["id"])
        elif answer.get("outcome") in ("learned", "corrected"):
            self.labels[str(answer["id"])] = self.labels.get(str(answer["id"]), 0) + 1

    def batch(self, rng):
        lines = []
        for _ in range(rng.randrange(1, 40)):
            lines.append(instance(rng, self.next))
            self.next += 1
        for _ in range(rng.randrange(30)):
            if self.asked:
                lines.append({"id": self.asked.pop(rng.randrange(len(self.asked))), "label": rng.choice((-1, 1))})
        rng.shuffle(lines)
        return "".join(json.dumps(line) + "\n" for line in lines).encode(), len(lines)


def live_and_die(rng, folder, witness, ledger="ledger"):
    stream = subprocess.Popen([ASKFEW, "stream", "--ledger", ledger, "--sampler", "sel-p", "--quiet"], cwd=folder,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    end, unread = time.monotonic() + rng.random() * LONGEST, 0
    killer = subprocess.Popen(["sh", "-c", f"sleep {rng.random() * LONGEST:.4f}; kill -9 {stream.pid}"])
    try:
        while time.monotonic() < end + LONGEST:
            bytes_sent, count = witness.batch(rng)
            stream.stdin.write(bytes_sent)
            stream.stdin.flush()
            unread += count
            while unread > rng.randrange(100):
                line = stream.stdout.readline()
                if not line.endswith(b"\n"):
                    raise BrokenPipeError
                witness.hear(line)
                unread -= 1
    except BrokenPipeError:
        pass
    killer.wait()
    for line in stream.stdout.read().splitlines(keepends=True):
        if line.endswith(b"\n"):
            witness.hear(line)
    stream.stdout.close()
    try:
        stream.stdin.close()
    except BrokenPipeError:
        pass
    return stream.wait() == -9


def check(folder, witness, ledger="ledger"):
    def askfew(*arguments):
        subprocess.run([ASKFEW, *arguments], cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    askfew("stream", "--ledger", ledger, "--model", "goes_on", "--quiet")
    askfew("replay", ledger, "--model", "replayed", "--trace", "trace")
    with open(os.path.join(folder, "goes_on"), "rb") as one, open(os.path.join(folder, "replayed"), "rb") as other:
        assert one.read() == other.read(), "the models differ"
    decisions, labels = {}, {}
    with open(os.path.join(folder, "trace"), newline="") as file:
        for row in csv.DictReader(file):
            if row["asked"]:
                decisions[row["id"]] = (float(row["margin"]), row["asked"] == "1")
            elif row["outcome"] in ("learned", "corrected"):
                labels[row["id"]] = labels.get(row["id"], 0) + 1
    for name, said in witness.decisions.items():
        assert decisions.get(name) == said, f"{name}: answered {said}, replayed {decisions.get(name)}"
    for name, count in witness.labels.items():
        assert labels.get(name, 0) >= count, f"the label of {name} is lost"
    return len(witness.decisions), sum(witness.labels.values())


def main():
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    place = sys.argv[2] if len(sys.argv) > 2 else None
    rng = random.Random(1)
    done = killed = decisions = labels = 0
    while done < kills:
        with tempfile.TemporaryDirectory(dir=place) as folder:
            witness = Witness()
            for _ in range(min(KILLS_OF_ONE, kills - done)):
                killed += live_and_die(rng, folder, witness)
                done += 1
            heard = check(folder, witness)
            decisions, labels = decisions + heard[0], labels + heard[1]
    print(f"{killed} kills; {decisions} decisions and {labels} labels were acknowledged, and none is lost;"
          " every ledger replays to the model of the stream that continues")


if __name__ == "__main__":
    main()
