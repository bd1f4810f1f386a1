"""Kills processes of a group under load, with partitions that move, and reads the ledgers with a separate parser.

By hand, with more kills: ASKFEW_KAFKA_KILLS=200 ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 tests/kafka/test_kills.py
"""

import random
import threading

from kafka_test import Decision, KafkaTest, instance, json, label, main, os, signal, time, without_latency

KILLS = int(os.environ.get("ASKFEW_KAFKA_KILLS", "3"))
PARTITIONS, PROCESSES = 4, 3


class Load(threading.Thread):
    """Sends instances all the time, and the label of every question that it sees."""

    def __init__(self, test):
        super().__init__()
        self.test, self.over = test, threading.Event()
        self.sent, self.labelled, self.answers = 0, set(), []
        self.receiver = test.receiver()

    def run(self):
        while not self.over.is_set():
            self.send_instances(10)
            self.take_answers(0.02)

    def send_instances(self, count):
        self.test.send(self.test.instances, [instance(k) for k in range(self.sent, self.sent + count)])
        self.sent += count

    def take_answers(self, wait):
        new = set()
        while (message := self.receiver.read(wait)) is not None:
            answer = json.loads(message.value)
            self.answers.append(message)
            if answer.get("ask") and answer["id"] not in self.labelled:
                new.add(answer["id"])
        self.labelled |= new
        self.test.send(self.test.labels, [label(k) for k in sorted(new)])
        return new


class Kills(KafkaTest):
    def test_every_message_is_taken_once_and_answered_though_processes_are_killed(self):
        self.create(PARTITIONS)
        time.sleep(3)
        rng = random.Random(7)
        streams = [self.start("--sampler", "sel-p") for _ in range(PROCESSES)]
        load = Load(self)
        load.start()
        try:
            for kill in range(KILLS):
                time.sleep(rng.uniform(0.5, 4))
                k = rng.randrange(PROCESSES)
                ended_by_itself = not streams[k].is_running()
                _, said = streams[k].end(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
                self.assertFalse(ended_by_itself, said)
                streams[k] = self.start("--sampler", "sel-p")
                if kill % 20 == 19:
                    print(f"{kill + 1} kills, {load.sent} instances, {len(load.labelled)} labels", flush=True)
        finally:
            load.over.set()
            load.join()
        self.wait_until_all_is_answered(load)
        for stream in streams:
            code, said = stream.end()
            self.assertEqual(code, 128 + signal.SIGTERM, said)
        self.check_ledgers(load)
        self.check_answers(load)

    def wait_until_all_is_answered(self, load):
        end = time.monotonic() + 120
        while True:
            load.take_answers(0.2)
            decided = {json.loads(m.value)["id"] for m in load.answers if b"prediction" in m.value}
            received = {json.loads(m.value)["id"] for m in load.answers if b"outcome" in m.value}
            if len(decided) == load.sent and received >= load.labelled:
                return
            self.assertLess(time.monotonic(), end, f"{len(decided)} of {load.sent} decisions, {len(received)} receipts")

    def check_ledgers(self, load):
        instances, labels = [], []
        for partition in range(PARTITIONS):
            ledger = self.parsed(partition)
            self.assertEqual(ledger.rest, b"")
            for event in ledger.events:
                if event["event"] == "messages taken":
                    self.assertEqual(event["partition"], partition)
            for line, outcome in zip(ledger.lines, ledger.outcomes):
                record = json.loads(line.text)
                (labels if "label" in record else instances).append(record["id"])
                self.assertEqual(record["id"] % PARTITIONS, partition)
                self.assertIsNotNone(outcome)
            self.check_replay(partition, ledger)
        self.assertEqual(sorted(instances), list(range(load.sent)), "an instance is missing or was taken twice")
        self.assertEqual(sorted(labels), sorted(load.labelled), "a label is missing or was taken twice")

    def check_replay(self, partition, ledger):
        """The model is that of one process that saw the partition in order."""
        self.ok("replay", self.ledger(partition), "--model", "replayed.model", timeout=600)
        self.ok("stream", "--sampler", "sel-p", "--model", "pipe.model", "--quiet",
                stdin=b"".join(line.text + b"\n" for line in ledger.lines), timeout=600)
        self.assertEqual(self.read("replayed.model"), self.read("pipe.model"))

    def check_answers(self, load):
        """Each answer came at least once, with its round, and every time in the same words."""
        rounds = {}
        for partition in range(PARTITIONS):
            ledger = self.parsed(partition)
            for line, outcome in zip(ledger.lines, ledger.outcomes):
                if isinstance(outcome, Decision):
                    rounds[json.loads(line.text)["id"]] = outcome.round
        words = {}
        for message in load.answers:
            answer = json.loads(message.value)
            if "prediction" in answer:
                self.assertEqual(int(message.headers["round"]), rounds[answer["id"]])
            key = answer["id"], "prediction" in answer
            self.assertEqual(words.setdefault(key, without_latency(message.value)), without_latency(message.value))
        print(f"{KILLS} kills: {load.sent} instances and {len(load.labelled)} labels taken once, {len(load.answers)} answers, "
              f"{len(load.answers) - len(words)} of them again", flush=True)


if __name__ == "__main__":
    main()
