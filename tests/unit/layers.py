"""Checks the laws of the folders with the #include lines."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

sys.path.insert(0, str(ROOT / "tools"))
from include_graph import PAGE, cycles, drawn, edges, explained, includes, library_sources, reachable, sources  # noqa: E402


def linked():
    """The folders that each folder of the library links, from askfew/CMakeLists.txt."""
    text = (ROOT / "askfew" / "CMakeLists.txt").read_text()
    return {name: set(re.findall(r"askfew_(\w+)", links))
            for name, links in re.findall(r"^askfew_folder\((\w+)(.*?)\)$", text, flags=re.DOTALL | re.MULTILINE)}


def code_of(path):
    """The code of a file without comments and string literals."""
    return re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"', " ", path.read_text())


class Layers(unittest.TestCase):
    def test_the_page_explains_exactly_the_includes_between_folders(self):
        found = {(folder, target) for folder, used in edges().items() for target in used}
        page = {(folder, target) for folder, used in explained(PAGE.read_text()).items() for target in used}
        self.assertEqual(sorted(found - page), [], "docs/architecture.md does not say why")
        self.assertEqual(sorted(page - found), [], "docs/architecture.md explains what is not")

    def test_the_include_graph_has_no_cycle(self):
        self.assertEqual(cycles(edges()), [])

    def test_the_drawing_is_up_to_date(self):
        page = PAGE.read_text()
        self.assertEqual(drawn(page), page, "run tools/include_graph.py")

    def test_each_folder_links_the_folders_that_it_includes(self):
        links = linked()
        self.assertEqual(links.keys(), edges().keys())
        for folder, used in edges().items():
            self.assertLessEqual(used, reachable(links, folder), folder)

    def test_no_source_of_the_library_includes_the_umbrella_header(self):
        for path in [*sources("askfew"), *sources("apps"), *sources("papers")]:
            self.assertNotIn("askfew/askfew.h", includes(path), path)

    def test_each_public_header_says_what_threads_may_do(self):
        for include in includes(ROOT / "askfew" / "askfew.h"):
            self.assertRegex((ROOT / include).read_text(), r"(?m)^// Threads: ", include)

    def test_no_learner_and_no_rule_includes_another_algorithm(self):
        for folder in ("learners", "rules"):
            for path in sources(f"askfew/{folder}"):
                others = [i for i in includes(path) if i.startswith(f"askfew/{folder}/") and not i.endswith(f"/{path.stem}.h")]
                self.assertEqual(others, [], path)

    def test_apps_reach_algorithms_only_through_the_catalog(self):
        for path in sources("apps"):
            for include in includes(path):
                self.assertNotRegex(include, r"^askfew/(learners|composed|rules|linalg|kernels)/", path)
                self.assertNotEqual(include, "askfew/catalog/table.h", path)

    def test_messages_of_the_library_name_no_flag_of_the_command_line(self):
        flag = re.compile(r'"[^"\n]*(?<![\w-])--[a-z][^"\n]*"')
        for path in sources("askfew"):
            if path.name in ("zstd_unpacker.cc", "figure.cc"):  # flags of zstd and gnuplot
                continue
            for line in path.read_text().splitlines():
                if not line.lstrip().startswith("//"):
                    self.assertIsNone(flag.search(line), f"{path}: {line.strip()}")

    def test_no_source_of_the_command_line_is_compiled_into_a_test(self):
        for path in (ROOT / "tests").rglob("CMakeLists.txt"):
            self.assertNotIn("apps/", path.read_text(), path)
        for path in sources("tests"):
            self.assertFalse([i for i in includes(path) if i.startswith("apps/cli/")], path)

    def test_the_library_never_prints_or_exits_and_has_no_global_or_thread_local_state(self):
        prints = r"printf|puts|std::cout|std::cerr|std::clog|fmt::print"
        forbidden = re.compile(rf"\b({prints}|std::exit|quick_exit|umask|thread_local)\b")
        for path in sources("askfew"):
            if path.name == "expects.h":  # a broken precondition aborts in checked builds
                continue
            self.assertIsNone(forbidden.search(path.read_text()), path)

    def test_elementary_functions_come_only_from_askfew_math(self):
        """The functions of the C library and the distributions of the C++ library differ between machines."""
        functions = ("exp|exp2|expm1|log|log1p|log2|log10|pow|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|"
                     "asinh|acosh|atanh|erf|erfc|tgamma|lgamma")
        forbidden = re.compile(rf"(?<![\w.>:])(std::|::)?({functions})[fl]?\s*\(|\bstd::(\w+_distribution|shuffle|sample)\b|"
                               r"\bhn::(Exp|Expm1|Log|Log1p|Log2|Log10|Sin|Cos|Tanh|Sinh|Atan|Asin|Acos)\b")
        for path in sources("askfew") + sources("papers"):
            if path.parent.name == "math":
                continue
            found = forbidden.search(code_of(path))
            self.assertIsNone(found, f"{path}: {found and found.group()} of a library whose bits differ between machines")


if __name__ == "__main__":
    sys.exit(unittest.main())
