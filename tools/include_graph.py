#!/usr/bin/env python3
"""Draws which folder of the library includes which, from the #include lines, into docs/architecture.md.

    tools/include_graph.py          writes the drawing into the page
    tools/include_graph.py --check  checks that the drawing in the page is up to date (exit 1 if not)

An arrow that follows from other arrows is not drawn. The table below the drawing is written by hand: it explains every
arrow, drawn or not, and tests/unit/layers.py compares it with the sources.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- drawn by tools/include_graph.py -->\n"
END = "<!-- end of the drawing -->\n"


def includes(path):
    return re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8"))


def sources(folder):
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


def library_sources():
    """(folder, path) for all sources of the library but askfew/askfew.h, which includes the others for its users."""
    for path in sources("askfew"):
        parts = path.relative_to(ROOT / "askfew").parts
        if len(parts) > 1:
            yield parts[0], path


def edges():
    """The folders that each folder includes."""
    found = {}
    for folder, path in library_sources():
        used = found.setdefault(folder, set())
        used.update(include.split("/")[1] for include in includes(path) if include.startswith("askfew/"))
        used.discard(folder)
    return found


def reachable(graph, start):
    """All that can be reached from a folder in one step or more."""
    seen, todo = set(), [start]
    while todo:
        for folder in graph[todo.pop()] - seen:
            seen.add(folder)
            todo.append(folder)
    return seen


def cycles(graph):
    """The folders that reach themselves."""
    return sorted(folder for folder in graph if folder in reachable(graph, folder))


def reduced(graph):
    """Without the arrows that follow from others."""
    return {folder: {target for target in used
                     if not any(target in reachable(graph, other) for other in used - {target})}
            for folder, used in graph.items()}


def drawing(graph):
    arrows = [f"  {folder} --> {target}" for folder, used in sorted(reduced(graph).items()) for target in sorted(used)]
    return "```mermaid\ngraph TD\n" + "\n".join(arrows) + "\n```\n"


def explained(page):
    """What each folder includes, as the table under the drawing explains it: | includes | folders | why |."""
    found = {}
    for target, users in re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \| \S", page.partition(END)[2].partition("\n## ")[0],
                                    flags=re.MULTILINE):
        for user in re.findall(r"`(\w+)`", users):
            if target in found.setdefault(user, set()):
                raise ValueError(f"docs/architecture.md explains twice why {user} includes {target}")
            found[user].add(target)
    return found


def drawn(page):
    """The page with the drawing of now."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"docs/architecture.md has no lines\n{BEGIN}{END}")
    return before + BEGIN + drawing(edges()) + END + after


def main():
    page = PAGE.read_text(encoding="utf-8")
    now = drawn(page)
    if sys.argv[1:] == ["--check"]:
        if page != now:
            sys.exit("docs/architecture.md does not show the includes as they are: run tools/include_graph.py")
    else:
        PAGE.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    main()
