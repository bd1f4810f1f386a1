"""Checks the documentation: every command in README.md and docs/ is run, every listing is compiled.

    ASKFEW=build/release/apps/cli/askfew /usr/bin/python3 tests/cli/test_docs.py

In a Markdown file, a fenced block of the language
* `console` is a bash script: lines after `$ ` are commands (here-documents and open quotes go on over the next lines),
  the lines below a command are its exact standard output, and a line `...` stands for any number of lines;
* `python` is run in the same folder; an `output` block right after it is its exact standard output;
* `cpp` or `python` whose first line is `// file: PATH` or `# file: PATH` is a new file of the repository: it must
  compile and meet its concept, or load beside the reference and agree to be replayed;
* `text`, or any other, is only read by people.
The blocks of one file run in order, in one temporary folder.
"""

import fnmatch
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ASKFEW = os.path.abspath(os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew")))
CXX = os.environ.get("CXX", "g++")
PYTHON = "/usr/bin/python3"
FOLDERS = ("askfew", "apps", "bench", "docs", "papers", "python", "reference", "tests", ".ci")
FILE_MARK = re.compile(r"(?://|#) file: (\S+)$")

Block = namedtuple("Block", "file line language lines")
Command = namedtuple("Command", "line script expected")


def pages():
    found = [os.path.join(ROOT, "README.md")]
    found += sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))
    return [page for page in found if os.path.exists(page)]


def name_of(page):
    return os.path.relpath(page, ROOT)


