"""`askfew stream --kafka` beside a bare loop that consumes and parses the same messages, on a local broker, in turns.

    /usr/bin/python3 bench/kafka.py build/release/apps/cli/askfew build/release/bench/bench_kafka [MESSAGES] [TURNS]

Both begin with the first message and end with the last one. For askfew these are the times in its ledger, and every
answer must have arrived at the broker. On a loaded machine the time of the processor says more: that of the thread that takes
the messages, and of askfew also that of librdkafka's own threads.
"""

import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "tests" / folder) for folder in ("kafka", "faults")]

from broker import Broker  # noqa: E402
from parsed_ledger import ParsedLedger  # noqa: E402
from topics import Sender  # noqa: E402

WORDS = "rook stone king white black pawn board clock castle check mate draw".split()


def fill(sender, topic, count):
    rng = random.Random(1)
    texts = [" ".join(rng.choice(WORDS) + str(rng.randrange(20)) for _ in range(8)) for _ in range(5000)]
    for k in range(count):
        sender.send(topic, 0, b"%d" % k, b'{"id": %d, "text": "%s"}' % (k, texts[k % 5000].encode()))
    sender.flush()


def bare(program, address, topic, count):
    done = subprocess.run([program, address, topic, str(count)], capture_output=True, check=True, text=True)
    figures = json.loads(done.stdout)
    return figures["seconds"], figures["cpu"]


def processor_seconds(path):
    """Of a thread, or of a whole process, in user and system mode."""
    fields = pathlib.Path(path).read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stream(askfew, address, names, count):
    """Seconds from the first to the last message, by the times in the ledger; seconds of the processor of the thread that
    takes the messages, and of all other threads."""
    instances, labels, answers = names
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([askfew, "stream", "--kafka", address, "--instances", instances, "--labels", labels,
                                    "--answers", answers, "--group", answers, "--ledger", folder, "--sampler", "sel-p",
                                    "--quiet"])
        path = pathlib.Path(folder) / f"{instances}-0.ledger"
        size = -1
        while not path.exists() or path.stat().st_size != size or size < 100 * count:
            size = path.stat().st_size if path.exists() else -1
            time.sleep(1)
        cpu = processor_seconds(f"/proc/{process.pid}/task/{process.pid}/stat")
        others = processor_seconds(f"/proc/{process.pid}/stat") - cpu
        process.send_signal(signal.SIGTERM)
        process.wait()
        ledger = ParsedLedger(path.read_bytes())
        if len(ledger.lines) != count or ledger.events[-1]["answered"] != count:
            raise SystemExit(f"{len(ledger.lines)} lines, {ledger.events[-1]['answered']} answers of {count}")
        return (ledger.lines[-1].time - ledger.lines[0].time) / 1e6, cpu, others


def main():
    askfew, program = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    turns = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    rates = {"bare loop": [], "askfew stream": []}
    costs, others = {name: [] for name in rates}, []
    with Broker() as broker, Sender(broker.address) as sender:
        for topic in "instances", "labels":
            sender.create(topic, 1)
        fill(sender, "instances", count)
        for turn in range(turns):
            answers = f"answers-{turn}"
            sender.create(answers, 1)
            *taken, of_librdkafka = stream(askfew, broker.address, ("instances", "labels", answers), count)
            others.append(1e6 * of_librdkafka / count)
            for name, (seconds, cpu) in (("bare loop", bare(program, broker.address, "instances", count)), ("askfew stream", taken)):
                rates[name].append(count / seconds)
                costs[name].append(1e6 * cpu / count)
    ratio = statistics.median(a / b for a, b in zip(rates["askfew stream"], rates["bare loop"]))
    print(f"medians of {turns} turns of {count:,} messages; load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
    for name in rates:
        print(f"{name:14} {statistics.median(rates[name]):10,.0f} messages/s, {statistics.median(costs[name]):.1f} us of the processor each")
    print(f"librdkafka's threads, with the answers: {statistics.median(others):.1f} us of the processor each")
    print(f"ratio          {ratio:10.2f}")


if __name__ == "__main__":
    main()
