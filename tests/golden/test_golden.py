"""Golden tests: `askfew run --trace` against the naive reference, for every preset and every learner x rule pair.

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

# Learners whose reference costs O(d) a round. The others solve linear systems, or sum over what they stored: they are
# given brief streams.
QUICK = {"perceptron", "reflect", "shifting", "pa", "pa-1", "pa-2", "alma", "winnow", "winnow-balanced", "p-norm",
         "budget", "second-order-diagonal"}

# Specs of the pairs, chosen so that on these streams a rule asks for some labels and not for others.
PAIRED = {
    "learners": {
        "perceptron": ["perceptron:rate=0.5"],
        "reflect": ["reflect:step=2", "reflect:step=1"],
        "shifting": ["shifting:lambda=4"],
        "pa": ["pa"],
        "pa-1": ["pa-1:C=0.1"],
        "pa-2": ["pa-2:C=0.5"],
        "alma": ["alma:alpha=0.6"],
        "winnow": ["winnow:eta=0.3"],
        "winnow-balanced": ["winnow-balanced:eta=0.2"],
        "p-norm": ["p-norm:p=3.5"],
        "budget": ["budget:B=17"],
        "second-order": ["second-order:a=0.5,form=primal", "second-order:a=0.5,form=dual"],
        "second-order-diagonal": ["second-order-diagonal:a=0.5"],
        "rls": ["rls:a=0.5,form=primal", "rls:a=0.5,form=dual"],
        "lasec": ["lasec:b=0.5,c=100,form=primal", "lasec:b=0.5,c=100,form=dual"],
        "lasec-bank": ["lasec-bank:b=0.5,c_min=2,K=3,share=0.05,form=primal", "lasec-bank:b=0.5,c_min=2,K=3,form=dual"],
        "council": ["council:eta=0.5,share=0.05,constant=0.5", "council:dense=0"],
        "arow": ["arow:r=0.5,form=primal", "arow:r=0.5,form=dual"],
        "arow-diagonal": ["arow-diagonal:r=0.5"],
        "kernel-perceptron": ["kernel-perceptron:rate=0.5,kernel=rbf,gamma=0.1"],
        "kernel-budget": ["kernel-budget:B=11,kernel=rbf,gamma=0.1"],
        "forgetron": ["forgetron:B=11,kernel=rbf,gamma=0.1"],
        "projectron": ["projectron:eta=0.4,kernel=rbf,gamma=0.02"],
        "kernel-pa": ["kernel-pa:kernel=polynomial,degree=3,offset=0.5"],
        "kernel-pa-1": ["kernel-pa-1:C=0.1,kernel=rbf,gamma=0.1"],
        "kernel-pa-2": ["kernel-pa-2:C=0.5,kernel=linear"],
        "kernel-alma": ["kernel-alma:alpha=0.6,kernel=rbf,gamma=0.5"],
        "kernel-second-order": ["kernel-second-order:a=0.5,kernel=rbf,gamma=0.05"],
        "kernel-rls": ["kernel-rls:a=20,kernel=polynomial,degree=2,offset=0.5"],
        "kernel-lasec": ["kernel-lasec:b=0.5,c=100,kernel=rbf,gamma=0.05"],
        "ellipsoid": ["ellipsoid"],
        "volumetric-center": ["volumetric-center:U=300"],
        "gravity-center": ["gravity-center:U=300,samples=7"],
    },
    "rules": {
        "always": ["always"],
        "random": ["random:q=0.3"],
        "margin": ["margin:b=0.2"],
        "adaptive": ["adaptive:beta=0.02"],
        "halving": ["halving:R=6,s=1"],
        "log-threshold": ["log-threshold:c=0.5", "log-threshold:c=0.5,next=1", "log-threshold:c=0.02,lambda=8",
                          "log-threshold:c=0.02,next=1,lambda=8"],
        "soft-threshold": ["soft-threshold:b=0.05,k=4"],
        "variance": ["variance:kappa=0.2"],
        "dgs": ["dgs:alpha=0.00002,delta=0.05"],
    },
}

# With these learners the integer stream has exact margins: nothing is left to rounding.
EXACT_ON_INTEGERS = {"perceptron", "budget"}

# The cutting planes run on streams of at most so many features: the naive forms are slow, and thin bodies lose digits.
MOST_FEATURES = {"ellipsoid": 30, "volumetric-center": 20, "gravity-center": 4}

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
                    if name not in PAIRED[kind]:
                        self.fail(f"{name} is in no pair: add its specs to PAIRED in tests/golden/test_golden.py")

    def test_presets(self):
        cases = [Case(stream, preset["learner"], preset["rule"], preset["update"], SEEDS[i % len(SEEDS)])
                 for i, preset in enumerate(self.catalog["presets"]) if self.has_reference(preset)
                 for stream in sorted(self.streams_for(preset["learner"]))]
        self.check(cases)

    def test_pairs(self):
        """Each pair on the gaussian stream and on one other, as far as the learner can have them."""
        others = itertools.cycle(sorted(self.streams[write_streams].keys() - {"gaussian"}))
        pairs = filter(self.is_pair, itertools.product(self.paired("learners"), self.paired("rules")))
        self.check([Case(stream, learner, rule, default_policy(learner), SEEDS[i % len(SEEDS)])
                    for i, (learner, rule) in enumerate(pairs)
                    for stream in sorted({"gaussian", next(others), "separable"} & self.streams_for(learner))])

    def test_update_policies(self):
        """Each policy that the catalog allows a learner, with the rules whose state counts updates or mistakes."""
        policies = {entry["name"]: entry["policies"] for entry in self.catalog["learners"]}
        rules = [rule for rule in self.paired("rules") if name_of(rule) in ("adaptive", "halving")]
        self.check([Case(stream, learner, rule, policy, seed=3)
                    for learner in self.paired("learners") for policy in policies[name_of(learner)] for rule in rules
                    for stream in sorted({"integers", "separable"} & self.streams_for(learner))])

    def test_trace_replays_from_itself(self):
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
                if case.stream == "integers" and name_of(case.learner) in EXACT_ON_INTEGERS:
                    self.assertEqual(ties, 0, "rounding decided a row where every margin is exact")

    def compare(self, case):
        stream = self.stream(case)
        unit = self.needs_unit_norm(case)
        trace = trace_of(stream, case, unit)
        learner = with_defaults(case.learner, self.catalog["learners"])
        rule = with_defaults(case.rule, self.catalog["rules"])
        return compare(trace, lambda seen: replay(*data_of(stream, unit), learner, rule, case.policy, case.seed, seen))

    def names(self, kind):
        return {entry["name"] for entry in self.catalog[kind]}

    def entry(self, kind, spec):
        return next(entry for entry in self.catalog[kind] if entry["name"] == name_of(spec))

    def paired(self, kind):
        return [spec for name, specs in PAIRED[kind].items() if name in self.names(kind) for spec in specs]

    def is_pair(self, pair):
        learner, rule = pair
        needed = self.entry("rules", rule).get("needs_spread", False)
        return not needed or self.entry("learners", learner).get("has_spread", False)

    def stream(self, case):
        return self.streams[kind_of(case.learner)][case.stream]

    def streams_for(self, learner):
        most = MOST_FEATURES.get(name_of(learner), float("inf"))
        return {name for name, stream in self.streams[kind_of(learner)].items() if stream.dimension <= most}

    def has_reference(self, preset):
        return name_of(preset["learner"]) in LEARNERS and name_of(preset["rule"]) in RULES

    def needs_unit_norm(self, case):
        return self.stream(case).unit or self.entry("learners", case.learner)["unit_norm"]


def askfew(*arguments):
    done = subprocess.run([ASKFEW, *arguments], capture_output=True, text=True, timeout=60)
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
    return write_streams if name_of(learner) in QUICK else write_brief_streams


def name_of(spec):
    return spec.split(":")[0]


def default_policy(learner):
    return LEARNERS[name_of(learner)].default_policy


def with_defaults(spec, entries):
    """The spec with the defaults that the catalog states for the parameters it leaves out."""
    name, _, given = spec.partition(":")
    named = {assignment.split("=")[0] for assignment in given.split(",")}
    params = next(entry["params"] for entry in entries if entry["name"] == name)
    left_out = [f"{param['name']}={param['default']}" for param in params
                if param["name"] not in named and param.get("default") is not None]
    return name + ":" + ",".join(filter(None, [given, *left_out]))


if __name__ == "__main__":
    unittest.main()