def read(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def blocks(page):
    """The fenced blocks of a page."""
    found, language, start, lines = [], None, 0, []
    for number, line in enumerate(read(page).splitlines(), 1):
        if language is None and line.startswith("```"):
            language, start, lines = line[3:].strip(), number, []
        elif language is not None and line.rstrip() == "```":
            found.append(Block(name_of(page), start, language, lines))
            language = None
        elif language is not None:
            lines.append(line)
    if language is not None:
        raise AssertionError(f"{name_of(page)}:{start}: the block has no end")
    return found


def prose(page):
    """The page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", read(page), flags=re.DOTALL | re.MULTILINE)


def marked_path(block):
    """The path of a block that is a file, or None."""
    found = FILE_MARK.match(block.lines[0]) if block.lines else None
    return found.group(1) if found else None


def marked_blocks(language):
    return [block for page in pages() for block in blocks(page) if block.language == language and marked_path(block)]


def is_complete(script):
    """Is the command complete? An open quote or here-document continues on the next line."""
    done = subprocess.run(["bash", "-n"], input=script + "\n", capture_output=True, text=True)
    return done.returncode == 0 and not done.stderr


def commands(block):
    found, rest = [], list(enumerate(block.lines, block.line + 1))
    while rest:
        number, line = rest.pop(0)
        if not line.startswith("$ "):
            if not found:
                raise AssertionError(f"{block.file}:{number}: output before any command")
            found[-1].expected.append(line)
            continue
        script = line[2:]
        while not is_complete(script):
            if not rest:
                raise AssertionError(f"{block.file}:{number}: the command does not end in its block")
            script += "\n" + rest.pop(0)[1]
        found.append(Command(number, script, []))
    return found


def matches(expected, got):
    """Compares line by line; `...` matches any number of lines."""
    if not expected:
        return not got
    if expected[0] == "...":
        return any(matches(expected[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and expected[0] == got[0] and matches(expected[1:], got[1:])


def run(arguments, folder, bin_folder):
    environment = {"PATH": f"{bin_folder}:/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=120)


class Examples(unittest.TestCase):
    """Every console and python block prints what the page says it prints."""

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(ASKFEW):
            raise FileNotFoundError(f"no program at {ASKFEW}: build it, or say where it is in ASKFEW")
        cls.bin = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.bin.cleanup)
        os.symlink(ASKFEW, os.path.join(cls.bin.name, "askfew"))

    def test_every_example_prints_what_the_page_shows(self):
        ran = 0
        for page in pages():
            with self.subTest(page=name_of(page)), tempfile.TemporaryDirectory() as folder:
                ran += self.run_page(blocks(page), folder)
        self.assertGreater(ran, 0, "no example in any page")

    def run_page(self, found, folder):
        ran = 0
        for k, block in enumerate(found):
            with self.subTest(block=f"{block.file}:{block.line}"):
                if block.language == "console":
                    self.run_console(block, folder)
                    ran += 1
                elif block.language == "python" and not marked_path(block):
                    following = found[k + 1] if k + 1 < len(found) and found[k + 1].language == "output" else None
                    self.run_python(block, following, folder)
                    ran += 1
        return ran

    def run_console(self, block, folder):
        todo = commands(block)
        self.assertTrue(todo, f"{block.file}:{block.line}: no command in a console block")
        mark = "-- end of command --"
        script = "".join(f"{command.script}\nprintf '\\n%s %d\\n' '{mark}' $?\n" for command in todo)
        done = run(["bash", "-c", script], folder, self.bin.name)
        outputs = re.split(rf"\n{mark} (\d+)\n", done.stdout)
        for command, output, status in zip(todo, outputs[0::2], outputs[1::2]):
            where = f"{block.file}:{command.line}: $ {command.script}"
            self.assertEqual(status, "0", f"{where}\nexit {status}\n{output}{done.stderr}")
            self.compare(where, command.expected, output, done.stderr)
        self.assertEqual(len(outputs) // 2, len(todo), f"{block.file}:{block.line}: ended early\n{done.stderr}")

    def run_python(self, block, following, folder):
        where = f"{block.file}:{block.line}"
        done = run([PYTHON, "-c", "\n".join(block.lines)], folder, self.bin.name)
        self.assertEqual(done.returncode, 0, f"{where}\n{done.stderr}")
        self.compare(where, following.lines if following else [], done.stdout, done.stderr)

    def compare(self, where, expected, output, stderr):
        got = output.removesuffix("\n").split("\n") if output else []
        if not matches(expected, got):
            self.fail(f"{where}\n--- the page says\n" + "\n".join(expected) + "\n--- printed\n" + output +
                      (f"--- on standard error\n{stderr}" if stderr else ""))


class Listings(unittest.TestCase):
    """The worked examples can be added unchanged: their files and the lines of their diffs, and nothing else."""

    def test_the_listings_of_cpp_compile(self):
        """The catalog compiles with the new files and lines, and so does a sampler of each new pair."""
        listings = marked_blocks("cpp")
        self.assertTrue(listings, "no C++ listing in any page")
        with tempfile.TemporaryDirectory() as folder:
            learners, rules = [], []
            for block in listings:
                names = re.findall(r"^class (\w+)", "\n".join(block.lines), flags=re.MULTILINE)
                (learners if "/learners/" in self.write(block, folder) else rules).extend(names)
            self.assertTrue(learners and rules, "a learner and a rule are worked out")
            self.change_table(folder)
            source = [f'#include "{ROOT}/askfew/catalog/catalog.cc"']
            for learner in [*learners, "Perceptron"]:
                for rule in [*rules, "Margin"]:
                    pair = f"askfew::{learner}, askfew::{rule}"
                    source.append(f"static_assert(askfew::Pairable<{pair}>);")
                    source.append(f"template class askfew::ErasedSampler<{pair}>;")
            done = subprocess.run([CXX, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow",
                                   "-Wno-missing-field-initializers", "-Werror", "-I", folder, "-I", ROOT,
                                   "-x", "c++", "-"],
                                  input="\n".join(source) + "\n", capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_listings_of_the_reference_replay(self):
        """Each reference of a page can be replayed as soon as its file is next to the others."""
        listings = marked_blocks("python")
        self.assertTrue(listings, "no reference in any page")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "reference"), os.path.join(folder, "reference"))
            for block in listings:
                with self.subTest(path=self.write(block, folder)):
                    self.replay(marked_path(block), "\n".join(block.lines), folder)

    def write(self, block, folder):
        path = marked_path(block)
        self.assertFalse(os.path.exists(os.path.join(ROOT, path)), f"{path} is not new any more")
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write("\n".join(block.lines) + "\n")
        return path

    def change_table(self, folder):
        """The table of the catalog with the lines that the pages' diffs add."""
        path = os.path.join("askfew", "catalog", "table.h")
        table = read(os.path.join(ROOT, path)).splitlines()
        for block in (block for page in pages() for block in blocks(page) if block.language == "diff"):
            at = next(k for k, line in enumerate(table) if line.startswith("#include \"askfew/"))
            for line in filter(None, block.lines):
                if line.startswith("+"):
                    table.insert(at, line[1:])
                else:
                    self.assertIn(line[1:], table, f"{block.file}:{block.line}: not a line of {path}")
                    at = table.index(line[1:])
                at += 1
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write("\n".join(table) + "\n")

    def replay(self, path, text, folder):
        params = re.search(r"def __init__\(self, task(.*?)\)", text).group(1)
        name = re.search(r'^    name = "(.*)"$', text, flags=re.MULTILINE).group(1)
        spec = name + ":" + ",".join(f"{key}=0.5" for key in re.findall(r", *(\w+)", params))
        learner, rule = (spec, "margin:b=1") if "/learners/" in path else ("perceptron:rate=1", spec)
        script = f"""
import numpy as np
from reference.replay import replay
x = np.random.default_rng(1).normal(size=(200, 5))
y = np.where(x[:, :1] + x[:, 1:2] > 0, 1, -1)
rows = replay(x, y, {learner!r}, {rule!r})
assert 0 < sum(row.asked for row in rows) < 200, "asks for all or nothing"
assert sum(row.prediction != row.label for row in rows[100:]) < 25, "does not learn"
"""
        done = run([PYTHON, "-c", script], folder, folder)
        self.assertEqual(done.returncode, 0, done.stderr)


class Pages(unittest.TestCase):
    """The pages agree with the catalog, each other and the repository."""

    @classmethod
    def setUpClass(cls):
        cls.catalog = json.loads(subprocess.run([ASKFEW, "list", "--json"], capture_output=True, check=True).stdout)

    def algorithms(self):
        """Learners and rules by name, and the page whose title has the name."""
        title_of = {}
        for page in glob.glob(os.path.join(ROOT, "docs", "algorithms", "*.md")):
            for name in re.findall(r"`([^`]+)`", read(page).splitlines()[0]):
                self.assertNotIn(name, title_of, f"two pages about {name}")
                title_of[name] = page
        for kind in ("learners", "rules"):
            for entry in self.catalog[kind]:
                if entry["name"] not in title_of:
                    self.fail(f"no page in docs/algorithms/ has `{entry['name']}` in its title")
                yield entry, title_of.pop(entry["name"])
        self.assertFalse(title_of, "pages about what is not in the catalog")

    def test_every_algorithm_has_a_page_with_its_parameters(self):
        for entry, page in self.algorithms():
            text = read(page)
            self.assertTrue(entry["formula"] in text, f"{name_of(page)}: not the formula of {entry['name']}")
            for param in entry["params"]:
                default = param["default"] if isinstance(param["default"], str) else f"{param['default']:g}"
                row = re.compile(rf"^\|.*`{re.escape(param['name'])}` \| {re.escape(default)} \| "
                                 rf"{re.escape(param['range'])} \|", re.MULTILINE)
                self.assertTrue(row.search(text), f"{name_of(page)}: no row for {entry['name']}'s {param['name']}")

    def test_every_page_names_the_tensors_of_its_algorithms(self):
        """Under "In a model": each tensor of the state is named, by itself or with others (`core.*`), and no other."""
        for entry, page in self.algorithms():
            section = read(page).partition("\n## In a model\n")[2].partition("\n## ")[0]
            row = re.search(rf"^\| `{re.escape(entry['name'])}` \| (.*) \|$", section, re.MULTILINE)
            self.assertTrue(row, f"{name_of(page)}: {entry['name']} has no row under \"In a model\"")
            named = re.findall(r"`([^`]+)`", row.group(1))
            for tensor in entry["state"]:
                self.assertTrue(any(fnmatch.fnmatchcase(tensor, name) for name in named),
                                f"{name_of(page)}: {entry['name']} has a tensor {tensor}")
            for name in named:
                self.assertTrue(fnmatch.filter(entry["state"], name),
                                f"{name_of(page)}: {entry['name']} has no tensor {name}")

    def test_every_offer_has_a_row(self):
        """The page about adding a learner or a rule lists every offer in core/concepts.h with its concept."""
        concepts = read(os.path.join(ROOT, "askfew", "core", "concepts.h"))
        for kind in ("learner", "rule"):
            page = read(os.path.join(ROOT, "docs", f"add-a-{kind}.md"))
            function = re.search(rf"constexpr auto {kind}_offers\(\) {{(.*?)\n}}", concepts, re.DOTALL).group(1)
            listed = re.findall(r'Offer{"([\w-]+)", (\w+)<', function)
            self.assertTrue(listed, kind)
            rows = re.findall(r"^\| `([\w-]+)` \| `(\w+)`", page, re.MULTILINE)
            self.assertEqual(rows, listed, f"docs/add-a-{kind}.md")

    def test_the_index_shows_every_preset_with_its_parameters(self):
        index = read(os.path.join(ROOT, "docs", "algorithms", "README.md"))
        for preset in self.catalog["presets"]:
            row = f"| `{preset['name']}` | `{preset['learner']}` | `{preset['rule']}` | {preset['paper']} |"
            self.assertTrue(row in index, f"docs/algorithms/README.md: no row\n{row}")

    def test_every_preset_is_on_the_pages_of_its_learner_and_rule(self):
        page_of = {entry["name"]: page for entry, page in self.algorithms()}
        for preset in self.catalog["presets"]:
            for spec in (preset["learner"], preset["rule"]):
                page = page_of[spec.split(":")[0]]
                self.assertTrue(f"`{preset['name']}`" in read(page), f"{name_of(page)}: no preset {preset['name']}")

    def test_every_feature_option_has_a_row(self):
        page = read(os.path.join(ROOT, "docs", "text-features.md"))
        for option in self.catalog["features"]:
            row = f"| `--{option['name']}` | {option['default']} | {option['accepted']} | {option['help']} |"
            self.assertTrue(row in page, f"docs/text-features.md: no row\n{row}")

    def test_every_parameter_of_a_synthetic_stream_has_a_row(self):
        page = read(os.path.join(ROOT, "docs", "synthetic-streams.md"))
        for stream in self.catalog["streams"]:
            section = page.partition(f"\n## `{stream['name']}`\n")[2].partition("\n## ")[0]
            for param in stream["params"]:
                meaning = param["help"].replace("|", "&#124;")
                row = f"| `{param['name']}` | {param['default']:g} | {param['range']} | {meaning} |"
                self.assertTrue(row in section, f"docs/synthetic-streams.md: {stream['name']} has no row\n{row}")

    def test_the_sizing_table_is_what_its_tool_prints(self):
        table = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "sizing.py")], capture_output=True, text=True, check=True)
        self.assertIn("\n\n" + table.stdout + "\n", read(os.path.join(ROOT, "docs", "guide", "scale.md")))

    def test_links_resolve(self):
        for page in pages():
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose(page)):
                if "://" not in target and not target.startswith("mailto:"):
                    path = os.path.join(os.path.dirname(page), target)
                    self.assertTrue(os.path.exists(path), f"{name_of(page)}: no {target}")

    def test_paths_exist(self):
        written = {marked_path(block) for language in ("cpp", "python") for block in marked_blocks(language)}
        for page in pages():
            for span in re.findall(r"`([^`\n]+)`", prose(page)):
                if not re.fullmatch(rf"(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*<>-]*", span) or span in written:
                    continue
                pattern = re.sub(r"<\w+>", "*", span)
                self.assertTrue(glob.glob(os.path.join(ROOT, pattern)), f"{name_of(page)}: no {span}")


if __name__ == "__main__":
    unittest.main()
