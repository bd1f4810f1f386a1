"""A full or read-only disk, a clock that jumps, clients that never read or are slow, too many connections: clear answers,
bounded memory, nothing lost."""

import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from service import ASKFEW, ROOT, ServerTest, TurnedClock, instances

sys.path.insert(0, os.path.join(ROOT, "tests", "faults"))
from parsed_ledger import ParsedLedger  # noqa: E402


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

    def test_a_folder_that_cannot_be_written_takes_nothing_new_and_keeps_what_it_has(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(5))
        self.limit_files(0)  # no file may grow: new files stay empty, and the database cannot be written
        made = self.admin.post("/api/v1/projects", {"name": "Other", "labels": ["a", "b"]})
        self.assertIn(made.status, (503, 507), made.text)
        changed = self.admin.send("PATCH", project, {"question": "Really?"})
        self.assertEqual(changed.status, 503, changed.text)
        token = self.admin.post("/api/v1/tokens", {"name": "eve", "role": "reader"})
        self.assertEqual(token.status, 503, token.text)
        self.assertEqual(self.admin.get(project + "/labels").status, 503)
        self.assertEqual(self.admin.get(project + "/report").json()["rounds"], 5)
        self.limit_files(resource.RLIM_INFINITY)
        self.assertEqual([one["id"] for one in self.admin.get("/api/v1/projects").json()["projects"]], ["spam"])
        self.assertEqual(self.admin.post("/api/v1/projects", {"name": "Other", "labels": ["a", "b"]}).status, 201)
        self.assertEqual(self.person("eve", "reader").get(project).status, 200)
        self.assertEqual(self.stop(), 0)
        self.assertEqual(len(self.replay(project)), 5)

    def test_a_folder_that_is_read_only_from_the_start_is_told(self):
        self.assertEqual(self.stop(), 0)
        for wrong in ("/proc/askfew", "/sys/askfew"):
            done = subprocess.run([ASKFEW, "serve", wrong, "--port", "0"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(wrong, done.stderr)
        self.start()

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

    def test_a_slow_client_stops_nobody_and_gets_its_answer(self):
        project = self.admin.project(sampler="perc")
        body = json.dumps({"id": "slow", "text": "cheap"}).encode()
        head = (f"POST {project}/instances HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        slow = [socket.create_connection(("127.0.0.1", self.port), timeout=60) for _ in range(50)]
        for connection in slow:
            self.addCleanup(connection.close)
        request = head + body
        for k in range(0, len(request), 25):
            for connection in slow:
                connection.sendall(request[k:k + 25])
            fast = self.admin.post(project + "/instances", {"id": f"fast {k}", "text": "cheap"})
            self.assertEqual(fast.status, 200)
        answers = [connection.recv(65536) for connection in slow]
        self.assertTrue(all(answer.startswith(b"HTTP/1.1 200") for answer in answers))
        self.assertEqual(sum(b'"repeated":true' not in answer for answer in answers), 1)  # one of the fifty was first


class ManyConnections(ServerTest):
    options = ("--rate", "0", "--max-connections", "20")

    def test_one_connection_too_many_gets_an_answer_and_the_others_go_on(self):
        self.assertEqual(self.admin.get("/healthz").status, 200)
        others = [socket.create_connection(("127.0.0.1", self.port), timeout=60) for _ in range(19)]
        for connection in others:
            self.addCleanup(connection.close)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b"200 OK", connection.recv(65536))
        for _ in range(30):
            extra = self.client()
            reply = extra.get("/healthz")
            self.assertEqual((reply.status, reply.headers["Retry-After"]), (503, "1"))
            self.assertIn("too many connections", reply.json()["detail"])
            extra.connection.close()
        self.assertEqual(self.admin.get("/healthz").status, 200)
        self.assertIn(b"askfew_connections_refused_total 30", self.admin.get("/metrics").text)
        others.pop().close()
        for _ in range(100):
            if self.client().get("/healthz").status == 200:
                break
            time.sleep(0.05)
        else:
            self.fail("a free place is never given")


class Clocks(ServerTest):
    options = ("--rate", "0", "--lease", "1")

    def start(self):
        self.clock = self.clock if self.process else TurnedClock(self.folder)
        with unittest.mock.patch.dict(os.environ, self.clock.environment):
            super().start()

    def next_of(self, client, project):
        """The next question, as soon as the lease of somebody else has ended."""
        questions = client.next(project, 1, wait=30)["questions"]
        return questions[0]["id"] if questions else None

    def test_a_clock_that_jumps_loses_nothing_and_leases_end_in_time(self):
        project = self.admin.project(sampler="perc")
        ann, bob = self.person("ann"), self.person("bob")
        for k, seconds in enumerate((0, -86_400 * 365, 3600, -5, 0)):
            self.clock.turn(seconds)  # while the server runs
            self.assertTrue(self.admin.post(project + "/instances", instances(1, k)).json()["answers"][0]["ask"])
            self.assertEqual(self.next_of(bob, project), f"m{k}")  # and never answers
            self.kill()
            self.start()  # and while it does not
            ann, bob = self.client(ann.token), self.client(bob.token)
            self.assertEqual(self.next_of(ann, project), f"m{k}")
            self.assertEqual(ann.answer(project, f"m{k}", "spam")["state"], "held")
        self.assertEqual(self.admin.get(project + "/report").json()["rounds"], 5)
        self.assertEqual(self.stop(), 0)
        with open(self.ledger(project), "rb") as file:
            times = [line.time for line in ParsedLedger(file.read()).lines]
        self.assertEqual(len(times), 10)
        self.assertEqual([row["outcome"] for row in self.replay(project)].count("learned"), 5)


if __name__ == "__main__":
    unittest.main()
