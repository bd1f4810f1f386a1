"""Runs `askfew stream` while system calls of its ledger fail, write too little, or kill the process; checks the ledger.

    ASKFEW=build/release/apps/cli/askfew python3 tests/faults/stream_faults.py [CASES [FIRST]]

A case has a conversation of instances and labels with a stream, a plan of faults (faults.c), and a seed. The client is
careful: it sends every line again that was not acknowledged, to the same process or, if that has ended, to the next one,
until everything is acknowledged. Then a separate parser (parsed_ledger.py) checks:

* the ledger is whole, and every line in it was sent;
* every answer equals the recorded outcome, to the bit, and stays the same after every kill;
* every instance had exactly one round, every label was learned exactly once, and rounds count from 1 without a gap;
* a line that was answered with "was not taken" was not in the ledger at that moment;
* with --sync, all of this holds even if the machine loses all data that was not synced, or has zeros in its place;
* `askfew replay` rebuilds the model of the last process, bit for bit.
"""

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

from parsed_ledger import Decision, ParsedLedger, Receipt, Refusal, Repeat

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
WORDS = "rook stone king white black pawn board clock castle check mate draw".split()
PATIENCE = 180  # seconds; much more than needed, for a busy machine
NOT_TAKEN = "the ledger cannot be written, so the line was not taken"
NOT_CUT = "part of it cannot be cut off again"


def build_shim(folder):
    shim = os.path.join(folder, "faults.so")
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", shim, os.path.join(HERE, "faults.c"), "-ldl"], check=True)
    return shim


class Plan:
    """Which calls go wrong, drawn from a seed. All kinds of faults are equally frequent."""

    KINDS = ("fail", "half", "short", "kill", "kill in a write", "full", "power", "zeros", "sync")

    def __init__(self, rng, kind):
        self.kind = kind
        self.sync = kind in ("power", "zeros", "sync") or rng.random() < 0.3
        at = rng.randrange(60)
        some = rng.choice((0, 1, 7, 16, 23, 24, 40, 100, 1000, rng.randrange(400)))
        code = rng.choice((errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG))
        if kind in ("fail", "half"):
            self.text = f"{at}:{kind}:{code}"
        elif kind == "sync":  # the calls that are syncs are among these
            self.text = f"{at}-{at + 3}:fail:{errno.EIO}"
        elif kind == "short":
            self.text = f"{at}-{at + rng.randrange(12)}:short:{max(1, some)}"
        elif kind == "full":
            self.text = f"{at}-{at + rng.randrange(2, 25)}:{rng.choice(('fail', 'half'))}:{errno.ENOSPC}"
        else:
            self.text = f"{at}:kill:{0 if kind == 'kill' else some}"

    def __str__(self):
        return f"{self.kind} {self.text}{' --sync' if self.sync else ''}"


class Client:
    """Sends all lines until all are acknowledged."""

    def __init__(self, rng, talkative):
        """`talkative`: labels have long comments, so that the ledger is long enough for checkpoints."""
        self.rng = rng
        self.comment = {"comment": "because " * 2000} if talkative else {}
        self.unsaid = [{"id": k, "text": " ".join(rng.choice(WORDS) + str(rng.randrange(20)) for _ in range(rng.randrange(1, 30)))}
                       for k in range(30)]
        self.sent, self.labels = set(), {}
        self.decisions, self.learned = {}, set()  # acknowledged ones only
        self.refusals = 0

    def next_group(self):
        return self.unsaid[:self.rng.randrange(1, 6)]

    def note(self, line, answer):
        """Notes whether the answer to a line acknowledges it."""
        if answer.get("error", "").startswith(NOT_TAKEN):
            self.refusals += 1
            return False
        assert "error" not in answer, f"{line} was answered with {answer}"
        assert answer["id"] == line["id"], f"{line} was answered with {answer}"
        self.unsaid.remove(line)
        if "label" in line:
            assert answer["outcome"] in ("learned", "repeated"), answer
            self.learned.add(line["id"])
            return True
        said = (answer["margin"], answer["ask"], answer["prediction"], answer["probability"])
        assert self.decisions.setdefault(line["id"], said) == said, f"{line} has another answer than before: {answer}"
        if answer["ask"] and line["id"] not in self.labels:
            self.labels[line["id"]] = self.rng.choice((-1, 1))
            self.unsaid.insert(min(len(self.unsaid), self.rng.randrange(8)), {"id": line["id"], "label": self.labels[line["id"]], **self.comment})
        return True


