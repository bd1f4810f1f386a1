"""HTTPS by a certificate of the server's own, and what a proxy in front of the server says."""

import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest
import warnings

from service import ASKFEW, Client, ServerTest, TurnedClock, instances

LOGIN = "/api/v1/login"


def make_certificate(folder, name, *more):
    """A key and a certificate of its own for 127.0.0.1; returns their files."""
    key, certificate = os.path.join(folder, name + ".key"), os.path.join(folder, name + ".crt")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                    "-out", certificate, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", *more],
                   check=True, capture_output=True)
    return certificate, key


class SecureClient(Client):
    def __init__(self, port, token=None, **more):
        super().__init__(port, token)
        self.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, **more)


class Secure(ServerTest):
    def start(self):
        self.certificate, self.key = make_certificate(self.folder, "server")
        self.options = ("--rate", "0", "--tls-certificate", self.certificate, "--tls-key", self.key)
        command = [ASKFEW, "serve", os.path.join(self.folder, "projects"), "--port", "0", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.token = self.process.stdout.readline().split()[-1]
        found = re.fullmatch(r"listening on https://127\.0\.0\.1:(\d+)\n", self.process.stdout.readline())
        self.port = int(found.group(1))
        self.admin = self.client(self.token)

    def client(self, token=None, **more):
        more.setdefault("context", ssl.create_default_context(cafile=self.certificate))
        client = SecureClient(self.port, token, **more)
        self.addCleanup(client.connection.close)
        return client

    def test_requests_lines_and_events_come_by_tls_and_cookies_are_secure(self):
        project = self.admin.project(sampler="perc")
        self.assertTrue(self.admin.post(project + "/instances", {"id": "a", "text": "cheap"}).json()["ask"])
        lines = "".join(json.dumps(one) + "\n" for one in instances(2_000))
        answers = self.client(self.token).post(project + "/instances", lines, kind="application/x-ndjson").lines()
        self.assertEqual([one["id"] for one in answers], [f"m{k}" for k in range(2_000)])
        exported = self.client(self.token).get(project + "/decisions?format=jsonl").lines()
        self.assertEqual(len(exported), 2_001)
        cookie = self.client().post(LOGIN, {"token": self.token}).headers["Set-Cookie"]
        self.assertIn("; Secure", cookie)
        self.assertIn("HttpOnly", cookie)
        environment = {**os.environ, "ASKFEW_URL": f"https://127.0.0.1:{self.port}", "ASKFEW_TOKEN": self.token}
        trusted = subprocess.run([ASKFEW, "client", "report", "spam"], capture_output=True, text=True, timeout=60,
                                 env={**environment, "SSL_CERT_FILE": self.certificate})
        self.assertEqual(json.loads(trusted.stdout)["rounds"], 2_001, trusted.stderr)
        watched = subprocess.run([ASKFEW, "client", "watch", "spam", "--events", "1"], capture_output=True, text=True, timeout=60,
                                 env={**environment, "SSL_CERT_FILE": self.certificate})
        self.assertEqual(json.loads(watched.stdout)["rounds"], 2_001, watched.stderr)
        stranger = subprocess.run([ASKFEW, "client", "report", "spam"], capture_output=True, text=True, timeout=60,
                                  env=environment)
        self.assertEqual(stranger.returncode, 2)
        self.assertIn("certificate", stranger.stderr)
        self.assertEqual(self.stop(), 0)
        self.assertEqual(len(self.replay(project)), 2_001)

    def test_old_versions_and_plain_http_are_refused_and_harm_nobody(self):
        old = ssl.create_default_context(cafile=self.certificate)
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        with warnings.catch_warnings(action="ignore"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.set_ciphers("DEFAULT@SECLEVEL=0")
        with self.assertRaises(ssl.SSLError):
            self.client(context=old).get("/healthz")
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = ssl.create_default_context(cafile=self.certificate)
            context.minimum_version = context.maximum_version = version
            self.assertEqual(self.client(context=context).get("/healthz").status, 200)
        plain = Client(self.port)
        self.addCleanup(plain.connection.close)
        reply = plain.get("/healthz")
        self.assertEqual(reply.status, 400)
        self.assertIn("HTTPS", reply.json()["detail"])
        for garbage in (b"\x16\x03\x01\xff\xff" + b"\0" * 500, b"\0" * 100, b""):
            with socket.create_connection(("127.0.0.1", self.port)) as connection:
                connection.sendall(garbage)
        self.assertEqual(self.client().get("/healthz").status, 200)


class Certificates(unittest.TestCase):
    def test_files_that_do_not_work_are_told_before_the_server_starts(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = make_certificate(folder, "good")
            _, other = make_certificate(folder, "other")
            clock = TurnedClock(folder)
            text, locked = os.path.join(folder, "text"), os.path.join(folder, "locked.key")
            with open(text, "w", encoding="utf-8") as file:
                file.write("no certificate\n")
            empty = os.path.join(folder, "empty")
            open(empty, "w", encoding="utf-8").close()
            subprocess.run(["openssl", "ec", "-aes256", "-passout", "pass:secret", "-in", key, "-out", locked], check=True,
                           capture_output=True)
            for flags, why in ((("--tls-certificate", certificate), "--tls-key"),
                               (("--tls-key", key), "--tls-certificate"),
                               (("--tls-certificate", folder + "/none", "--tls-key", key), "none: cannot be read: No such file"),
                               (("--tls-certificate", certificate, "--tls-key", folder + "/none"), "none: cannot be read: No such"),
                               (("--tls-certificate", folder, "--tls-key", key), "cannot be read"),
                               (("--tls-certificate", empty, "--tls-key", key), "is empty"),
                               (("--tls-certificate", text, "--tls-key", key), "not a certificate in PEM"),
                               (("--tls-certificate", certificate, "--tls-key", text), "not a private key"),
                               (("--tls-certificate", certificate, "--tls-key", other), "does not belong to"),
                               (("--tls-certificate", certificate, "--tls-key", locked), "has a passphrase")):
                self.assert_refused(folder, flags, why)
            for years, why in ((10, "the certificate ended on"), (-10, "the certificate begins on")):
                clock.turn(years * 365 * 86_400)
                self.assert_refused(folder, ("--tls-certificate", certificate, "--tls-key", key), why, **clock.environment)

    def assert_refused(self, folder, flags, why, **environment):
        done = subprocess.run([ASKFEW, "serve", os.path.join(folder, "projects"), "--port", "0", *flags],
                              capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
        self.assertEqual((done.returncode, done.stdout), (2, ""), (flags, done.stderr))
        self.assertIn(why, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


class Proxies(ServerTest):
    FORWARDED = {"X-Forwarded-For": "6.6.6.6, 203.0.113.7", "X-Forwarded-Proto": "https"}

    def log_of(self, *options):
        """What one login by a proxy leaves in the log, and its cookie."""
        self.kill()
        self.options = ("--rate", "0", "--log", *options)
        self.start()
        cookie = self.client().post(LOGIN, {"token": self.token}, headers=self.FORWARDED).headers["Set-Cookie"]
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=30)
        return json.loads(errors.splitlines()[0]), cookie

    def test_what_a_proxy_says_counts_only_when_told(self):
        line, cookie = self.log_of()
        self.assertEqual((line["client"], "Secure" in cookie), ("127.0.0.1", False))
        line, cookie = self.log_of("--behind-proxy")
        self.assertEqual((line["client"], "Secure" in cookie), ("203.0.113.7", True))
        self.FORWARDED = {"X-Forwarded-For": "<script>", "X-Forwarded-Proto": "http"}
        line, cookie = self.log_of("--behind-proxy")
        self.assertEqual((line["client"], "Secure" in cookie), ("127.0.0.1", False))


if __name__ == "__main__":
    unittest.main()
