"""How long does a whole process take for a run over a binary cache? Makes rows like those of `askfew bench` (75
words per row, values of six decimals), converts them to a cache, and takes turns: a run over a cache of one row, which
is the start and the end of the program, a run over all rows on one thread, a run on two. Prints medians over the turns.

    ASKFEW=build/release/apps/cli/askfew python3 bench/cache_speed.py [ROWS [TURNS]]
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
WORDS, DIMENSION, DIFFERENT_ROWS = 75, 47_236, 20_000


def write_rows(path, rows):
    """Zipf: the logarithm of a word's rank is uniform. The first rows are repeated."""
    numbers = random.Random(1)
    teacher = [numbers.gauss(0, 1) for _ in range(DIMENSION + 1)]
    lines = []
    for _ in range(min(rows, DIFFERENT_ROWS)):
        words = set()
        while len(words) < WORDS:
            words.add(int(DIMENSION ** numbers.random()))
        values = {word: numbers.randrange(10_000, 200_000) for word in sorted(words)}
        label = "+1" if sum(teacher[word] * value for word, value in values.items()) > 0 else "-1"
        lines.append(label + "".join(f" {word}:0.{value:06}" for word, value in values.items()) + "\n")
    with open(path, "w") as file:
        for first in range(0, rows, len(lines)):
            file.writelines(lines[: rows - first])


def seconds_of(arguments):
    """Wall-clock time, processor time, and page faults of a process."""
    begin = time.monotonic()
    process = subprocess.Popen([ASKFEW, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    elapsed = time.monotonic() - begin
    if status != 0:
        raise SystemExit(f"askfew {' '.join(arguments)} failed")
    return elapsed, used.ru_utime + used.ru_stime, used.ru_minflt


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 31
    with tempfile.TemporaryDirectory() as folder:
        caches = {}
        for count in (1, rows):
            text, caches[count] = os.path.join(folder, f"{count}.svm"), os.path.join(folder, f"{count}.askcache")
            write_rows(text, count)
            subprocess.run([ASKFEW, "convert", text, "-o", caches[count]], check=True)
        cache = caches[rows]
        run = ["--sampler", "sel-p", "--quiet", "--threads"]
        commands = {
            "one row": ["run", caches[1], *run, "2"],
            "1 thread": ["run", cache, *run, "1"],
            "2 threads": ["run", cache, *run, "2"],
        }
        times = {name: [] for name in commands}
        for _ in range(turns):
            for name, arguments in commands.items():
                times[name].append(seconds_of(arguments))
        print(f"{rows} rows, {os.path.getsize(cache) / 1e6:.1f} MB; medians of {turns} turns")
        print(f"{'':<10}{'seconds':>10}{'processor':>11}{'faults':>8}{'examples/s':>12}")
        for name, of_turns in times.items():
            elapsed, used, faults = (statistics.median(column) for column in zip(*of_turns, strict=True))
            speed = "" if name == "one row" else f"{rows / elapsed:.0f}"
            print(f"{name:<10}{elapsed:>10.4f}{used:>11.4f}{faults:>8.0f}{speed:>12}")


if __name__ == "__main__":
    main()
