"""The examples of docstrings and of the Python guide run, and the notebooks too."""

from __future__ import annotations

import doctest
import importlib
import os
import pathlib
import re

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted((ROOT / "python" / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", ["", ".bounds", ".estimate", ".river", ".sampler", ".sessions", ".sklearn", ".synthetic",
                                  ".workflows"])
def test_the_examples_of_docstrings_are_right(name: str) -> None:
    found = doctest.testmod(importlib.import_module("askfew" + name))
    assert found.failed == 0
    assert name == "" or found.attempted > 0


def test_the_examples_of_the_guide_are_right(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
                                             server: tuple[str, str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```pycon\n(>>> .*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    names: dict[str, object] = {"url": server[0], "token": server[1]}
    for k, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"block {k + 1}", "docs/python.md", 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_is_stored_without_outputs(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert pictures
    if folder := os.environ.get("ASKFEW_PICTURES"):
        nbformat.write(notebook, pathlib.Path(folder) / path.name)
