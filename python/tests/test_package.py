"""Builds a source distribution of the Python package and from it a wheel against the installed library, installs the wheel
into an environment of its own, and runs pytest, ruff and mypy there. A copy of the wheel that brings all libraries must
work in an empty environment.

    ASKFEW_BUILD=build/release /usr/bin/python3 python/tests/test_package.py
"""

import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tarfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("ASKFEW_BUILD", "build/release")
WORK = BUILD / "python"
BIN = WORK / "venv" / "bin"
SOURCE = WORK / "source"  # the unpacked source distribution
REQUIREMENTS = ROOT / "python" / "requirements-test.txt"
TESTS = ROOT / "python" / "tests" / "package"
# What the program and the module are made of; `python` has more.
FOLDERS = ("askfew", "apps", "cmake", "papers", "python/askfew", "python/src", "web")


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PATH": f"{BIN}:{os.environ['PATH']}"})
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout[-20000:]}")
    return done.stdout


def run_tests(environment, *files):
    run(environment / "bin" / "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", ROOT / "python", *files)


def make_environment(folder, *packages, requirements=REQUIREMENTS):
    """An environment with the pinned packages; it is made again when the list changes."""
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "requirements"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    run(sys.executable, "-m", "venv", "--clear", folder)
    run(folder / "bin" / "pip", "install", "-q", *packages)
    stamp.write_text(wanted)


def only(folder, pattern):
    (found,) = folder.glob(pattern)
    return found


def remove(folder, pattern):
    for path in folder.glob(pattern):
        path.unlink()


def unpack_source():
    """Unpacks a new source distribution. Files that are the same are left alone, so that they are not compiled again."""
    remove(WORK, "*.tar.gz")
    run(BIN / "python", "-m", "build", "--sdist", "--no-isolation", "-o", WORK, ROOT)
    wanted = set()
    with tarfile.open(only(WORK, "*.tar.gz")) as archive:
        for member in archive.getmembers():
            path = SOURCE / pathlib.Path(*pathlib.Path(member.name).parts[1:])
            if not member.isfile():
                continue
            wanted.add(path)
            content = archive.extractfile(member).read()
            if not path.exists() or path.read_bytes() != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
    for path in list(SOURCE.rglob("*")):
        if path.is_file() and path not in wanted:
            path.unlink()


def install_wheel():
    run("cmake", "--install", BUILD, "--prefix", WORK / "installed")
    unpack_source()
    remove(WORK, "*.whl")
    run(BIN / "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", WORK,
        f"--config-settings=build-dir={WORK / 'module'}",
        f"--config-settings=cmake.define.askfew_ROOT={WORK / 'installed'}", SOURCE)
    run(BIN / "pip", "install", "-q", "--no-deps", "--force-reinstall", only(WORK, "*.whl"))


# Prints the paths of the libraries that the module and the program of the package load.
LOADED = """
import ctypes, pathlib, re, subprocess, sys
import numpy, scipy.sparse
def mapped():
    return set(re.findall(r"(/\\S+[.]so\\S*)", pathlib.Path("/proc/self/maps").read_text()))
before = mapped()  # what Python and numpy load themselves
import askfew
assert askfew.Sampler("sel-p").run([[1.0, 2.0], [2.0, 1.0]], [1, -1])["asked"][0]
program = pathlib.Path(askfew.__file__).parent / "bin" / "askfew"
print(*mapped() - before, sep="\\n")
print(*re.findall(r"=> (/\\S+)", subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout), sep="\\n")
"""


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        WORK.mkdir(exist_ok=True)
        make_environment(WORK / "venv", "-r", REQUIREMENTS)
        install_wheel()

    def test_its_own_tests_pass(self):
        run_tests(WORK / "venv", TESTS)

    def test_the_sources_have_one_style_and_no_unused_name(self):
        run(BIN / "ruff", "check", "--no-cache", "python")

    def test_all_types_are_right(self):
        run(BIN / "mypy", f"--cache-dir={WORK / 'mypy'}", "python/askfew")

    def test_the_source_distribution_has_every_source(self):
        for folder in FOLDERS:
            sources = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*")
                       if path.is_file() and path.suffix != ".pyc"}
            packed = {path.relative_to(SOURCE) for path in (SOURCE / folder).rglob("*") if path.is_file()}
            self.assertGreater(len(packed), 0)
            self.assertEqual(packed, sources)

    def test_a_wheel_that_brings_its_libraries_works_in_an_empty_environment(self):
        repaired, empty = WORK / "repaired", WORK / "empty"
        remove(repaired, "*.whl")
        run("auditwheel", "repair", "-w", repaired, only(WORK, "*.whl"))
        wheel = only(repaired, "*.whl")
        self.assertRegex(wheel.name, r"-manylinux_2_\d+_x86_64\.whl$")
        make_environment(empty, "-c", REQUIREMENTS, "numpy", "scipy", "pytest")
        run(empty / "bin" / "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel)
        loaded = run(empty / "bin" / "python", "-c", LOADED).split()
        bundled = {path.name.split("-")[0] for path in empty.glob("lib/*/site-packages/askfew.libs/*")}
        self.assertIn("libfmt", bundled)
        outside = {re.split(r"[.-]", pathlib.Path(path).name)[0] for path in loaded if str(empty) not in path}
        self.assertEqual(bundled & outside, set())
        run_tests(empty, TESTS / "test_sampler.py")


if __name__ == "__main__":
    unittest.main()
