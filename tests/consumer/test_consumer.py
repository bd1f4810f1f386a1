"""The installed tree is enough to compile, link and run programs of other projects.

    ASKFEW_BUILD=build/release /usr/bin/python3 tests/consumer/test_consumer.py
"""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("ASKFEW_BUILD", "build/release")
CXX = os.environ.get("CXX", "c++")
HERE = ROOT / "tests" / "consumer"
LARGE = ("libsimdjson", "libzstd", "libz.", "libstemmer", "libutf8proc")
STREAM = "".join(f"{'+1' if a + 2 * b > 0 else '-1'} 1:{a / 50} 2:{b / 50}\n"
                 for a, b in ((k * 7919 % 101 - 50, k * 104729 % 103 - 51) for k in range(1, 2001)))


def run(*arguments, **options):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=600, **options)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def libraries_of(program):
    """The shared libraries that a program links."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))


def example():
    """The program of the page about the library, the commands that make its data, and what the program prints."""
    text = (ROOT / "docs/library.md").read_text()
    program = re.search(r"^```cpp\n(#include <askfew/askfew.h>\n.*?)^```$", text, flags=re.DOTALL | re.MULTILINE).group(1)
    data = re.search(r"^\$ (seq.*?> mails\.csv)$", (ROOT / "README.md").read_text(), flags=re.DOTALL | re.MULTILINE).group(1)
    printed = re.search(r"^\$ \./few_labels mails\.csv\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE).group(1)
    return program, data, printed


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.work = pathlib.Path(cls.folder.name)
        run("cmake", "--install", BUILD, "--prefix", cls.work / "first")
        # The tree is moved after the installation.
        cls.installed = (cls.work / "first").rename(cls.work / "installed")
        (cls.work / "data.svm").write_text(STREAM)

    def build(self, name, *options):
        """The folder of the consumer's programs."""
        folder = self.work / name
        run("cmake", "-S", HERE, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.installed}",
            f"-DCMAKE_CXX_COMPILER={CXX}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror -Wno-missing-field-initializers", *options)
        run("cmake", "--build", folder)
        return folder

    def compile_with_pkg_config(self, source, package):
        paths = [str(path) for path in self.installed.glob("**/pkgconfig")]
        self.assertEqual(len(paths), 1)
        flags = run("pkg-config", "--cflags", "--libs", package, env={**os.environ, "PKG_CONFIG_PATH": paths[0]})
        program = self.work / f"{source.stem}-by-pkg-config"
        run(CXX, "-std=c++20", source, "-o", program, *shlex.split(flags))
        return program

    def check_perceptron(self, program):
        self.assertRegex(run(program), r"^asked \d+ of 1000\n$")
        linked = libraries_of(program)
        self.assertTrue(any(name.startswith("libfmt") for name in linked), linked)
        self.assertFalse([name for name in linked if name.startswith(LARGE)])

    def check_whole(self, program):
        expected = run(self.installed / "bin" / "askfew", "run", self.work / "data.svm", "--sampler", "sel-p:b=0.1", "--quiet")
        asked = re.search(r"^asked +(\d+) of", expected, flags=re.MULTILINE).group(1)
        version = run(self.installed / "bin" / "askfew", "--version").strip()
        self.assertEqual(run(program, self.work / "data.svm"), f"{version}\nasked {asked} of 2000\n")
        linked = libraries_of(program)
        for name in LARGE:
            self.assertTrue(any(library.startswith(name) for library in linked), f"{name} in {linked}")

    def test_a_cmake_project_finds_the_package(self):
        folder = self.build("whole")
        self.check_perceptron(folder / "perceptron")
        self.check_whole(folder / "whole")

    def test_the_program_of_the_page_prints_what_the_page_says(self):
        program, data, printed = example()
        self.assertLessEqual(len(program.splitlines()), 15)
        source = self.work / "few_labels.cc"
        source.write_text(program)
        run("bash", "-c", data, cwd=self.work)
        built = self.compile_with_pkg_config(source, "askfew")
        self.assertEqual(run(built, self.work / "mails.csv"), printed)
        wrong = subprocess.run([built, self.work / "none.csv"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("none.csv", wrong.stderr)

    def test_the_samplers_alone_link_no_parser_and_no_decompression(self):
        hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("simdjson", "ZLIB", "nlohmann_json")]
        folder = self.build("samplers", "-DCOMPONENTS=samplers", *hidden)
        self.check_perceptron(folder / "perceptron")
        self.assertFalse((folder / "whole").exists())

    def test_an_unknown_component_is_refused(self):
        with self.assertRaisesRegex(AssertionError, "components samplers, askfew and postgres, not colours"):
            self.build("unknown", "-DCOMPONENTS=colours")

    def test_pkg_config_knows_the_library_and_the_samplers(self):
        self.check_perceptron(self.compile_with_pkg_config(HERE / "perceptron.cc", "askfew-samplers"))
        self.check_whole(self.compile_with_pkg_config(HERE / "whole.cc", "askfew"))

    def test_all_headers_compile_together_in_one_source(self):
        headers = sorted(path.relative_to(self.installed / "include") for path in self.installed.glob("include/**/*.h"))
        self.assertGreater(len(headers), 100)
        source = self.work / "headers.cc"
        # Headers named -inl are parts of a source that Highway compiles several times.
        source.write_text("".join(f'#include "{path}"\n' for path in headers if not path.stem.endswith("-inl")))
        run(CXX, "-std=c++20", "-fsyntax-only", "-I", self.installed / "include", source)

    def test_the_version_is_the_same_everywhere(self):
        version = re.search(r"project\(askfew VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(run(self.installed / "bin" / "askfew", "--version"), f"askfew {version}\n")
        for name in ("askfew.pc", "askfew-samplers.pc"):
            text = next(self.installed.glob(f"**/pkgconfig/{name}")).read_text()
            self.assertIn(f"\nVersion: {version}\n", text)


if __name__ == "__main__":
    unittest.main()