class Case:
    def __init__(self, shim, folder, seed):
        self.rng = random.Random(seed)
        kind = Plan.KINDS[seed % len(Plan.KINDS)]
        self.plan = Plan(self.rng, kind)
        self.shim, self.folder = shim, folder
        self.talkative = seed % 4 == 3
        self.client = Client(self.rng, self.talkative)
        self.ledger, self.synced = os.path.join(folder, "ledger"), os.path.join(folder, "synced")
        self.deaths = self.processes = self.checkpoints = 0

    def start(self):
        environment = dict(os.environ)
        self.processes += 1
        if self.processes <= 3:  # later processes have no faults
            environment.update(LD_PRELOAD=self.shim, FAULT_FILE=self.ledger, FAULT_SYNCED=self.synced,
                               FAULT_PLAN=self.plan.text if self.processes == 1 else Plan(self.rng, self.plan.kind).text)
        return subprocess.Popen([ASKFEW, "stream", "--ledger", "ledger", "--sampler", "sel-p", "--model", "model", "--quiet",
                                 *(["--bits", "8"] if self.talkative else []), *(["--sync"] if self.plan.sync else [])], cwd=self.folder, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)

    def parsed(self):
        if not os.path.exists(self.ledger):
            return ParsedLedger(b"")
        with open(self.ledger, "rb") as file:
            return ParsedLedger(file.read())

    def speak(self, stream):
        """Sends lines until all are acknowledged or the process ends."""
        tries = 0
        while self.client.unsaid:
            group = self.client.next_group()
            data = "".join(json.dumps(line) + "\n" for line in group).encode()
            self.client.sent.update(data.splitlines())
            try:
                stream.stdin.write(data)
                stream.stdin.flush()
            except BrokenPipeError:
                return
            refused = []
            for line in group:
                answer = stream.stdout.readline()
                if not answer.endswith(b"\n"):
                    return
                answer = json.loads(answer)
                if not self.client.note(line, answer):
                    refused.append(line)
            if refused and NOT_CUT not in answer["error"]:
                held = {line.text for line in self.parsed().lines[-2 * len(group):]}
                for line in refused:
                    assert json.dumps(line).encode() not in held, f"{line} was not taken, and is in the ledger"
            tries += 1 if refused else 0
            assert tries < 200, "nothing is taken any more"

    def lose_power(self):
        """Keeps the synced bytes; the rest is lost or becomes zeros."""
        size = int(open(self.synced).read()) if os.path.exists(self.synced) else 0
        now = os.path.getsize(self.ledger) if os.path.exists(self.ledger) else 0
        if now <= size:
            return
        os.truncate(self.ledger, size + self.rng.choice((0, 0, self.rng.randrange(now - size + 1))))
        if self.plan.kind == "zeros":
            os.truncate(self.ledger, now + 4096)
            if size == 0:  # nothing was ever synced: the file counts as new
                os.truncate(self.ledger, 0)
                return
            subprocess.run([ASKFEW, "ledger", "repair", "ledger"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def run(self):
        while True:
            stream = self.start()
            try:
                self.speak(stream)
                try:
                    stream.stdin.close()
                except BrokenPipeError:
                    pass
                code = stream.wait(PATIENCE)
            finally:
                stream.kill()
                complaint = stream.stderr.read().decode()
                stream.stdout.close()
                stream.stderr.close()
                stream.wait()
            ledger = self.parsed()
            if code == 0 and not self.client.unsaid and None not in ledger.outcomes:
                break
            # Outcomes of the last lines can be missing: the next process adds them.
            self.deaths += code != 0
            assert code in (-9, 2) or not self.client.unsaid, f"exit {code}: {complaint}"
            assert self.processes < 10, f"exit {code}: {complaint}"
            if self.plan.kind in ("power", "zeros"):
                self.lose_power()
            self.check(self.parsed())
        self.check(ledger)
        assert ledger.rest == b"", "the ledger of a stream that ended is not whole"
        self.check_model()
        self.checkpoints = len(ledger.checkpoints)

    def check(self, ledger):
        """Checks that every acknowledged line is in the ledger once, with the acknowledged outcome."""
        decisions, learned = {}, Counter()
        for line, outcome in zip(ledger.lines, ledger.outcomes):
            assert line.text in self.client.sent, f"nobody sent {line}"
            said = json.loads(line.text)
            assert not isinstance(outcome, Refusal), (line, outcome)
            if isinstance(outcome, Decision):
                assert said["id"] not in decisions, f"{said} had two rounds"
                decisions[said["id"]] = outcome
                assert outcome.round == len(decisions), f"round {outcome.round} after {len(decisions) - 1}"
            elif isinstance(outcome, Repeat):
                assert decisions[said["id"]].round == outcome.round
            elif isinstance(outcome, Receipt):
                learned[said["id"]] += outcome.outcome == "learned"
                assert outcome.outcome in ("learned", "repeated"), (line, outcome)
        unfinished = {json.loads(line.text)["id"] for line, outcome in zip(ledger.lines, ledger.outcomes) if outcome is None}
        for name, said in self.client.decisions.items():
            if name not in decisions:
                assert name in unfinished, f"the decision about {name} is lost"
                continue
            outcome = decisions[name]
            chance = outcome.probability + (1 - outcome.probability) * outcome.audit
            assert said == (outcome.margin, outcome.asked, 1 if outcome.prediction else -1, chance), (name, said, outcome)
        for name in self.client.learned:
            assert learned[name] == 1 or (learned[name] == 0 and name in unfinished), f"the label of {name}: {learned[name]}"

    def check_model(self):
        subprocess.run([ASKFEW, "replay", "ledger", "--model", "rebuilt"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(self.folder, "model"), "rb") as one, open(os.path.join(self.folder, "rebuilt"), "rb") as other:
            assert one.read() == other.read(), "the replayed model is another one"


def run_cases(first, count):
    """Runs the cases and counts what happened. An error names its case."""
    seen = Counter()
    with tempfile.TemporaryDirectory(dir=MEMORY) as place:
        shim = build_shim(place)
        for seed in range(first, first + count):
            folder = os.path.join(place, "case")
            os.mkdir(folder)
            case = Case(shim, folder, seed)
            try:
                case.run()
            except Exception as error:
                raise AssertionError(f"case {seed} ({case.plan}): {error}") from error
            shutil.rmtree(folder)
            seen.update(cases=1, deaths=case.deaths, refusals=case.client.refusals, decisions=len(case.client.decisions),
                        labels=len(case.client.learned), checkpoints=case.checkpoints)
    return seen


if __name__ == "__main__":
    total = run_cases(int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1]) if len(sys.argv) > 1 else 500)
    print(f"{total['cases']} cases: {total['deaths']} processes ended before their time, {total['refusals']} lines were refused"
          f" and sent again; {total['decisions']} decisions and {total['labels']} labels were acknowledged, none is lost or"
          " counted twice, and every ledger replays to the model of its stream")
