"""schemathesis sends what openapi.json describes and what it forbids: no answer blames the server, all are described.

  ASKFEW=build/release/apps/cli/askfew ASKFEW_BUILD=build/release ASKFEW_EXAMPLES=1000 python3 tests/server/test_schemathesis.py
"""

import hashlib
import os
import subprocess
import sys
import unittest

from service import ROOT, ServerTest, instances

WORK = os.path.join(ROOT, os.environ.get("ASKFEW_BUILD", "build/release"), "schemathesis")
REQUIREMENTS = os.path.join(ROOT, "tests", "server", "requirements.txt")
EXAMPLES = os.environ.get("ASKFEW_EXAMPLES", "5")  # of each address, besides those that cover the description
CHECKS = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
          "response_schema_conformance", "unsupported_method", "ignored_auth")


def make_environment():
    """The pinned program, in the build folder; it is installed again when the list changes."""
    with open(REQUIREMENTS, "rb") as file:
        wanted = hashlib.sha256(file.read() + sys.version.encode()).hexdigest()
    stamp = os.path.join(WORK, "installed")
    if os.path.exists(stamp):
        with open(stamp, encoding="ascii") as file:
            if file.read() == wanted:
                return
    subprocess.run([sys.executable, "-m", "venv", "--clear", WORK], check=True)
    subprocess.run([os.path.join(WORK, "bin", "pip"), "install", "-q", "--disable-pip-version-check", "-r", REQUIREMENTS], check=True)
    with open(stamp, "w", encoding="ascii") as file:
        file.write(wanted)


class Schemathesis(ServerTest):
    def test_every_answer_is_described_and_none_blames_the_server(self):
        make_environment()
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(5))
        with open(os.path.join(self.folder, "schemathesis.toml"), "w", encoding="utf-8") as file:
            file.write('[parameters]\n"query.wait" = 0\n')  # nobody waits for a question
        done = subprocess.run(
            [os.path.join(WORK, "bin", "schemathesis"), "run", f"http://127.0.0.1:{self.port}/openapi.json",
             "-H", f"Authorization: Bearer {self.token}", "--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing",
             "--max-examples", EXAMPLES, "--seed", "1", "--generation-database", "none", "--no-color", "--continue-on-failure",
             "--suppress-health-check", "all", "--request-timeout", "120",
             "--exclude-path-regex", "/events$|/logout$"],  # a stream without an end, and the end of the login
            capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr)
        print("".join(line + "\n" for line in done.stdout.splitlines() if "generated" in line))
        self.assertEqual(self.client().get("/healthz").status, 200)


if __name__ == "__main__":
    unittest.main()
