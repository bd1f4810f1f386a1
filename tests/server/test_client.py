"""`askfew client` does from the shell what the page and programs do."""

import json
import os
import subprocess
import unittest

from service import ASKFEW, ServerTest, instances


class Clients(ServerTest):
    def run_client(self, *arguments, stdin="", token=None, url=None):
        environment = {**os.environ, "ASKFEW_URL": url or f"http://127.0.0.1:{self.port}", "ASKFEW_TOKEN": token or self.token}
        return subprocess.run([ASKFEW, "client", *arguments], input=stdin, capture_output=True, text=True, timeout=60,
                              env=environment)

    def ok(self, *arguments, **more):
        done = self.run_client(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_project_is_worked_on_from_the_shell(self):
        self.admin.project(sampler="perc")
        lines = "".join(json.dumps(one) + "\n" for one in instances(1200))
        pushed = [json.loads(line) for line in self.ok("push", "spam", stdin=lines).splitlines()]
        self.assertEqual([one["id"] for one in pushed], [f"m{k}" for k in range(1200)])
        again = [json.loads(line) for line in self.ok("push", "spam", "-", stdin=lines).splitlines()]
        self.assertTrue(all(one["repeated"] for one in again))  # sending again changes nothing
        file = os.path.join(self.folder, "more.jsonl")
        with open(file, "w", encoding="utf-8") as out:
            out.write('\n{"id": 7, "text": "cheap"}\n')
        self.assertTrue(json.loads(self.ok("push", "spam", file))["ask"])
        questions = [json.loads(line) for line in self.ok("next", "spam", "-n", "3").splitlines()]
        self.assertEqual([one["id"] for one in questions], ["m0", "m1", "m2"])
        self.assertEqual(json.loads(self.ok("answer", "spam", "m0", "spam", "--comment", "sure"))["state"], "held")
        self.ok("answer", "spam", '"m1"', "--unsure")
        self.ok("answer", "spam", "m2", "--skip")
        self.ok("answer", "spam", "7", "ham")
        report = json.loads(self.ok("report", "spam"))
        self.assertEqual((report["rounds"], report["held"]), (1201, 1))
        counts = json.loads(self.ok("watch", "spam", "--events", "1"))
        self.assertEqual((counts["rounds"], counts["answered"]), (1201, 2))  # one was skipped, and one is unsure
        self.assertEqual(self.stop(), 0)
        said = [(row["id"], row["outcome"]) for row in self.replay("/spam") if row["outcome"] in ("learned", "unsure", "skipped")]
        self.assertEqual(said, [("m0", "learned"), ("m1", "unsure"), ("m2", "skipped"), ("7", "learned")])

    def test_what_is_wrong_is_said_in_one_line(self):
        self.admin.project()
        for arguments, more, code, why in ((("report", "none"), {}, 2, "no such project"),
                                           (("report", "spam"), {"token": "x"}, 2, "not known"),
                                           (("report", "spam"), {"url": "http://127.0.0.1:1"}, 2, "refused"),
                                           (("report", "spam"), {"url": "ftp://x"}, 2, "not the address"),
                                           (("push", "spam"), {"stdin": "no JSON\n"}, 3, "not JSON"),
                                           (("push", "spam", "none.jsonl"), {}, 2, "cannot be read"),
                                           (("answer", "spam", "m0"), {}, 2, "give a LABEL"),
                                           (("answer", "spam", "m0", "spam"), {}, 2, "no question"),
                                           (("next", "spam", "-n", "0"), {}, 2, "-n")):
            done = self.run_client(*arguments, **more)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(why, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
