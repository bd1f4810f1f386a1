"""Progress goes to stderr: a doubling table, or one changing line on a terminal. Results go to stdout."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import unittest

from harness import ASKFEW, CliTest, binary_lines, text, topic_lines


class Progress(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(1500)))

    def on_terminal(self, *arguments):
        """Exit code, stdout, and the text that a terminal at stderr gets."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([ASKFEW, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # the program has closed its side
            pass
        os.close(ours)
        out, _ = process.communicate(timeout=180)
        return process.returncode, out.decode(), shown.decode()

    def test_the_table_has_a_row_at_every_doubling(self):
        done = self.ok("run", "data", "--sampler", "sel-p")
        header, *table = done.err.splitlines()
        self.assertEqual(header.split()[:2], ["rounds", "asked"])
        rounds = [int(row.split()[0]) for row in table]
        self.assertEqual(rounds[:11], [2**k for k in range(11)])
        self.assertLessEqual(rounds[-1], 1500)
        self.assertLess(len(table), 14)
        for row in table:
            self.assertEqual(len(row.split()), len(header.split()), row)

    def test_the_table_agrees_with_the_trace(self):
        done = self.ok("run", "data", "--sampler", "sel-p", "--trace", "t")
        trace = list(csv.DictReader(io.StringIO(self.read("t").decode())))
        for row in done.err.splitlines()[1:]:
            rounds, asked, share, mistakes = row.split()[:4]
            seen = trace[:int(rounds)]
            self.assertEqual(int(asked), sum(int(line["asked"]) for line in seen))
            self.assertEqual(int(mistakes), sum(line["prediction"] != line["label"] for line in seen))
            self.assertEqual(share, f"{100 * int(asked) / int(rounds):.2f}%")

    def test_quiet_writes_nothing_to_stderr_and_the_same_to_stdout(self):
        self.write("topics", text(topic_lines(300)))
        loud = self.ok("run", "data")
        quiet = self.ok("run", "data", "--quiet")
        self.assertEqual((quiet.out, quiet.err), (loud.out, ""))
        for arguments in (["topics", "--baseline"], ["data", "--model", "m"], ["data", "--json", "j", "--trace", "t"],
                          ["data", "--json", "-"], ["data", "--trace", "-"]):
            with self.subTest(arguments):
                self.assertEqual(self.ok("run", *arguments, "--quiet").err, "")

    def test_a_terminal_shows_one_changing_line(self):
        self.write("long", text(binary_lines(1500)) * 60)
        code, out, shown = self.on_terminal("run", "long", "--sampler", "sel-p")
        self.assertEqual(code, 0)
        self.assertIn("asked", out)
        self.assertNotIn("\n", shown)
        lines = [line for line in shown.split("\r") if line.strip()]
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"\A\d+ rounds, \d+ labels asked \(\d+\.\d+%\)")
            self.assertLess(len(line), 80)
        self.assertEqual(visible(shown), "", "the last line stays on the terminal")

    def test_quiet_writes_nothing_to_a_terminal(self):
        code, _, shown = self.on_terminal("run", "data", "--quiet")
        self.assertEqual((code, shown), (0, ""))

    def test_an_error_on_a_terminal_has_its_own_line(self):
        self.write("bad", text(binary_lines(1500)) * 20 + "oops\n")
        code, out, shown = self.on_terminal("run", "bad")
        self.assertEqual((code, out), (3, ""))
        self.assertEqual(shown.count("\n"), 1)
        self.assertRegex(visible(shown[:-2]), r"\Aaskfew: bad:30001:1: label 'oops' [^\r\n]+\Z")

    def test_a_numeric_error_on_a_terminal_has_its_own_line(self):
        self.write("bad", text(binary_lines(1500)) * 20 + "+1 3:1e120\n" * 9)
        code, out, shown = self.on_terminal("run", "bad", "--learner", "perceptron:rate=1e100", "--rule", "always",
                                            "--update", "asked")
        self.assertEqual((code, out), (3, ""))
        self.assertEqual(shown.count("\n"), 1)
        self.assertRegex(visible(shown[:-2]), r"\Aaskfew: round 30001, task 0: the update is too large [^\r\n]+\Z")

    def test_results_go_to_stdout_only(self):
        done = self.ok("run", "data")
        self.assertRegex(done.out, r"(?m)^asked ")
        self.assertNotRegex(done.err, r"(?m)^(asked|accuracy|sampler) ")

    def test_json_or_trace_on_stdout_is_the_only_output_there(self):
        report = json.loads(self.ok("run", "data", "--json", "-").out)
        self.assertEqual(report["macro"]["rounds"], 1500)
        self.assertEqual(self.ok("run", "data", "--trace", "-").out.encode(), self.trace("data"))
        report = json.loads(self.ok("run", "data", "--json", "-", "--trace", "t").out)
        self.assertEqual(self.read("t"), self.trace("data"))


