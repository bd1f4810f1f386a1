"""The type stub of the compiled module."""

from __future__ import annotations

import ast
import pathlib
from typing import Any

from askfew import _core

STUB = pathlib.Path(_core.__file__).with_name("_core.pyi")


def declared(body: list[ast.stmt]) -> set[str]:
    names = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names - {"__init__", "__bool__"}


def defined(thing: Any) -> set[str]:
    return {name for name in vars(thing) if not name.startswith("__")}


def test_the_stub_declares_exactly_what_the_module_has() -> None:
    tree = ast.parse(STUB.read_text())
    assert declared(tree.body) - {"__version__"} == defined(_core)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            assert declared(node.body) == defined(getattr(_core, node.name)), node.name
