"""Runs the tests of askfew.ray, with a real cluster of Ray, in an environment of their own: Ray is large, and most people do
not need it.

    ASKFEW_BUILD=build/release /usr/bin/python3 python/tests/test_cluster.py
"""

import unittest

import test_package as package

REQUIREMENTS = package.ROOT / "python" / "requirements-ray.txt"
ENVIRONMENT = package.WORK / "ray"


class Cluster(unittest.TestCase):
    def test_experiments_and_topics_on_ray(self):
        package.WORK.mkdir(exist_ok=True)
        package.make_environment(package.WORK / "venv", "-r", package.REQUIREMENTS)
        package.install_wheel()
        package.make_environment(ENVIRONMENT, "-r", REQUIREMENTS, requirements=REQUIREMENTS)
        package.run(ENVIRONMENT / "bin" / "pip", "install", "-q", "--no-deps", "--force-reinstall",
                    package.only(package.WORK, "*.whl"))
        package.run_tests(ENVIRONMENT, package.TESTS / "test_ray.py")


if __name__ == "__main__":
    unittest.main()
