"""A full disk, a ledger that is taken away, and clients that never read: clear answers, bounded memory, nothing lost."""

import json
import os
import resource
import socket
import time
import unittest

from service import ServerTest, instances


class Disks(ServerTest):
    def limit_files(self, bytes_):
        """No file of the server may grow beyond this size: as on a full disk, a write fails or is cut short."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (bytes_, resource.RLIM_INFINITY))

    def test_a_full_disk_takes_nothing_and_loses_nothing(self):
        project = self.admin.project(sampler="perc")
        ann = self.person("ann")
        first = self.admin.post(project + "/instances", instances(20)).json()["answers"]
        self.assertTrue(all(one["ask"] for one in first))
        leased = ann.next(project, 20)["questions"]
        self.assertEqual(len(leased), 20)
        self.assertEqual(ann.answer(project, "m0", "spam")["state"], "held")
        self.limit_files(os.path.getsize(self.ledger(project)) + 10)
        refused = self.admin.post(project + "/instances", instances(3, 20))
        self.assertEqual(refused.status, 200)
        for one in refused.json()["answers"]:
            self.assertIn("cannot be written", one["error"])
        answer = ann.answer(project, "m1", "spam")
        self.assertEqual(answer["state"], "error")
        self.assertIn("cannot be written", answer["detail"])
        self.assertEqual(ann.send("DELETE", project + "/answers/key%20of%20m0").status, 503)
        self.assertEqual(self.admin.get(project + "/report").json()["rounds"], 20)  # reading works
        self.limit_files(resource.RLIM_INFINITY)
        self.assertEqual(ann.answer(project, "m1", "spam", key="another")["state"], "held")
        self.assertTrue(all(one["ask"] for one in self.admin.post(project + "/instances", instances(3, 20)).json()["answers"]))
        self.assertEqual(self.stop(), 0)
        rows = self.replay(project)
        self.assertEqual([row["id"] for row in rows if row["asked"] == "1"], [f"m{k}" for k in range(23)])
        self.assertEqual([(row["id"], row["outcome"]) for row in rows if row["outcome"]], [("m0", "learned"), ("m1", "learned")])

    def test_a_ledger_that_is_moved_away_takes_nothing_until_it_is_back(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(5))
        ledger = self.ledger(project)
        os.rename(ledger, ledger + ".away")
        self.assertIn("error", self.admin.post(project + "/instances", {"id": "x", "text": "cheap"}).json())
        self.assertEqual(self.admin.answer(project, "m0", "spam")["state"], "error")
        os.rename(ledger + ".away", ledger)
        self.assertTrue(self.admin.post(project + "/instances", {"id": "x", "text": "cheap"}).json()["ask"])
        self.assertEqual(self.stop(), 0)
        self.assertEqual(len(self.replay(project)), 6)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmRSS"))

    def test_clients_that_never_read_take_little_memory_and_stop_nobody(self):
        project = self.admin.project(sampler="perc")
        for k in range(4):
            lines = "".join(json.dumps({**one, "text": one["text"] + " x" * 400}) + "\n" for one in instances(1000, 1000 * k))
            self.admin.post(project + "/instances", lines, kind="application/x-ndjson")
        before = self.memory()
        deaf = []
        for path, number in (("/decisions?format=jsonl", 20), ("/pending?limit=1000", 20), ("/events", 20)):
            for _ in range(number):
                connection = socket.create_connection(("127.0.0.1", self.port))
                self.addCleanup(connection.close)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                request = f"GET {project}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n\r\n"
                connection.sendall(request.encode() * 50)  # one request after the other, no answer is read
                deaf.append(connection)
        other = self.client(self.token)
        for k in range(20):
            self.assertEqual(other.post(project + "/instances", {"id": f"n{k}", "text": "cheap"}).status, 200)
            time.sleep(0.05)
        self.assertLess(self.memory() - before, 200)  # MiB; 60 answers of a few MiB at most, none of the 50 behind them


if __name__ == "__main__":
    unittest.main()
