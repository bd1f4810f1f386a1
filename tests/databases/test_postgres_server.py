"""`askfew serve` with its ledgers in PostgreSQL: kills, fail-over, outages, and wrong uses that are refused."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "server")]
import test_kills  # noqa: E402
from postgres import PASSWORD, Postgres  # noqa: E402
from service import ASKFEW, MEMORY, Client, ServerTest, instances  # noqa: E402

test_kills.KILLS = int(os.environ.get("ASKFEW_KILLS", "10"))
FAILOVERS = int(os.environ.get("ASKFEW_FAILOVERS", "3"))
PATIENCE = 180  # seconds; much more than needed, for a busy machine

database: Postgres
names = 0


def setUpModule():
    global database
    database = Postgres(os.environ.get("ASKFEW_POSTGRES_FOLDER"))


def tearDownModule():
    database.remove()


class PostgresServer(ServerTest):
    """A test with a server of its own, whose ledgers are in the database."""

    def setUp(self):
        global names
        names += 1
        self.collection = f"team {names}"
        self.options = ("--rate", "0", "--ledger", database.url(self.collection))
        super().setUp()

    def ledger(self, project):
        path = os.path.join(self.folder, "dumped")
        with open(path, "wb") as file:
            file.write(database.ledger(f"{self.collection}/{project.rsplit('/', 1)[1]}"))
        return path


class Kills(PostgresServer, test_kills.Kills):
    pass


class Second:
    """A second server on the same folder."""

    def __init__(self, test):
        command = [ASKFEW, "serve", os.path.join(test.folder, "projects"), "--port", "0", *test.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if "listening" not in first:
            raise AssertionError(first + self.process.stderr.read())
        self.port = int(first.rsplit(":", 1)[1])
        test.addCleanup(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def status(self, path="/readyz"):
        """Nothing if the connection ends without an answer, as it may in the moment in which a waiting server takes over."""
        client = Client(self.port)
        try:
            return client.get(path).status
        except ConnectionError:
            return None
        finally:
            client.connection.close()

    def wait_until_ready(self):
        start = time.monotonic()
        while self.status() != 200:
            if time.monotonic() > start + PATIENCE:
                raise AssertionError("it does not take over")
            time.sleep(0.02)
        return time.monotonic() - start


class Failover(PostgresServer):
    def test_a_second_server_waits_and_takes_over_and_nothing_acknowledged_is_lost(self):
        project = self.admin.project(sampler="perc")
        ports, sent, stop = [self.port], {}, threading.Event()

        def push():
            number, client = 0, None
            while not stop.is_set():
                try:
                    client = client or Client(ports[0], self.token)
                    reply = client.post(project + "/instances", instances(5, number))
                    if reply.status == 200:
                        for answer in reply.json()["answers"]:
                            if "ask" in answer:
                                sent[answer["id"]] = answer["ask"]
                        number += 5
                    else:
                        time.sleep(0.02)
                except (OSError, http.client.HTTPException, ValueError):
                    if client is not None:
                        client.connection.close()
                    client = None
                    time.sleep(0.02)
            if client is not None:
                client.connection.close()

        thread = threading.Thread(target=push)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(stop.set)
        leader, times = self.process, []
        for _ in range(FAILOVERS):
            second = Second(self)
            self.assertEqual((second.status(), second.status("/healthz"), second.status(project)), (503, 200, 503))
            time.sleep(0.3)
            before = len(sent)
            leader.kill()
            times.append(second.wait_until_ready())
            ports[0] = second.port
            leader = second.process
            end = time.monotonic() + PATIENCE
            while len(sent) < before + 20 and time.monotonic() < end:
                time.sleep(0.05)
            self.assertGreaterEqual(len(sent), before + 20)
        stop.set()
        thread.join()
        leader.send_signal(signal.SIGTERM)
        self.assertEqual(leader.wait(PATIENCE), 0)
        said = leader.stderr.read()
        self.assertIn("another server has the ledgers", said)
        self.assertNotIn(PASSWORD, said)
        seen = {row["id"] for row in self.replay(project) if row["asked"]}
        self.assertEqual(set(sent) - seen, set())
        print(f"fail-over took {max(times):.2f} s at most, {len(sent)} instances were acknowledged")

    def test_a_server_whose_ledgers_another_one_has_taken_ends(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(5))
        second = Second(self)
        self.process.send_signal(signal.SIGSTOP)  # as a machine that hangs
        database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks WHERE "
                     "locktype = 'advisory' AND granted)")
        second.wait_until_ready()
        client = Client(second.port, self.token)
        self.addCleanup(client.connection.close)
        self.assertEqual(client.post(project + "/instances", instances(5, 5)).status, 200)
        self.process.send_signal(signal.SIGCONT)
        try:
            self.assertEqual(self.admin.post(project + "/instances", instances(5, 10)).status, 503)
        except (OSError, http.client.HTTPException):
            pass  # it has ended
        self.assertEqual(self.process.wait(PATIENCE), 2)
        self.assertIn("another server has taken the ledgers", self.process.stderr.read())
        self.assertEqual(client.get(project + "/report").json()["rounds"], 10)


class Outages(PostgresServer):
    def test_requests_are_refused_while_the_database_is_gone_and_go_on_when_it_is_back(self):
        project = self.admin.project(sampler="perc")
        self.assertEqual(self.admin.post(project + "/instances", instances(5)).status, 200)
        database.stop()
        try:
            for _ in range(3):
                refused = self.admin.post(project + "/instances", instances(5, 5))
                self.assertEqual(refused.status, 503)
                self.assertNotIn(PASSWORD.encode(), refused.text)
            deadline = time.monotonic() + PATIENCE
            while self.admin.get("/readyz").status == 200 and time.monotonic() < deadline:
                time.sleep(0.1)
            self.assertEqual((self.admin.get("/readyz").status, self.admin.get("/healthz").status), (503, 200))
        finally:
            database.start()
        deadline = time.monotonic() + PATIENCE
        while self.admin.post(project + "/instances", instances(5, 5)).status != 200 and time.monotonic() < deadline:
            time.sleep(0.05)
        while self.admin.get("/readyz").status != 200 and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(self.admin.get(project + "/report").json()["rounds"], 10)
        self.assertEqual(len(self.admin.next(project, 5)["questions"]), 5)
        self.assertEqual(self.stop(), 0)
        self.assertEqual(len({row["id"] for row in self.replay(project) if row["asked"]}), 10)

    def test_many_projects_share_one_connection(self):
        for k in range(45):  # the database takes 40 connections
            project = self.admin.project(f"Project {k}", sampler="perc")
            self.assertEqual(self.admin.post(project + "/instances", instances(2)).status, 200)
        self.assertEqual(self.admin.get(project + "/decisions").text.count(b"\n"), 3)


class WrongUses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def serve(self, folder, *options, makes_project=False):
        """Starts and stops a server; returns what it says, and its exit code."""
        process = subprocess.Popen([ASKFEW, "serve", os.path.join(self.folder, folder), "--port", "0", *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        out = ""
        for line in process.stdout:
            out += line
            if line.startswith("listening"):
                break
        if makes_project:
            client = Client(int(out.rsplit(":", 1)[1]), out.splitlines()[0].split()[-1])
            client.project()
            client.connection.close()
        process.send_signal(signal.SIGTERM)
        rest, err = process.communicate(timeout=PATIENCE)
        return out + rest + err, process.returncode

    def refused(self, text, *arguments):
        said, code = self.serve(*arguments)
        self.assertEqual(code, 2, said)
        self.assertIn(text, said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertNotIn(PASSWORD, said)

    def test_a_folder_and_its_ledgers_belong_together(self):
        here, there = database.url("here"), database.url("there")
        self.assertEqual(self.serve("a", "--ledger", here, makes_project=True)[1], 0)
        self.assertEqual(self.serve("a", "--ledger", here)[1], 0)
        self.refused("the ledgers of this folder are in", "a")
        self.refused("has no ledgers of this folder", "a", "--ledger", there)
        self.refused("belong to another folder", "b", "--ledger", here)
        self.assertEqual(self.serve("c", makes_project=True)[1], 0)
        self.refused("ledgers in files", "c", "--ledger", there)
        self.refused("are in no database", "d", "--ledger", "ledger")
        self.refused("password authentication failed", "d", "--ledger", database.url(password="wrong"))

    def test_a_backup_has_the_ledgers_as_files(self):
        url = database.url("saved")
        self.assertEqual(self.serve("a", "--ledger", url, makes_project=True)[1], 0)
        backup = [ASKFEW, "backup", os.path.join(self.folder, "a"), os.path.join(self.folder, "b")]
        refused = subprocess.run(backup, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("the ledgers of this folder are in", refused.stderr)
        done = subprocess.run([*backup, "--ledger", url], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "b", "projects", "spam", "ledger"), "rb") as file:
            self.assertEqual(file.read(), database.ledger("saved/spam"))
        self.assertEqual(self.serve("b")[1], 0)


if __name__ == "__main__":
    unittest.main()
