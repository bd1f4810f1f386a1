"""askfew bench measures and names what it measured. No test checks how fast it is."""

import json
import os
import unittest

from harness import CliTest

SMALL = ["bench", "--rows", "300", "--repetitions", "3"]


class Bench(CliTest):
    def test_every_measure_has_a_line(self):
        out = self.ok(*SMALL, "--threads", "2").out
        self.assertRegex(out, r"\A300 made-up rows, [\d.]+ MB of svmlight text; 2 threads, medians of 3 repetitions\n")
        for name in ("memory, read", "parse loop", "parse loop %g", "csv loop %.17g", "dot loop"):
            self.assertRegex(out, rf"(?m)^{name} +[\d. ]+$")
        kinds = ("", " %g", " %.17g", " integers", " ones", " %e", " signs")
        for name, loop, written in (("svmlight", "parse loop", kinds), ("vw", "parse loop", kinds[:3]), ("csv", "csv loop", kinds[:4])):
            for kind in written:
                for what in ("read", "run"):
                    self.assertRegex(out, rf"(?m)^{name}{kind}, {what} +[\d.]+ +\d+   [\d.]+ of the {loop}{kind}$")
        for name in ("svmlight", "vw"):
            self.assertRegex(out, rf"(?m)^{name}, learn +\d+   [\d.]+ of the dot loop$")

    def test_the_json_has_every_measure(self):
        before = self.files()
        result = json.loads(self.ok(*SMALL, "--threads", "1", "--json", "-").out)
        self.assertEqual((result["rows"], result["threads"], result["repetitions"]), (300, 1, 3))
        measures = {measure["name"]: measure for measure in result["measures"]}
        self.assertEqual(measures["vw, run"]["limit"], "parse loop")
        for measure in measures.values():
            for key in ("bytes_per_second", "examples_per_second", "of_limit"):
                self.assertGreater(measure.get(key, 1), 0)
        self.unchanged(before)
        self.ok(*SMALL, "--json", "out.json")
        self.assertEqual(json.loads(self.read("out.json"))["rows"], 300)

    def test_bench_leaves_no_files(self):
        self.ok(*SMALL, env={**os.environ, "TMPDIR": self.folder})
        self.assertEqual(self.files(), {})

    def test_bad_usage_is_refused(self):
        for arguments in (["--rows", "0"], ["--threads", "0"], ["--repetitions", "0"], ["data.svm"]):
            with self.subTest(arguments):
                self.complaint(self.askfew("bench", *arguments), 2)


if __name__ == "__main__":
    unittest.main()
