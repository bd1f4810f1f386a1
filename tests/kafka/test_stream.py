"""Messages of Kafka: one partition gives what a pipe gives; lost answers come again; wrong uses are told."""

from kafka_test import KafkaTest, instance, json, label, main, os, signal, without_latency

SAMPLER = ["--sampler", "sel-p"]


class Stream(KafkaTest):
    def test_one_partition_gives_what_a_pipe_gives_byte_for_byte(self):
        self.create()
        stream = self.start(*SAMPLER)
        answers = self.receiver()
        got = []
        for turn in range(3):
            ids = range(100 * turn, 100 * turn + 100)
            self.send(self.instances, [instance(k) for k in ids])
            new = answers.read_until(lambda m: len(m) == 100)
            asked = [json.loads(m.value)["id"] for m in new if json.loads(m.value)["ask"]]
            self.assertGreater(len(asked), 5)
            self.send(self.labels, [label(k) for k in asked])
            got += new + answers.read_until(lambda m: len(m) == len(asked))
        code, said = stream.end()
        self.assertEqual(code, 128 + signal.SIGTERM, said)
        ledger = self.parsed(0)
        pipe = self.ok("stream", *SAMPLER, "--model", "pipe.model", stdin=b"".join(line.text + b"\n" for line in ledger.lines))
        self.assertEqual([without_latency(m.value) for m in got],
                         [without_latency(line.encode()) for line in pipe.out.splitlines()])
        self.ok("replay", self.ledger(0), "--model", "replayed.model")
        self.assertEqual(self.read("replayed.model"), self.read("pipe.model"))
        rounds = [int(m.headers["round"]) for m in got if b"prediction" in m.value]
        self.assertEqual(rounds, list(range(1, 301)))
        self.assertEqual([m.headers["source"] for m in got[:3]], [f"{self.instances}/0/{k}" for k in range(3)])
        self.assertEqual([m.key for m in got], [str(json.loads(m.value)["id"]).encode() for m in got])

    def test_answers_that_a_killed_process_had_not_sent_come_after_the_next_start(self):
        self.create()
        stream = self.start(*SAMPLER, "--kafka-property", "linger.ms=60000")
        self.send(self.instances, [instance(k) for k in range(20)])
        self.wait_for_lines(20)
        stream.end(signal.SIGKILL)
        answers = self.receiver()
        self.assertIsNone(answers.read(0.5), "an answer was sent; the test would show nothing")
        stream = self.start()
        got = answers.read_until(lambda m: len(m) == 20)
        self.assertEqual([json.loads(m.value)["id"] for m in got], list(range(20)))
        self.assertEqual([int(m.headers["round"]) for m in got], list(range(1, 21)))
        stream.end()
        # They have arrived, and the ledger knows it: nothing comes a third time.
        stream = self.start()
        self.send(self.instances, [instance(20)])
        self.assertEqual([json.loads(m.value)["id"] for m in answers.read_until(lambda m: len(m) == 1)], [20])
        stream.end()
        self.assertEqual(len(self.parsed(0).lines), 21)

    def test_a_broker_that_goes_and_comes_back_loses_nothing(self):
        self.create()
        stream = self.start(*SAMPLER)
        self.send(self.instances, [instance(k) for k in range(10)])
        answers = self.receiver()
        answers.read_until(lambda m: len(m) == 10)
        self.broker.stop()
        self.broker.start()
        self.send(self.instances, [instance(k) for k in range(10, 20)])
        got = answers.read_until(lambda m: len(m) == 10)
        self.assertEqual([json.loads(m.value)["id"] for m in got], list(range(10, 20)))
        self.assertTrue(stream.is_running())
        _, said = stream.end()
        self.assertIn("Kafka: ", said)
        self.assertEqual(len(self.parsed(0).lines), 20)

    def test_messages_that_are_no_lines_are_answered_with_an_error_and_passed_over(self):
        self.create()
        messages = [(b"1", b'{"id": 1, "text": "a rook"}'), (b"2", b'{"id": 2, "text"'), (b"3", None), (None, b'{"id": 4, "text": "x"}'),
                    (b"5", b'{"id": 6, "text": "x"}'), (None, b'{"report": true}'), (b"\xff\xfe", b"\xff"),
                    (b"a b", b'{"id": "a b", "text": "a king"}')]
        for key, value in messages:
            self.sender.send(self.instances, 0, key, value)
        self.sender.flush()
        stream = self.start(*SAMPLER, "--kafka-property", "linger.ms=60000")
        self.wait_for_lines(2)
        stream.end(signal.SIGKILL)
        stream = self.start()  # errors are in the ledger, too
        got = self.receiver().read_until(lambda m: len(m) >= len(messages))
        _, said = stream.end()
        self.assertNotIn("were refused", said)  # by this process
        by_offset = {int(m.headers["source"].split("/")[2]): json.loads(m.value) for m in got}
        self.assertEqual(sorted(by_offset), list(range(len(messages))))
        for offset, words in {1: "column", 2: "empty message", 3: "no key", 4: "the key '5' is not the id '6'", 5: "reports come from the ledger",
                              6: "column"}.items():
            self.assertIn(words, by_offset[offset]["error"])
            self.assertEqual(by_offset[offset]["line"], offset)
        self.assertIn("prediction", by_offset[0])
        self.assertIn("prediction", by_offset[7])
        self.assertEqual([json.loads(line.text)["id"] for line in self.parsed(0).lines], [1, "a b"])

    def test_refused_messages_are_counted_at_the_end(self):
        self.create()
        stream = self.start(*SAMPLER)
        self.send(self.instances, [instance(k) for k in range(5)])
        self.sender.send(self.instances, 0, b"5", b'{"id": 6, "text": "x"}')
        self.sender.send(self.labels, 0, b"7", b'no label')
        self.sender.flush()
        self.receiver().read_until(lambda m: len(m) == 7)
        _, said = stream.end()
        self.assertIn('2 of 7 messages were refused: their answers have an "error" that says why', said)

    def test_wrong_topics_and_brokers_are_told(self):
        self.failed(2, *self.flags(), says=["topic", self.instances, "Unknown topic"])
        self.failed(2, *self.flags(), says="Unknown topic")  # asking has not made it
        self.sender.create(self.instances, 2)
        self.sender.create(self.labels, 3)
        self.sender.create(self.answers, 2)
        self.failed(2, *self.flags(), says=["has 2 partitions", self.labels, "has 3"])
        flags = self.flags()
        flags[1] = "127.0.0.1:1"
        self.failed(2, *flags, says=["no broker answers at '127.0.0.1:1'"])
        self.failed(2, *self.flags("--kafka-property", "no.such=1"), says="no.such")
        self.failed(2, *self.flags("--kafka-property", "group.id=x"), says="set by the stream itself")

    def test_a_group_keeps_its_folder_and_a_ledger_its_topic(self):
        self.create()
        stream = self.start(*SAMPLER)
        self.send(self.instances, [instance(k) for k in range(5)])
        self.wait_for_lines(5)
        stream.end()
        flags = self.flags()
        flags[-1] = "elsewhere"
        self.failed(2, *flags, says=["has its ledgers in another folder", "a new group"])
        self.assertEqual(os.listdir(self.path("elsewhere")), ["identity"])
        # A ledger that lines were added to from elsewhere.
        self.ok("stream", "--ledger", self.ledger(0), stdin=b'{"id": "x", "text": "y"}\n')
        self.failed(2, *self.flags(), says="no message of a topic")

    def test_an_older_copy_of_a_ledger_is_refused(self):
        self.create()
        stream = self.start(*SAMPLER)
        self.send(self.instances, [instance(k) for k in range(5)])
        self.wait_for_lines(5)
        stream.end()
        copy = self.read(self.ledger(0))
        stream = self.start()
        self.send(self.instances, [instance(k) for k in range(5, 10)])
        self.wait_for_lines(10)
        stream.end()
        self.write(self.ledger(0), copy)
        self.failed(3, *self.flags(), says="an older copy of the ledger")

    def test_wrong_flags_are_told(self):
        for flags, words in [(["--kafka", "x:1"], "--kafka needs --instances"),
                             (["--instances", "a"], "--instances needs --kafka"),
                             (["--kafka-property", "a=b"], "--kafka-property needs --kafka"),
                             (self.flags("--model", "m"), "--model is not for --kafka"),
                             (self.flags()[:-2], "--kafka needs --ledger, a folder"),
                             (["--label-names", "a,b", "--labels", "a,b"], "--label-names and --labels")]:
            self.assertIn(words, self.complaint(self.askfew("stream", *flags), 2))


if __name__ == "__main__":
    main()
