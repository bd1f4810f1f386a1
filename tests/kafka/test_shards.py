"""Two shards of the topics read one topic of Kafka, and their processes are killed: together they are one process.

By hand, with more kills: ASKFEW_KAFKA_KILLS=50 ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 tests/kafka/test_shards.py
"""

import random
import threading

from kafka_test import KafkaTest, instance, json, main, os, signal, time, without_latency

KILLS = int(os.environ.get("ASKFEW_KAFKA_KILLS", "4"))
PARTITIONS, SHARDS = 2, 2
TOPICS = ["rook", "stone", "king", "clock", "draw"]
SETTINGS = ["--sampler", "sel-p", "--normalize"]


def is_in(topic, k):
    return topic in instance(k)["text"]


class Load(threading.Thread):
    """Sends instances all the time, and labels for what the shards ask: to all topics at once, or to those of a shard."""

    def __init__(self, test):
        super().__init__()
        self.test, self.over = test, threading.Event()
        self.sent, self.labelled, self.answers = 0, set(), []
        self.receiver = test.receiver()

    def run(self):
        while not self.over.is_set():
            self.test.send(self.test.instances, [instance(k) for k in range(self.sent, self.sent + 10)])
            self.sent += 10
            self.take_answers(0.02)

    def take_answers(self, wait):
        labels = []
        while (message := self.receiver.read(wait)) is not None:
            self.answers.append(message)
            answer = json.loads(message.value)
            key = answer["id"], *([] if answer["id"] % 3 == 0 else [message.headers["shard"]])
            if not answer.get("ask") or key in self.labelled:
                continue
            self.labelled.add(key)
            k = answer["id"]
            if k % 3 == 0:
                labels.append({"id": k, "labels": [topic for topic in TOPICS if is_in(topic, k)]})
            else:
                labels.append({"id": k, "labels": {topic: is_in(topic, k) for topic in answer["ask"]}})
        self.test.send(self.test.instances, labels)
        return labels


class Shards(KafkaTest):
    def shard_flags(self, number, folder=None, group=None, labels=None):
        return ["--kafka", self.broker.address, "--instances", self.instances, "--labels", labels or self.instances,
                "--answers", self.answers, "--group", group or f"{self.group}-{number}", "--ledger", folder or f"shard{number}",
                "--label-names", ",".join(TOPICS), "--shard", f"{number}/{SHARDS}", *SETTINGS]

    def start_shard(self, number):
        return self.start_with(self.shard_flags(number))

    def all_lines(self):
        """The messages of the topic, by partition, in their order."""
        messages = {partition: [] for partition in range(PARTITIONS)}
        with_all = self.receiver(self.instances)
        while (message := with_all.read(2)) is not None:
            messages[message.partition].append(message)
        return messages

    def test_two_shards_whose_processes_are_killed_give_the_bytes_of_one_process(self):
        self.create(PARTITIONS)
        time.sleep(3)
        rng = random.Random(3)
        streams = {(number, k): self.start_shard(number) for number in (1, 2) for k in range(2)}
        load = Load(self)
        load.start()
        try:
            for _ in range(KILLS):
                time.sleep(rng.uniform(0.5, 4))
                place = rng.choice(sorted(streams))
                ended_by_itself = not streams[place].is_running()
                _, said = streams[place].end(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
                self.assertFalse(ended_by_itself, said)
                streams[place] = self.start_shard(place[0])
        finally:
            load.over.set()
            load.join()
        messages = self.wait_until_all_is_answered(load)
        for stream in streams.values():
            code, said = stream.end()
            self.assertEqual(code, 128 + signal.SIGTERM, said)
        answers = self.answers_by_source(load)
        for partition in range(PARTITIONS):
            self.check_partition(partition, messages[partition], answers)
        print(f"{KILLS} kills: {load.sent} instances and {sum(map(len, messages.values())) - load.sent} lines of labels in "
              f"{SHARDS} shards, {len(load.answers)} answers, {len(load.answers) - len(answers)} of them again", flush=True)

    def wait_until_all_is_answered(self, load):
        end = time.monotonic() + 120
        while True:
            new = load.take_answers(0.5)
            messages = self.all_lines()
            answers = self.answers_by_source(load)
            if not new and len(answers) == SHARDS * sum(map(len, messages.values())):
                return messages
            self.assertLess(time.monotonic(), end, f"{len(answers)} answers to {sum(map(len, messages.values()))} messages")

    def answers_by_source(self, load):
        """Every answer came in the same words every time."""
        words = {}
        for message in load.answers:
            key = message.headers["shard"], message.headers["source"]
            self.assertEqual(words.setdefault(key, without_latency(message.value)), without_latency(message.value))
        return words

    def check_partition(self, partition, messages, answers):
        lines = [message.value for message in messages]
        ledgers = [f"shard{number}/{self.instances}-{partition}.ledger" for number in (1, 2)]
        for ledger in ledgers:
            self.assertEqual([line.text for line in self.parsed_at(ledger).lines], lines, "not every message was taken once, in order")
        pipe = self.ok("stream", "--labels", ",".join(TOPICS), *SETTINGS, "--model", "one.model", "--quiet",
                       stdin=b"".join(line + b"\n" for line in lines), timeout=600)
        self.ok("replay", *ledgers, "--model", "joined.model", timeout=600)
        self.assertEqual(self.read("joined.model"), self.read("one.model"))
        for message, line in zip(messages, pipe.out.splitlines(), strict=True):
            source = f"{self.instances}/{partition}/{message.offset}"
            parts = [json.loads(answers[f"{number}/{SHARDS}", source]) for number in (1, 2)]
            whole = json.loads(without_latency(line.encode()))
            self.assertEqual(any("error" in part for part in parts), "error" in whole)
            for key, joined in whole.items():
                if key in ("error", "line"):  # the text names topics of all shards, and a pipe counts lines from 1
                    continue
                if isinstance(joined, list):
                    self.assertEqual(parts[0][key] + parts[1][key], joined)
                elif isinstance(joined, dict):
                    self.assertEqual({**parts[0][key], **parts[1][key]}, joined)
                else:
                    self.assertEqual([part[key] for part in parts], [joined, joined])

    def test_shards_need_folders_and_groups_of_their_own_and_one_topic(self):
        self.create()
        stream = self.start_shard(1)
        self.send(self.instances, [instance(k) for k in range(5)])
        answers = self.receiver().read_until(lambda m: len(m) == 5)
        self.assertEqual({m.headers["shard"] for m in answers}, {"1/2"})
        self.failed(2, *self.shard_flags(2, folder="shard1"),
                    says=["the folder has the ledgers of the shard 1/2, and this process has the shard 2/2", "a folder of its own"])
        stream.end()
        self.failed(2, *self.shard_flags(2, folder="shard1"), says="the ledgers of the shard 1/2")
        self.failed(2, *self.shard_flags(2, group=f"{self.group}-1"), says="has its ledgers in another folder")
        whole = self.shard_flags(1)
        del whole[whole.index("--shard"):whole.index("--shard") + 2]
        self.failed(2, *whole, says="this process has all topics")
        self.failed(2, *self.shard_flags(1, labels=self.labels), says="--shard needs instances and labels in one topic")
        self.assertEqual(len(self.parsed_at(f"shard1/{self.instances}-0.ledger").lines), 5)


if __name__ == "__main__":
    main()
