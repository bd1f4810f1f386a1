from __future__ import annotations

import doctest
import json
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

import askfew
from askfew import convert
from askfew.convert import Record

SINGLE = [Record("free prizes", ("spam",), 1, data={"lang": "en"}), Record("مرحبا 😀", ("ham",), "b"), Record("not yet", None, 3)]
TOPICS = [Record("goal", ("sport", "news"), 1), Record("rain", ("weather",), 2), Record("hm", (), 3)]
SKIPPED = Record("unclear", None, 4, skipped=True)


@pytest.mark.parametrize("format", sorted(convert.WRITERS))
@pytest.mark.parametrize("records", [SINGLE, TOPICS], ids=["single", "topics"])
def test_what_is_written_is_read_again(format: str, records: list[Record], tmp_path: Any) -> None:
    convert.write(records, tmp_path / "x", format)
    found = convert.read(tmp_path / "x")
    if format == "doccano":  # it does not tell an empty answer from no answer
        for one in found:
            one.labels = one.labels or next(other.labels for other in records if other.text == one.text)
    assert found == records


@pytest.mark.parametrize("format", ["label-studio", "prodigy"])
def test_a_skip_is_written_and_read(format: str, tmp_path: Any) -> None:
    convert.write([*SINGLE, SKIPPED], tmp_path / "x", format)
    assert convert.read(tmp_path / "x", format)[-1] == SKIPPED


def read(tmp_path: pathlib.Path, content: Any) -> list[Record]:
    path = tmp_path / "x.json"
    lines = content if isinstance(content, str) else json.dumps(content)
    path.write_text(lines)
    return convert.read(path)


def test_an_export_of_label_studio_is_read(tmp_path: Any) -> None:
    """As Label Studio 1.23 exports JSON."""
    result = [{"value": {"choices": ["spam"]}, "id": "a1", "from_name": "label", "to_name": "text", "type": "choices",
               "origin": "manual"}]
    assert read(tmp_path, [
        {"id": 7, "annotations": [{"id": 3, "completed_by": 1, "result": result, "was_cancelled": False},
                                  {"id": 4, "completed_by": {"id": 2, "email": "a@b.c"}, "result": [], "was_cancelled": True}],
         "data": {"text": "free", "nr": 5}, "predictions": [], "drafts": [], "project": 1},
        {"id": 8, "annotations": [], "data": {"text": "new"}},
    ]) == [Record("free", ("spam",), 7, "1", data={"nr": 5}), Record("free", None, 7, "a@b.c", True, {"nr": 5}),
           Record("new", None, 8)]


def test_lines_of_doccano_and_prodigy_are_read(tmp_path: Any) -> None:
    assert read(tmp_path, '{"id": 1, "text": "a", "label": ["x", "y"], "Comments": []}\n') == [
        Record("a", ("x", "y"), 1, data={"Comments": []})]
    lines = [{"text": "a", "label": "spam", "answer": "accept", "_input_hash": 1, "_session_id": "d-ann"},
             {"text": "b", "label": "spam", "answer": "reject"},
             {"text": "c", "options": [{"id": "p", "text": "P"}], "accept": ["p"], "answer": "accept"},
             {"text": "d", "options": [], "accept": [], "answer": "ignore"}]
    assert read(tmp_path, "\n".join(map(json.dumps, lines))) == [
        Record("a", ("spam",), by="d-ann"), Record("b", ()), Record("c", ("p",)), Record("d", skipped=True)]


@pytest.mark.parametrize(("content", "said"), [
    ('{"text": "a"\n', "line 1"), ('{"text": "a", "label": ["x"]}\n{"label": ["x"]}\n', "line 2: .*no text"),
    ('[{"data": {"text": "a"}}, 5]', "entry 2: not an object"), ('{"text": "a", "answer": "maybe"}', "accept, reject or ignore"),
    ('[{"data": {"text": "a"}, "annotations": [{"result": [{"type": "choices"}]}]}]', "entry 1"), ("[{]", "x.json"),
])
def test_what_cannot_be_read_is_named_with_its_place(content: str, said: str, tmp_path: Any) -> None:
    with pytest.raises(askfew.DataError, match=said):
        read(tmp_path, content)


def test_the_command_line_converts_and_the_program_reads_it(tmp_path: Any) -> None:
    source, target = tmp_path / "x.json", tmp_path / "x.jsonl"
    convert.write(SINGLE[:2] * 5, source, "label-studio")
    program = [sys.executable, "-m", "askfew.convert"]
    done = subprocess.run([*program, source, target, "--to", "askfew"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "10 texts, 10 with labels, 0 skipped\n")
    result = askfew.run(str(target), sampler="perc", positive="spam")
    assert result.all.rounds == 10
    for arguments, code in ((["no-such-file", "y"], 2), ([str(target), "/no/such/folder"], 2)):
        assert subprocess.run([*program, *arguments, "--to", "askfew"], capture_output=True).returncode == code


def test_the_examples_of_the_page_about_tools_are_right(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "labelling-tools.md"
    blocks = re.findall(r"^```pycon\n(>>> .*?)^```$", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, page.name, 0))
    result = runner.summarize(verbose=False)
    assert (result.failed, result.attempted) == (0, 6)
