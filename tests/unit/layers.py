"""The laws of the folders, checked in the #include lines."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each folder of the library may include, besides itself.
ALLOWED = {
    "math": set(),
    "core": set(),
    "config": {"core"},
    "system": {"core"},
    "linalg": {"core", "system"},
    "kernels": {"core", "config", "system", "linalg"},
    "covariance": {"core", "config", "system", "kernels", "linalg"},
    "learners": {"core", "config", "system", "covariance", "kernels", "linalg", "math"},
    "ensembles": {"core", "config", "learners", "math"},
    "rules": {"core", "config", "math"},
    "spending": {"core", "config", "math"},
    "estimates": {"core", "math"},
    "theory": {"core", "system", "linalg", "math"},
    "protocol": {"core", "spending", "estimates"},
    "catalog": {"core", "config", "linalg", "learners", "ensembles", "rules", "spending", "protocol"},
    "features": {"core", "config", "system", "math"},
    "streams": {"core", "config", "system", "features", "math"},
    "models": {"core", "config", "system", "features", "streams", "protocol", "catalog", "theory"},
    "ledger": {"core"},
    "sessions": {"core", "config", "system", "features", "streams", "estimates", "protocol", "models", "ledger"},
    "trials": {"core", "config", "system", "features", "streams", "linalg", "estimates", "theory", "catalog", "models", "math"},
    "workflows": {"core", "config", "system", "features", "streams", "estimates", "theory", "models", "ledger",
                  "sessions", "trials"},
    "reports": {"core", "system"},
}
FOLDERS = set(ALLOWED)


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


def code_of(path):
    """Without comments and texts."""
    return re.sub(r'//[^\n]*|"(\\.|[^"\\\n])*"', " ", path.read_text())


class Layers(unittest.TestCase):
    def test_every_folder_of_the_library_has_a_law(self):
        found = {p.relative_to(ROOT / "askfew").parts[0] for p in sources("askfew")}
        self.assertEqual(found, FOLDERS)

    def test_folders_include_only_what_they_may(self):
        for path in sources("askfew"):
            folder = path.relative_to(ROOT / "askfew").parts[0]
            for include in includes(path):
                target = include.split("/")[1]
                self.assertTrue(target == folder or target in ALLOWED[folder], f"{path} includes {include}")

    def test_no_learner_includes_another_algorithm_and_no_rule_does(self):
        for folder in ("learners", "rules"):
            for path in sources(f"askfew/{folder}"):
                others = [i for i in includes(path) if i.startswith(f"askfew/{folder}/") and not i.endswith(f"/{path.stem}.h")]
                self.assertEqual(others, [], path)

    def test_apps_reach_algorithms_only_through_the_catalog(self):
        for path in sources("apps"):
            for include in includes(path):
                self.assertNotRegex(include, r"^askfew/(learners|ensembles|rules|linalg|kernels)/", path)
                self.assertNotEqual(include, "askfew/catalog/table.h", path)

    def test_messages_of_the_library_name_no_flag_of_the_command_line(self):
        flag = re.compile(r'"[^"\n]*(?<![\w-])--[a-z][^"\n]*"')
        for path in sources("askfew"):
            if path.name == "zstd_unpacker.cc":  # a flag of zstd
                continue
            for line in path.read_text().splitlines():
                if not line.lstrip().startswith("//"):
                    self.assertIsNone(flag.search(line), f"{path}: {line.strip()}")

    def test_nothing_of_the_command_line_is_compiled_into_a_test(self):
        for path in (ROOT / "tests").rglob("CMakeLists.txt"):
            self.assertNotIn("apps/", path.read_text(), path)
        for path in sources("tests"):
            self.assertFalse([i for i in includes(path) if i.startswith("apps/")], path)

    def test_the_library_never_prints_or_exits(self):
        forbidden = re.compile(r"\b(printf|puts|std::cerr|std::clog|std::exit|fmt::print|quick_exit)\b")
        for path in sources("askfew"):
            if path.name == "expects.h":  # a broken precondition aborts in checked builds
                continue
            self.assertIsNone(forbidden.search(path.read_text()), path)

    def test_elementary_functions_come_from_the_room_whose_bits_are_fixed(self):
        """Those of the C library, and the distributions of the C++ library, differ between machines."""
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
