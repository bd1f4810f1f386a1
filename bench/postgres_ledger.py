"""Compares the speed of a stream whose ledger is in PostgreSQL with that of a stream whose ledger is a file.

    ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 bench/postgres_ledger.py [LINES [FOLDER]]

FOLDER, the current folder by default, has both ledgers, so that both are on the same disk. PostgreSQL is started from
Debian's packages (tools/install databases). The turns alternate; medians are printed. "many lines at once": instances
come as fast as they are read, and a group of them is one transaction. "one line at a time": the next instance comes after
the answer to the last, so that each is a transaction, or with a file a write, or with --sync a sync.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "databases"))
from postgres import Postgres  # noqa: E402

ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
TURNS = 5
WORDS = "rook stone king white black pawn board clock castle check mate draw".split()


def lines_of(count):
    rng = random.Random(1)
    return [json.dumps({"id": k, "text": " ".join(rng.choice(WORDS) + str(rng.randrange(50)) for _ in range(20))}).encode() + b"\n"
            for k in range(count)]


def stream(ledger, *options):
    return subprocess.Popen([ASKFEW, "stream", "--sampler", "sel-p", "--ledger", ledger, "--quiet", *options],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def at_once(ledger, lines, *options):
    start = time.perf_counter()
    process = stream(ledger, *options)
    answers, _ = process.communicate(b"".join(lines))
    seconds = time.perf_counter() - start
    assert answers.count(b'"ask"') == len(lines)
    return len(lines) / seconds


def one_at_a_time(ledger, lines, *options):
    process = stream(ledger, *options)
    process.stdin.write(lines[0])
    process.stdin.flush()
    process.stdout.readline()
    start = time.perf_counter()
    for line in lines[1:]:
        process.stdin.write(line)
        process.stdin.flush()
        assert b'"ask"' in process.stdout.readline()
    seconds = time.perf_counter() - start
    process.communicate()
    return (len(lines) - 1) / seconds


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    place = sys.argv[2] if len(sys.argv) > 2 else "."
    lines = lines_of(count)
    database = Postgres(place)
    try:
        with tempfile.TemporaryDirectory(dir=place) as folder:
            for name, measure, given, options in (("many lines at once", at_once, lines, ()),
                                                  ("many lines at once, --sync", at_once, lines, ("--sync",)),
                                                  ("one line at a time", one_at_a_time, lines[:count // 100], ()),
                                                  ("one line at a time, --sync", one_at_a_time, lines[:count // 100], ("--sync",))):
                rates = {"file": [], "PostgreSQL": []}
                for turn in range(TURNS):
                    rates["file"].append(measure(os.path.join(folder, f"{name} {turn}"), given, *options))
                    rates["PostgreSQL"].append(measure(database.url(f"{name} {turn}"), given, *options))
                file, base = (statistics.median(rates[kind]) for kind in ("file", "PostgreSQL"))
                print(f"{name:28} file {file:10,.0f} lines/s, PostgreSQL {base:10,.0f} lines/s, ratio {base / file:.2f}", flush=True)
    finally:
        database.remove()


if __name__ == "__main__":
    main()
