"""Helpers of the tests of `askfew serve`: a real server in a temporary folder, and a small client."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
MEMORY = "/dev/shm"  # a sync takes long on a real disk


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read()

    def json(self):
        return json.loads(self.text)

    def lines(self):
        return [json.loads(line) for line in self.text.splitlines()]


class Client:
    """Requests of one person over one connection."""

    def __init__(self, port, token=None):
        self.port, self.token = port, token
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=180)

    def send(self, method, path, body=None, headers=None, kind="application/json"):
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", "Bearer " + self.token)
        if body is not None:
            headers.setdefault("Content-Type", kind)
            if not isinstance(body, (str, bytes)):
                body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        try:
            self.connection.request(method, path, body, headers)
            return Reply(self.connection.getresponse())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, body, **more):
        return self.send("POST", path, body, **more)

    def project(self, name="Spam", **settings):
        """Makes a project, and returns the beginning of its addresses."""
        settings = {"name": name, "question": "Is it spam?", "labels": ["spam", "ham"], **settings}
        made = self.post("/api/v1/projects", settings)
        assert made.status == 201, made.text
        return "/api/v1/projects/" + made.json()["id"]

    def next(self, project, n=1, wait=0):
        return self.get(f"{project}/questions/next?n={n}&wait={wait}").json()

    def answer(self, project, id_, label, key=None, **more):
        answer = {"key": key or f"key of {id_}", "id": id_, "label": label, **more}
        return self.post(f"{project}/answers", {"answers": [answer]}).json()["results"][0]


class ServerTest(unittest.TestCase):
    """A test with a server of its own."""

    options = ("--rate", "0")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.process = None
        self.start()
        self.addCleanup(self.kill)

    def start(self):
        command = [ASKFEW, "serve", os.path.join(self.folder, "projects"), "--port", "0", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if "token" in first:
            self.token = first.split()[-1]
            first = self.process.stdout.readline()
        found = re.fullmatch(r"listening on http://127\.0\.0\.1:(\d+)\n", first)
        if not found:
            raise AssertionError(f"the server said {first!r}: {self.process.stderr.read()}")
        self.port = int(found.group(1))
        self.admin = self.client(self.token)

    def client(self, token=None):
        client = Client(self.port, token)
        self.addCleanup(client.connection.close)
        return client

    def person(self, name, role="annotator", projects=None):
        made = self.admin.post("/api/v1/tokens", {"name": name, "role": role, "projects": projects})
        self.assertEqual(made.status, 201, made.text)
        return self.client(made.json()["token"])

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=120)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def ledger(self, project):
        return os.path.join(self.folder, "projects", "projects", project.rsplit("/", 1)[1], "ledger")

    def replay(self, project):
        """The trace of an independent replay, which fails if any outcome differs."""
        trace = os.path.join(self.folder, "trace.csv")
        done = subprocess.run([ASKFEW, "replay", self.ledger(project), "--trace", trace], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(trace, encoding="utf-8") as file:
            names = file.readline().strip().split(",")
            return [dict(zip(names, line.rstrip("\n").split(","))) for line in file]


class TurnedClock:
    """For programs with this environment the clock of the wall is off by some seconds."""

    def __init__(self, folder):
        self.offset = os.path.join(folder, "offset")
        library = os.path.join(folder, "clock.so")
        source = os.path.join(ROOT, "tests", "server", "clock.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        self.environment = {"LD_PRELOAD": library, "ASKFEW_TEST_CLOCK": self.offset}
        self.turn(0)

    def turn(self, seconds):
        with open(self.offset + ".new", "w", encoding="ascii") as file:
            file.write(str(seconds))
        os.replace(self.offset + ".new", self.offset)


def instances(count, first=0):
    return [{"id": f"m{k}", "text": f"word{k % 7} word{k % 11} cheap{k % 3} watches {'now' if k % 2 else 'later'}"}
            for k in range(first, first + count)]
