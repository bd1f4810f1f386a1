"""Measures how long a stream with a long ledger takes to start again.

    ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 bench/restart.py [LINES [FOLDER [OPTION...]]]

LINES (5,000,000 by default) are instances of text, each with the label of an earlier one behind it; FOLDER has the ledger.
OPTIONs are those of `askfew stream`, `--expire 1000` by default. Printed are the size of the ledger, the share of its
checkpoints, and seconds: of the lines, of a restart after an orderly end, of a restart after kill -9, and of a replay of
all lines.
"""

import os
import random
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
GROUP = 2000
DELAY = 200  # instances until the label of one comes


def groups_of(lines):
    """The lines in groups of bytes; every second line is a label."""
    rng = random.Random(1)
    words = [f"w{int(rng.paretovariate(0.8)) % 20_000}" for _ in range(100_000)]
    for first in range(0, lines // 2, GROUP):
        group = []
        for k in range(first, min(first + GROUP, lines // 2)):
            begin = rng.randrange(len(words) - 10)
            group.append(f'{{"id":{k},"text":"{" ".join(words[begin:begin + 10])}"}}\n')
            group.append(f'{{"id":{max(0, k - DELAY)},"label":{1 if k * 7919 % 101 > 50 else -1}}}\n')
        yield "".join(group).encode()


def start(ledger, options, output=subprocess.DEVNULL):
    return subprocess.Popen([ASKFEW, "stream", "--ledger", ledger, "--sampler", "sel-p", "--quiet", *options],
                            stdin=subprocess.PIPE, stdout=output)


def restart_seconds(ledger, options):
    """Until the answer to the first line after a start."""
    begin = time.perf_counter()
    process = start(ledger, options, subprocess.PIPE)
    process.stdin.write(b'{"report": true}\n')
    process.stdin.flush()
    assert b'"rounds"' in process.stdout.readline()
    seconds = time.perf_counter() - begin
    process.kill()
    process.communicate()
    return seconds


def main():
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    ledger = os.path.join(sys.argv[2] if len(sys.argv) > 2 else ".", "restart.ledger")
    options = sys.argv[3:] or ["--expire", "1000"]
    begin = time.perf_counter()
    process = start(ledger, options)
    for group in groups_of(lines):
        process.stdin.write(group)
    process.stdin.close()
    assert process.wait() == 0
    print(f"lines      {lines:,} in {time.perf_counter() - begin:.1f} s, {os.path.getsize(ledger):,} bytes", flush=True)
    print(f"restart    {min(restart_seconds(ledger, options) for _ in range(3)):.2f} s after an orderly end", flush=True)
    process = start(ledger, options)
    for group in groups_of(lines // 50):
        process.stdin.write(group)
    process.stdin.flush()
    time.sleep(1)
    process.kill()
    process.wait()
    print(f"restart    {restart_seconds(ledger, options):.2f} s after kill -9", flush=True)
    begin = time.perf_counter()
    print(subprocess.run([ASKFEW, "replay", ledger], check=True, capture_output=True, text=True).stdout.split("sampler")[0], end="")
    print(f"replay     {time.perf_counter() - begin:.1f} s")
    print(subprocess.run([ASKFEW, "ledger", "check", ledger], check=True, capture_output=True, text=True).stdout, end="")
    os.remove(ledger)


if __name__ == "__main__":
    main()
