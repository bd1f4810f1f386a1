"""A model per key, from Kafka: every message is taken once by the session of its key, whatever is killed."""

import glob

from kafka_test import KafkaTest, ParsedLedger, instance, json, label, main, signal, time

KEYS = [f"c{k}" for k in range(12)]


class ModelPer(KafkaTest):
    def partition_of(self, key):
        return sum(str(key).encode()) % self.partitions

    def send_keyed(self, topic, objects):
        for record in objects:
            key = record["customer"]
            self.sender.send(topic, self.partition_of(key), key.encode(), json.dumps(record).encode())
        self.sender.flush()

    def test_each_key_has_its_messages_once_and_the_model_that_it_has_alone(self):
        self.create(2)
        flags = ["--model-per", "customer", "--open-models", "6", "--sampler", "sel-p", "--bits", "12"]
        streams = [self.start(*flags) for _ in range(2)]
        answers = self.receiver()
        ids = {key: 0 for key in KEYS}
        decided, labelled = set(), set()
        for turn in range(4):
            new = []
            for key in KEYS:
                new += [{**instance(ids[key] + k), "customer": key} for k in range(5)]
                ids[key] += 5
            self.send_keyed(self.instances, new)
            if turn in (1, 2):
                time.sleep(0.3)
                streams[turn - 1].end(signal.SIGKILL)
                streams[turn - 1] = self.start(*flags)
            expected = sum(ids.values())
            asked = []

            def all_decided(messages):
                for message in messages[len(all_decided.seen):]:
                    all_decided.seen.append(message)
                    answer = json.loads(message.value)
                    if "prediction" not in answer:
                        continue
                    name = answer["customer"], answer["id"]
                    if answer["ask"] and name not in labelled:
                        asked.append({**label(name[1]), "customer": name[0]})
                        labelled.add(name)
                    decided.add(name)
                return len(decided) == expected

            all_decided.seen = []
            answers.read_until(all_decided)
            self.send_keyed(self.labels, asked)
        self.wait_for_labels(len(labelled))
        for stream in streams:
            code, said = stream.end()
            self.assertEqual(code, 128 + signal.SIGTERM, said)
        self.check(ids, labelled)

    def ledgers(self):
        return sorted(glob.glob(self.path("ledgers") + "/*/*/*.ledger"))

    def lines(self, path):
        with open(path, "rb") as file:
            return [line.text for line in ParsedLedger(file.read()).lines]

    def wait_for_labels(self, count):
        end = time.monotonic() + 60
        while sum(b'"label"' in line for path in self.ledgers() for line in self.lines(path)) < count:
            self.assertLess(time.monotonic(), end, "the ledgers do not have the labels")
            time.sleep(0.2)

    def check(self, ids, labelled):
        self.assertEqual(len(self.ledgers()), len(KEYS))
        got = set()
        for path in self.ledgers():
            lines = self.lines(path)
            records = [json.loads(line) for line in lines]
            key, = {record["customer"] for record in records}
            self.assertEqual(sorted(r["id"] for r in records if "text" in r), list(range(ids[key])))
            told = [(key, r["id"]) for r in records if "label" in r]
            self.assertEqual(len(told), len(set(told)))
            got |= set(told)
            self.ok("replay", path, "--model", "replayed.model")
            self.ok("stream", "--sampler", "sel-p", "--bits", "12", "--model", "alone.model", "--quiet",
                    stdin=b"".join(line + b"\n" for line in lines))
            self.assertEqual(self.read("replayed.model"), self.read("alone.model"))
        self.assertEqual(got, labelled)

    def test_a_message_whose_key_is_not_the_field_is_refused(self):
        self.create()
        stream = self.start("--model-per", "customer", "--sampler", "sel-p")
        self.sender.send(self.instances, 0, b"x", json.dumps({**instance(1), "customer": "ann"}).encode())
        self.sender.send(self.instances, 0, b"ann", json.dumps(instance(2)).encode())
        self.sender.send(self.instances, 0, b"ann", json.dumps({**instance(3), "customer": "ann"}).encode())
        self.sender.flush()
        got = [json.loads(m.value) for m in self.receiver().read_until(lambda m: len(m) == 3)]
        stream.end()
        self.assertEqual(sorted(a.get("line", -1) for a in got), [-1, 0, 1])
        errors = " ".join(a.get("error", "") for a in got)
        self.assertIn("is not its field 'customer', 'ann'", errors)
        self.assertIn("a line needs the field 'customer'", errors)


if __name__ == "__main__":
    main()
