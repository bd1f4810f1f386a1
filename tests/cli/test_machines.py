"""The same bytes on every machine: on this one, and as on a processor without AVX and fused multiply-adds."""

import os
import platform
import subprocess
import sys
import unittest

from harness import ASKFEW, CliTest, binary_lines, catalog, every_preset, text

# The C library has two versions of its elementary functions: with fused multiply-adds, and without. The library has its
# vector code once for each instruction set, and asks the C library which of them the processor has.
HERE = dict(os.environ)
PLAIN = {**HERE, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-FMA,-FMA4,-SSE4_1,-SSE4_2"}
INSTRUCTION_SETS = os.environ.get("ASKFEW_INSTRUCTION_SETS",
                                  os.path.join(os.path.dirname(ASKFEW), "../../tests/instruction_sets"))

VALUES_OF_THE_C_LIBRARY = """
import math
x = [0.001 * k + 0.0001 / k for k in range(1, 20000)]
print(hash(tuple(map(math.exp, x))), hash(tuple(v ** 1.7 for v in x)))
"""


def values_of_the_c_library(environment):
    return subprocess.run([sys.executable, "-c", VALUES_OF_THE_C_LIBRARY], capture_output=True, check=True, text=True,
                          env=environment).stdout.split()


def every_learner_and_rule():
    known = catalog()
    for learner in known["learners"]:
        normalize = ["--normalize"] if learner["unit_norm"] else []
        yield ["--learner", learner["name"], "--rule", "margin", "--dimension", "30", *normalize]
    for rule in known["rules"]:
        learner = "second-order" if rule["needs_spread"] else "perceptron"
        yield ["--learner", learner, "--rule", rule["name"], "--normalize"]


class Machines(CliTest):
    def same(self, *arguments, outputs):
        """Checks that both machines write the same files and print the same text."""
        results = []
        for environment in (HERE, PLAIN):
            done = self.ok(*arguments, env=environment)
            results.append([done.out.encode(), *(self.read(name) for name in outputs)])
        for name, here, there in zip(["standard output", *outputs], *results):
            self.assertTrue(here == there, f"{name} differs: askfew {' '.join(arguments)}")

    def same_run(self, *arguments):
        self.same("run", *arguments, "--quiet", "--trace", "trace", "--model", "model", outputs=["trace", "model"])

    def test_the_plain_machine_uses_other_elementary_functions(self):
        """Otherwise the tests below would prove nothing."""
        with open("/proc/cpuinfo") as file:
            if platform.machine() != "x86_64" or " fma " not in file.read():
                self.skipTest("this machine has no fused multiply-adds to take away")
        for here, there in zip(values_of_the_c_library(HERE), values_of_the_c_library(PLAIN)):
            self.assertNotEqual(here, there)

    def test_the_plain_machine_uses_other_vector_code(self):
        here, there = (subprocess.run([INSTRUCTION_SETS], env=environment, capture_output=True, check=True, text=True)
                       .stdout.split() for environment in (HERE, PLAIN))
        self.assertEqual(len(there), 1)
        with open("/proc/cpuinfo") as file:
            if platform.machine() == "x86_64" and " avx2 " in file.read():
                self.assertIn("AVX2", here)

    def test_every_preset_gives_the_same_bytes(self):
        self.write("data", text(binary_lines(600)))
        for name, arguments in every_preset():
            with self.subTest(name):
                self.same_run("data", *arguments)

    def test_every_learner_and_every_rule_gives_the_same_bytes(self):
        self.write("data", text(binary_lines(600)))
        for arguments in every_learner_and_rule():
            with self.subTest(arguments[1] + " + " + arguments[3]):
                self.same_run("data", *arguments)

    def test_every_synthetic_stream_gives_the_same_bytes(self):
        for stream in catalog()["streams"]:
            with self.subTest(stream["name"]):
                self.same("convert", f"synthetic:{stream['name']}:n=1000", "--to", "svmlight", "-o", "made", outputs=["made"])
        self.same("convert", "synthetic:linear-noise:n=1000,alpha=0.7", "--to", "svmlight", "-o", "made", outputs=["made"])

    def test_budgets_and_estimates_give_the_same_bytes(self):
        for arguments in (["--budget", "10%"], ["--budget", "300", "--audit", "2%"], ["--sampler", "sel-p", "--audit", "5%"],
                          ["--sampler", "sel-winnow", "--budget", "10%"]):
            with self.subTest(arguments):
                self.same_run("synthetic:shifting-gaussian:d=20,n=3000,switch=1000", *arguments)

    def test_topics_and_classes_of_text_give_the_same_bytes(self):
        words = "oil trade wheat rises falls on the price of gold and sugar".split()
        self.write("news.jsonl", text(f'{{"text": "{" ".join(words[k * j * j % 12] for j in range(1, 3 + k % 9))}", '
                                      f'"label": "{"abc"[k * k % 3]}"}}' for k in range(400)))
        self.same_run("news.jsonl", "--multiclass", "--tf-idf", "--normalize", "--dictionary", "--audit", "10%")
        self.same_run("synthetic:sparse-text:n=800,vocabulary=3000,words=20,topics=4", "--budget", "10%")

    def test_a_ledger_replays_on_the_other_machine(self):
        lines = [f'{{"id": {k}, "x": [{k * 7919 % 101 / 50 - 1}, {k * 104729 % 103 / 51 - 1}]}}\n'
                 f'{{"id": {k}, "label": {1 if k * 7919 % 101 > 50 else -1}}}' for k in range(1, 400)]
        self.ok("stream", "--dimension", "2", "--budget", "20%", "--audit", "5%", "--ledger", "ledger",
                stdin=text([*lines, '{"report": true}']).encode())
        self.same("replay", "ledger", "--trace", "trace", "--model", "model", outputs=["trace", "model"])

    def test_bounds_are_the_same(self):
        for arguments in (["--sampler", "sel-winnow", "--dimension", "50"], ["--sampler", "sel-2nd"], ["--sampler", "sel-p"]):
            with self.subTest(arguments):
                self.same("bound", "synthetic:separable:n=500,margin=0.2", *arguments, outputs=[])


if __name__ == "__main__":
    unittest.main()
