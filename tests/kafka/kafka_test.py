"""Helpers of the tests on a real broker: one broker for all tests of a program, processes of `askfew stream --kafka`."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
import uuid

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "faults")]

from broker import Broker, missing_program  # noqa: E402
from harness import ASKFEW, CliTest  # noqa: E402
from live_stream import instance, label  # noqa: E402
from parsed_ledger import Decision, ParsedLedger  # noqa: E402
from topics import PATIENCE, Receiver, Sender  # noqa: E402

SKIPPED = 77  # tests/CMakeLists.txt calls a test with this exit code skipped
SHORT_SESSION = ["--kafka-property", "session.timeout.ms=2000", "--kafka-property", "heartbeat.interval.ms=500"]


def without_latency(text):
    return re.sub(rb',"latency":[0-9.e+-]+', b"", text)


class Process:
    """A running `askfew stream --kafka`."""

    def __init__(self, folder, arguments):
        self.log = open(os.path.join(folder, f"stderr-{uuid.uuid4().hex}"), "w+b")
        self.process = subprocess.Popen([ASKFEW, "stream", *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self.log)

    def is_running(self):
        return self.process.poll() is None

    def end(self, how=signal.SIGTERM):
        """Ends the process by a signal; returns its exit code and what it said."""
        if self.is_running():
            self.process.send_signal(how)
        try:
            code = self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            self.log.seek(0)
            said = self.log.read().decode()
            self.log.close()
        return code, said


class KafkaTest(CliTest):
    """Tests with a broker and topics of their own."""

    @classmethod
    def setUpClass(cls):
        cls.broker = Broker()
        cls.broker.__enter__()
        cls.addClassCleanup(cls.broker.__exit__)
        cls.sender = Sender(cls.broker.address)
        cls.addClassCleanup(cls.sender.__exit__)

    def setUp(self):
        super().setUp()
        name = uuid.uuid4().hex[:8]
        self.instances, self.labels, self.answers, self.group = (
            f"{kind}-{name}" for kind in ("instances", "labels", "answers", "group"))
        self.processes = []
        self.addCleanup(self.end_all)

    def end_all(self):
        for process in self.processes:
            if not process.log.closed:
                process.end(signal.SIGKILL)

    def create(self, partitions=1):
        for topic in self.instances, self.labels, self.answers:
            self.sender.create(topic, partitions)
        self.partitions = partitions

    def flags(self, *more):
        return ["--kafka", self.broker.address, "--instances", self.instances, "--labels", self.labels, "--answers",
                self.answers, "--group", self.group, "--ledger", "ledgers", *more]

    def start(self, *more):
        return self.start_with(self.flags(*more))

    def start_with(self, flags):
        process = Process(self.folder, [*flags, *SHORT_SESSION])
        self.processes.append(process)
        return process

    def partition_of(self, key):
        return key % self.partitions

    def send(self, topic, objects):
        for record in objects:
            self.sender.send(topic, self.partition_of(record["id"]), str(record["id"]).encode(), json.dumps(record).encode())
        self.sender.flush()

    def receiver(self, topic=None):
        receiver = Receiver(self.broker.address, topic or self.answers, range(self.partitions))
        self.addCleanup(receiver.__exit__)
        return receiver

    def ledger(self, partition):
        return f"ledgers/{self.instances}-{partition}.ledger"

    def parsed(self, partition):
        return self.parsed_at(self.ledger(partition))

    def parsed_at(self, path):
        try:
            return ParsedLedger(self.read(path))
        except FileNotFoundError:
            return ParsedLedger(b"")

    def wait_for_lines(self, lines, patience=PATIENCE):
        end = time.monotonic() + patience
        while sum(len(self.parsed(p).lines) for p in range(self.partitions)) < lines:
            self.assertLess(time.monotonic(), end, "the ledgers do not have the lines")
            time.sleep(0.1)

    def failed(self, code, *flags, says):
        """A stream that is refused says why in one line."""
        process = Process(self.folder, flags)
        self.processes.append(process)
        process.process.wait(PATIENCE)
        got, said = process.end()
        self.assertEqual(got, code, said)
        line = said.splitlines()[-1]
        self.assertTrue(line.startswith("askfew: "), said)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, line)
        return said


def main():
    why = missing_program()
    if why:
        print(f"skipped: {why}")
        sys.exit(SKIPPED)
    unittest.main()


__all__ = ["Decision", "KafkaTest", "ParsedLedger", "instance", "json", "label", "main", "os", "signal", "time",
           "without_latency"]
