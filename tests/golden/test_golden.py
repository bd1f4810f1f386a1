"""Golden tests: `askfew run --trace` compared with the naive reference, for every preset and every pair of learner and rule.

This file names no algorithm. The catalog (`askfew list --json`) says with which parameters an algorithm is tested
(`test_specs`), which pairs and policies are legal, and which need normalised instances; the class in reference/ says
whether an algorithm is slow, and how many features it can have.

    ASKFEW=build/release/apps/cli/askfew python3 tests/golden/test_golden.py
"""

import functools
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, ROOT]

from compare import Mismatch, compare, read_trace  # noqa: E402
from reference import svmlight  # noqa: E402
from reference.learners import LEARNERS  # noqa: E402
from reference.replay import replay  # noqa: E402
from reference.rules import RULES  # noqa: E402
from reference.task import sgn  # noqa: E402
from streams import write_brief_streams, write_streams  # noqa: E402

ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
SEEDS = (0, 1, 7, 2**40 + 3)

Case = namedtuple("Case", "stream learner rule policy seed")


class Golden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists(ASKFEW):
            raise FileNotFoundError(f"no program at {ASKFEW}: build it, or say where it is in ASKFEW")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.catalog = json.loads(askfew("list", "--json"))
        cls.streams = {}
        for write in (write_streams, write_brief_streams):
            os.mkdir(subfolder := os.path.join(folder.name, write.__name__))
            cls.streams[write] = write(subfolder)

    def test_every_algorithm_has_a_reference(self):
        for kind, table in (("learners", LEARNERS), ("rules", RULES)):
            for name in self.names(kind):
                with self.subTest(kind=kind, name=name):
                    if name not in table:
                        self.fail(f"{name} has no reference: add reference/{kind}/{name.replace('-', '_')}.py")

    def test_every_preset_agrees_with_the_reference(self):
        cases = [Case(stream, preset["learner"], preset["rule"], preset["update"], SEEDS[i % len(SEEDS)])
                 for i, preset in enumerate(self.catalog["presets"])
                 for stream in sorted(self.streams_for(preset["learner"]))]
        self.check(cases)

    def test_every_pair_agrees_with_the_reference(self):
        """Runs each pair on the gaussian stream and on one other, if the learner accepts their features."""
        others = itertools.cycle(sorted(self.streams[write_streams].keys() - {"gaussian"}))
        pairs = filter(self.is_pair, itertools.product(self.specs("learners"), self.specs("rules")))
        self.check([Case(stream, learner, rule, default_policy(learner), SEEDS[i % len(SEEDS)])
                    for i, (learner, rule) in enumerate(pairs)
                    for stream in sorted({"gaussian", next(others), "separable"} & self.streams_for(learner))])

    def test_every_update_policy_agrees_with_the_reference(self):
        """Runs each policy that the catalog permits for a learner, with the rules that observe updates and mistakes."""
        policies = {entry["name"]: entry["policies"] for entry in self.catalog["learners"]}
        rules = [rule for rule in self.specs("rules") if "observe" in self.entry("rules", rule)["offers"]]
        self.check([Case(stream, learner, rule, policy, seed=3)
                    for learner in self.specs("learners") for policy in policies[name_of(learner)]
                    for rule in rules if self.is_pair((learner, rule))
                    for stream in sorted({"integers", "separable"} & self.streams_for(learner))])

    def test_decisions_in_a_trace_follow_from_its_margins_probabilities_and_coins(self):
        for preset in self.catalog["presets"]:
            with self.subTest(preset=preset["name"]):
                case = Case("gaussian", preset["learner"], preset["rule"], preset["update"], seed=2)
                for row in trace_of(self.stream(case), case, self.needs_unit_norm(case)):
                    self.assertEqual(row.asked, int(row.coin < row.probability), row)
                    self.assertEqual(row.prediction, sgn(row.margin), row)
                    self.assertLessEqual(row.updated, row.asked, row)

    def check(self, cases):
        self.assertTrue(cases, "the catalog names nothing to compare")
        for case in cases:
            with self.subTest(**case._asdict()):
                ties = self.compare(case)
                if case.stream == "integers" and self.has_exact_margins(case):
                    self.assertEqual(ties, 0, "rounding decided a row where every margin is exact")

    def compare(self, case):
        stream = self.stream(case)
        unit = self.needs_unit_norm(case)
        trace = trace_of(stream, case, unit)
        learner = with_defaults(case.learner, self.catalog["learners"])
        rule = with_defaults(case.rule, self.catalog["rules"])
        return compare(trace, lambda seen: replay(*data_of(stream, unit), learner, rule, case.policy, case.seed, seen),
                       LEARNERS[name_of(case.learner)].rounding)

    def has_exact_margins(self, case):
        """Is every margin a small multiple of 1/2, so that nothing was rounded?"""
        trace = trace_of(self.stream(case), case, self.needs_unit_norm(case))
        return all((2 * row.margin).is_integer() for row in trace)

    def names(self, kind):
        return {entry["name"] for entry in self.catalog[kind]}

    def entry(self, kind, spec):
        return next(entry for entry in self.catalog[kind] if entry["name"] == name_of(spec))

    def specs(self, kind):
        return [spec for entry in self.catalog[kind] for spec in entry["test_specs"]]

    def is_pair(self, pair):
        learner, rule = pair
        needed = self.entry("rules", rule).get("needs_spread", False)
        return not needed or self.entry("learners", learner).get("has_spread", False)

    def stream(self, case):
        return self.streams[kind_of(case.learner)][case.stream]

    def streams_for(self, learner):
        most = LEARNERS[name_of(learner)].max_features
        return {name for name, stream in self.streams[kind_of(learner)].items() if stream.dimension <= most}

    def needs_unit_norm(self, case):
        return self.stream(case).unit or self.entry("learners", case.learner)["unit_norm"]


def askfew(*arguments):
    done = subprocess.run([ASKFEW, *arguments], capture_output=True, text=True, timeout=180)
    if done.returncode != 0:
        raise Mismatch(f"exit {done.returncode}: askfew {' '.join(arguments)}\n{done.stderr}")
    return done.stdout


@functools.lru_cache(maxsize=None)
def trace_of(stream, case, unit):
    path = stream.path + ".trace.csv"
    askfew("run", stream.path, "--learner", case.learner, "--rule", case.rule, "--update", case.policy,
           "--seed", str(case.seed), "--dimension", str(stream.dimension), "--trace", path, "--quiet",
           *(["--normalize"] if unit else []), *(["--labels", stream.labels] if stream.labels else []))
    return read_trace(path)


@functools.lru_cache(maxsize=None)
def data_of(stream, unit):
    labels = [float(label) for label in stream.labels.split(",")] if stream.labels else None
    return svmlight.read(stream.path, labels, dimension=stream.dimension, normalize=unit)


def kind_of(learner):
    return write_brief_streams if LEARNERS[name_of(learner)].slow else write_streams


def name_of(spec):
    return spec.split(":")[0]


def default_policy(learner):
    return LEARNERS[name_of(learner)].default_policy


def with_defaults(spec, entries):
    """The spec, with the defaults of the catalog for the parameters that it leaves out."""
    name, _, given = spec.partition(":")
    named = {assignment.split("=")[0] for assignment in given.split(",")}
    params = next(entry["params"] for entry in entries if entry["name"] == name)
    left_out = [f"{param['name']}={param['default']}" for param in params
                if param["name"] not in named and param.get("default") is not None]
    return name + ":" + ",".join(filter(None, [given, *left_out]))


if __name__ == "__main__":
    unittest.main()