class Help(CliTest):
    def commands(self):
        return re.findall(r"(?m)^  ([a-z]+)  ", self.ok("--help").out)

    def test_every_command_has_a_help(self):
        self.assertLessEqual({"run", "predict", "list", "inspect"}, set(self.commands()))
        for command in self.commands():
            for flag in ("--help", "-h"):
                with self.subTest(command=command, flag=flag):
                    done = self.ok(command, flag)
                    self.assertIn(f"askfew {command}", done.out)
                    self.assertEqual(done.err, "")

    def test_the_help_of_run_names_its_options(self):
        shown = self.ok("run", "--help-all").out
        for option in ("--sampler", "--learner", "--rule", "--update", "--seed", "--dimension", "--positive", "--labels",
                       "--normalize", "--model", "--resume", "--json", "--trace", "--threads", "--baseline", "--quiet",
                       "--save-every", "--max-memory"):
            self.assertIn(option, shown)

    def test_the_version_is_printed(self):
        self.assertRegex(self.ok("--version").out, r"\Aaskfew \d+\.\d+\.\d+\S*\n\Z")

    def test_list_shows_every_algorithm(self):
        known, shown = json.loads(self.ok("list", "--json").out), self.ok("list").out
        for kind in ("presets", "learners", "rules"):
            self.assertTrue(known[kind])
            for entry in known[kind]:
                self.assertIn(entry["name"], shown)
                self.assertIn(entry["paper"], shown)
                for param in entry.get("params", []):
                    self.assertIn(param["help"], shown)
                    self.assertIn(param["range"], shown)

    def test_every_listed_learner_and_rule_can_be_run(self):
        known = json.loads(self.ok("list", "--json").out)
        self.write("data", text(binary_lines(20)))
        for learner in known["learners"]:
            for policy in learner["policies"]:
                self.ok("run", "data", "--learner", learner["name"], "--rule", "always", "--update", policy, "--normalize")
        spread = [learner["name"] for learner in known["learners"] if learner["has_spread"]]
        for rule in known["rules"]:
            for learner in spread[:1] if rule["needs_spread"] else ["perceptron", *spread[:1]]:
                self.ok("run", "data", "--learner", learner, "--rule", rule["name"])
            if rule["needs_spread"]:
                self.refused(2, "run", "data", "--learner", "perceptron", "--rule", rule["name"],
                             says=[rule["name"], "spread", "perceptron"])

    def test_list_says_who_has_and_who_needs_a_spread(self):
        known, shown = json.loads(self.ok("list", "--json").out), self.ok("list").out
        self.assertEqual(shown.count("; has a spread"), sum(entry["has_spread"] for entry in known["learners"]))
        self.assertEqual(shown.count("; needs a learner with a spread"),
                         sum(entry["needs_spread"] for entry in known["rules"]))

    def test_list_is_aligned(self):
        """The descriptions of all parameters begin in the same column, and so do the papers of the presets."""
        known, shown = json.loads(self.ok("list", "--json").out), self.ok("list").out.splitlines()
        def columns(starts, ends):
            return {line.index(end) for line in shown for start, end in zip(starts, ends)
                    if line.startswith(start) and line.endswith(" " + end)}
        params = [param for kind in ("learners", "rules") for entry in known[kind] for param in entry["params"]]
        self.assertEqual(len(columns([f"      {param['name']} " for param in params], [p["help"] for p in params])), 1)
        presets = known["presets"]
        self.assertEqual(len(columns([f"  {p['name']} " for p in presets], [p["paper"] for p in presets])), 1)


def visible(shown):
    """The text that remains visible after texts were written over each other."""
    line = ""
    for part in shown.split("\r"):
        line = part.split("\x1b[K")[0] + ("" if "\x1b[K" in part else line[len(part):])
    return line.strip()


if __name__ == "__main__":
    unittest.main()
