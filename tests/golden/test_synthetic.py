"""Golden tests: the synthetic streams of the papers compared with their naive reference, feature by feature.

    ASKFEW=build/release/apps/cli/askfew python3 tests/golden/test_synthetic.py
"""

import os
import subprocess
import sys
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [ROOT]

from reference.synthetic import STREAMS  # noqa: E402

ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))

# log and pow can differ in the last digit between two languages, and sums are added in another order.
TOLERANCE = 1e-12

CASES = [
    ("shifting-gaussian", dict(n=1100)),
    ("shifting-gaussian", dict(d=7, n=300, switch=13, seed=2**40 + 3)),
    ("shifting-gaussian", dict(d=1, n=50, switch=1, seed=0)),
    ("linear-noise", dict(d=20, n=400, alpha=0.5)),
    ("linear-noise", dict(d=9, n=400, alpha=2, reach=0.3, seed=7)),
    ("linear-noise", dict(d=9, n=200, alpha=float("inf"), reach=0.1)),
    ("separable", dict(n=400)),
    ("separable", dict(d=12, n=400, margin=0.3, noise=0.2, seed=9)),
]


class Synthetic(unittest.TestCase):
    def test_every_stream_agrees_with_the_reference(self):
        for name, params in CASES:
            with self.subTest(name=name, **params):
                self.compare(name, params)

    def compare(self, name, params):
        lines = converted(name, params)
        self.assertEqual(len(lines), params["n"])
        for line, (t, x, y) in zip(lines, STREAMS[name](**params)):
            label, *features = line.split()
            self.assertEqual(int(label), y, f"label of round {t}")
            got = np.zeros(len(x))
            for index, value in (feature.split(":") for feature in features):
                got[int(index) - 1] = float(value)
            self.assertLess(np.abs(got - x).max(), TOLERANCE, f"features of round {t}")


def converted(name, params):
    spec = f"synthetic:{name}:" + ",".join(f"{key}={value}" for key, value in params.items())
    done = subprocess.run([ASKFEW, "convert", spec, "--to", "svmlight", "--output", "-"], capture_output=True,
                          text=True, timeout=180)
    if done.returncode != 0:
        raise AssertionError(f"{spec}: {done.stderr}")
    return done.stdout.splitlines()


if __name__ == "__main__":
    unittest.main()
