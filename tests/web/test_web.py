"""The page of `askfew serve`: its types, its size, and its tests in Chromium against the real server.

    ASKFEW=build/release/apps/cli/askfew ASKFEW_BUILD=build/release /usr/bin/python3 tests/web/test_web.py

The tools are installed into the build folder, never into the tree.
"""

import gzip
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / os.environ.get("ASKFEW_BUILD", "build/release")
WORK = BUILD / "web"
BIN = WORK / "venv" / "bin"
MODULES = WORK / "tools" / "node_modules"
HERE = ROOT / "tests" / "web"
PAGE = ROOT / "web"
CHROMIUM = shutil.which("chromium")
THEMES = sorted(path.stem for path in (HERE / "pages").glob("test_*.py"))


def run(*arguments, **environment):
    done = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment})
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, arguments))}: exit {done.returncode}\n{done.stdout[-20000:]}")
    return done.stdout


def make_environment():
    """The pinned tools; they are installed again when the lists change."""
    wanted = hashlib.sha256((HERE / "requirements.txt").read_bytes() + (HERE / "tools.txt").read_bytes() +
                            sys.version.encode()).hexdigest()
    stamp = WORK / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    WORK.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", "--clear", WORK / "venv")
    run(BIN / "pip", "install", "-q", "-r", HERE / "requirements.txt")
    run(BIN / "npm", "install", "--prefix", WORK / "tools", "--no-save", "--no-package-lock", "--silent",
        *(HERE / "tools.txt").read_text().split(), PATH=f"{BIN}:{os.environ['PATH']}")
    stamp.write_text(wanted)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        make_environment()

    def test_all_types_are_right(self):
        run(BIN / "node", MODULES / "typescript" / "bin" / "tsc", "-p", PAGE / "tsconfig.json")

    def test_the_page_is_below_100_kB_compressed_and_its_style_below_10_kB(self):
        files = [path for path in PAGE.iterdir() if path.suffix in (".html", ".js", ".css", ".svg")]
        self.assertLess(sum(len(gzip.compress(path.read_bytes())) for path in files), 100_000)
        self.assertLess((PAGE / "style.css").stat().st_size, 10_000)

    def test_the_page_has_at_most_2000_lines_of_code_besides_its_table_of_texts(self):
        lines = "".join(path.read_text() for path in PAGE.glob("*.js")).splitlines()
        code = [line for line in lines if line.strip() and not re.match(r'  "[a-z_-]+": \[', line)]
        self.assertLessEqual(len(code), 2000)

    def test_no_markup_has_a_script_or_a_style_of_its_own(self):
        html = (PAGE / "index.html").read_text()
        self.assertNotRegex(html, r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)")
        for path in PAGE.glob("*.js"):
            self.assertNotRegex(path.read_text(), r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function",
                                path.name)

    def test_every_text_that_is_used_exists_and_every_text_is_used(self):
        source = "".join(path.read_text() for path in PAGE.glob("*.js") if path.name != "texts.js")
        texts = set(re.findall(r'^  "([^"]+)": \[', (PAGE / "texts.js").read_text(), re.MULTILINE))
        families = re.findall(r"\bt\(`([a-z-]+)\$\{", source)
        named = set(re.findall(r'"([a-z][a-z_-]*)"', source))
        called = set(re.findall(r'\bt\("([^"]+)"', source))
        self.assertEqual(called - texts, set())
        self.assertEqual({text for text in texts - named if not text.startswith(tuple(families))}, set())


def in_the_browser(theme):
    @unittest.skipUnless(CHROMIUM, "no chromium on this machine: tools/install web")
    def test(self):
        run(BIN / "python", "-m", "unittest", "-v", theme, PYTHONPATH=str(HERE / "pages"), CHROMIUM=CHROMIUM or "",
            AXE=str(MODULES / "axe-core" / "axe.min.js"))
    return test


for theme in THEMES:
    setattr(Page, f"{theme}_in_the_browser", in_the_browser(theme))

if __name__ == "__main__":
    unittest.main()
