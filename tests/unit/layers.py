"""The laws of the folders, checked in the #include lines."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each folder of the library may include, besides itself.
ALLOWED = {
    "core": set(),
    "config": {"core"},
    "system": {"core"},
    "linalg": {"core", "system"},
    "kernels": {"core", "config", "system", "linalg"},
    "covariance": {"core", "config", "system", "kernels", "linalg"},
    "learners": {"core", "config", "system", "covariance", "kernels", "linalg"},
    "ensembles": {"core", "config", "learners"},
    "rules": {"core", "config"},
    "spending": {"core", "config"},
    "estimates": {"core"},
    "theory": {"core", "system", "linalg"},
    "protocol": {"core", "spending", "estimates"},
    "catalog": {"core", "config", "linalg", "learners", "ensembles", "rules", "spending", "protocol"},
    "features": {"core", "config", "system"},
    "streams": {"core", "config", "system", "features"},
    "models": {"core", "config", "system", "features", "streams", "protocol", "catalog", "theory"},
    "ledger": {"core", "system"},
    "sessions": {"core", "config", "system", "features", "streams", "estimates", "protocol", "models", "ledger"},
    "trials": {"core", "system", "features", "streams", "linalg", "estimates", "theory", "catalog", "models"},
    "workflows": {"config", "estimates", "trials"},
    "reports": {"core", "system"},
}
FOLDERS = set(ALLOWED)


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text())


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

    def test_the_library_never_prints_or_exits(self):
        forbidden = re.compile(r"\b(printf|puts|std::cerr|std::clog|std::exit|fmt::print|quick_exit)\b")
        for path in sources("askfew"):
            if path.name == "expects.h":  # a broken precondition aborts in checked builds
                continue
            self.assertIsNone(forbidden.search(path.read_text()), path)


if __name__ == "__main__":
    sys.exit(unittest.main())
