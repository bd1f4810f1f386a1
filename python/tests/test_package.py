"""Builds a wheel of the Python package against the installed library, installs it into an environment of its own, and
runs pytest, ruff and mypy there.

    ASKFEW_BUILD=build/release /usr/bin/python3 python/tests/test_package.py
"""

import hashlib
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("ASKFEW_BUILD", "build/release")
WORK = BUILD / "python"
BIN = WORK / "venv" / "bin"
REQUIREMENTS = ROOT / "python" / "requirements-test.txt"


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout[-20000:]}")
    return done.stdout


def make_environment():
    """An environment with the pinned packages; it is made again when the list changes."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    stamp = WORK / "venv" / "requirements"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    run(sys.executable, "-m", "venv", "--clear", WORK / "venv")
    run(BIN / "pip", "install", "-q", "-r", REQUIREMENTS)
    stamp.write_text(wanted)


def install_wheel():
    run("cmake", "--install", BUILD, "--prefix", WORK / "installed")
    for wheel in WORK.glob("*.whl"):
        wheel.unlink()
    run(BIN / "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", WORK,
        f"--config-settings=build-dir={WORK / 'module'}",
        f"--config-settings=cmake.define.askfew_ROOT={WORK / 'installed'}", ROOT)
    (wheel,) = WORK.glob("*.whl")
    run(BIN / "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        WORK.mkdir(exist_ok=True)
        make_environment()
        install_wheel()

    def test_its_own_tests_pass(self):
        run(BIN / "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", ROOT / "python",
            ROOT / "python" / "tests" / "package")

    def test_the_sources_have_one_style_and_no_unused_name(self):
        run(BIN / "ruff", "check", "--no-cache", "python")

    def test_all_types_are_right(self):
        run(BIN / "mypy", f"--cache-dir={WORK / 'mypy'}", "python/askfew")


if __name__ == "__main__":
    unittest.main()
