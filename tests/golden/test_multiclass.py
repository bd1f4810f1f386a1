"""Golden tests of multi-class runs: `askfew run --multiclass --trace` compared with the naive reference, every rule with
one learner of each kind; learners of a kind offer the same.

    ASKFEW=build/release/apps/cli/askfew python3 tests/golden/test_multiclass.py
"""

import json
import tempfile
import unittest

from test_golden import LEARNERS, askfew, default_policy, name_of, with_defaults

from compare import compare, read_trace  # test_golden has said where they are
from reference import multiclass, svmlight
from streams import write_class_streams

SEED = 7


class MultiClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.catalog = json.loads(askfew("list", "--json"))
        cls.stream = write_class_streams(folder.name)["classes"]

    def test_every_rule_agrees_with_the_reference_for_each_kind_of_learner(self):
        rules = [spec for entry in self.catalog["rules"] if not entry["needs_spread"]
                 for spec in entry["test_specs"]]
        for learner in self.learners():
            for rule in rules:
                with self.subTest(learner=learner, rule=rule):
                    self.check(learner, rule)

    def learners(self):
        """The first spec of each kind, if the reference accepts the number of features of the stream."""
        kinds = {}
        for entry in self.catalog["learners"]:
            if LEARNERS[entry["name"]].max_features >= self.stream.dimension:
                kinds.setdefault(tuple(entry["offers"]), entry["test_specs"][0])
        return kinds.values()

    def check(self, learner, rule):
        stream = self.stream
        unit = next(entry for entry in self.catalog["learners"] if entry["name"] == name_of(learner))["unit_norm"]
        path = stream.path + ".trace.csv"
        askfew("run", stream.path, "--learner", learner, "--rule", rule, "--seed", str(SEED), "--multiclass",
               "--labels", stream.labels, "--dimension", str(stream.dimension), "--trace", path, "--quiet",
               *(["--normalize"] if unit else []))
        names = [int(label) for label in stream.labels.split(",")]
        instances, labels = svmlight.read(stream.path, names, dimension=stream.dimension, normalize=unit)
        specs = with_defaults(learner, self.catalog["learners"]), with_defaults(rule, self.catalog["rules"])
        compare(read_trace(path), lambda seen: multiclass.replay(instances, labels, names, *specs,
                                                                 default_policy(learner), SEED, seen))


if __name__ == "__main__":
    unittest.main()
