"""Helpers of the page's tests: a real server in a temporary folder, Debian's Chromium, the API for a program.

    ASKFEW=... CHROMIUM=/usr/bin/chromium AXE=.../axe.min.js PYTHONPATH=tests/web/pages python -m unittest test_labelling
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASKFEW = ROOT / os.environ.get("ASKFEW", "build/release/apps/cli/askfew")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SPAM = ("free prizes, claim now", "win cash today", "urgent: your prize waits")
HAM = ("see you at noon", "minutes of the meeting", "dinner at eight?")


class Server:
    """`askfew serve` on a folder, on a port that the system chooses."""

    def __init__(self, folder):
        self.folder = folder
        self.token = None
        self.start()

    def start(self):
        self.process = subprocess.Popen([ASKFEW, "serve", self.folder, "--port", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        said = ""
        while not re.search(r"http://127\.0\.0\.1:\d+", said) or (self.token is None and "token" not in said):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"the server ended: {said}")
            said += line
        self.address = re.search(r"http://127\.0\.0\.1:\d+", said).group()
        self.token = self.token or re.search(r"token.*: (\S{16,})", said).group(1)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()

    def call(self, method, path, body=None, token=None):
        """The answer's JSON, or a list for JSON lines."""
        lines = isinstance(body, list)
        data = None if body is None else ("\n".join(map(json.dumps, body)) if lines else json.dumps(body)).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/{path}", data, method=method, headers={
            "Authorization": f"Bearer {token or self.token}",
            "Content-Type": "application/x-ndjson" if lines else "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read().decode()
                lines = "ndjson" in answer.headers["Content-Type"] if text else False
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return [json.loads(line) for line in text.splitlines()] if lines else json.loads(text or "null")

    def project(self, instances, name="spam", **settings):
        """Makes a project that asks for every label, sends the instances, returns its id."""
        made = self.call("POST", "projects", {"name": name, "question": "Is this spam?", "labels": ["spam", "ham"],
                                              "kind": "yes-no", "sampler": "perc", **settings})
        if instances:
            self.call("POST", f"projects/{made['id']}/instances", instances)
        return made["id"]

    def annotator(self, name, projects):
        return self.call("POST", "tokens", {"name": name, "role": "annotator", "projects": projects})["token"]

    def labels(self, project):
        """What the ledger has, in order."""
        return self.call("GET", f"projects/{project}/labels?format=jsonl")


def messages(count):
    return [{"id": f"m{k}", "text": f"{(SPAM, HAM)[k % 2][k // 2 % 3]} {k}"} for k in range(1, count + 1)]


class PageTest(unittest.TestCase):
    """A server with an empty folder and a browser for each test. A script's error or an open dialog fails the test."""

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="askfew-web-")
        self.addCleanup(folder.cleanup)
        self.server = Server(folder.name)
        self.addCleanup(lambda: self.server.stop() if self.server.process.poll() is None else None)
        self.errors = []
        self.addCleanup(lambda: self.assertEqual(self.errors, []))

    def context(self, **options):
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-US", **options})
        context.set_default_timeout(20_000)
        self.addCleanup(context.close)
        return context

    def page(self, token=None, context=None, **options):
        """A page whose visitor has logged in by a link; `token=""`: nobody has."""
        page = (context or self.context(**options)).new_page()
        page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(self.server.address + ("" if token == "" else f"/#token={token or self.server.token}"))
        page.wait_for_selector("h1")
        return page

    def open(self, page, route):
        page.goto(f"{self.server.address}/#/{route}")

    def label(self, page, project):
        """Opens the labelling page and waits for its first question, not for one of the page before."""
        self.open(page, f"p/{project}/label")
        page.wait_for_selector(f".label:has(.where a[href='#/p/{project}']) .card[data-id]")

    def shown(self, page):
        """The id of the question on the page; waits until there is one."""
        page.wait_for_selector(".card[data-id]")
        return page.locator(".card").get_attribute("data-id")

    def wait_until(self, page, expression):
        """Waits until an expression of JavaScript is true. The page's policy forbids Playwright's own way."""
        end = time.monotonic() + 20
        while not page.evaluate(expression):
            self.assertLess(time.monotonic(), end, f"still not true: {expression}")
            page.wait_for_timeout(20)

    def wait_until_sent(self, page, user=""):
        self.wait_until(page, f"Object.keys(localStorage).every(name => !name.startsWith('askfew/{user}'))")

    def restarted_labels(self, project):
        """The ledger's labels after a stop, which learns the answers that were held."""
        self.server.stop()
        self.server.start()
        return self.server.labels(project)
