"""Every workflow: its table, its figure, its progress, and Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import matplotlib
import pytest
from conftest import Stream

import askfew
from askfew.__main__ import PROGRAM
from askfew.papers import PAPERS

matplotlib.use("Agg")

LONG = "synthetic:linear-noise:n=2000000"
WORKFLOWS: dict[str, Callable[..., Any]] = {
    "run": lambda X, y, **more: askfew.run(X, y, sampler="sel-p", **more),
    "compare": lambda X, y, **more: askfew.compare(X, y, samplers=["sel-p", "sel-2nd"], rates=[0.1, 0.5], runs=2, **more),
    "tune": lambda X, y, **more: askfew.tune(X, y, sampler="pa-log", rate="10%", grid=["C=0.01,1"], runs=1, **more),
    "bound": lambda X, y, **more: askfew.bound(X, y, sampler="sel-p:b=1", seeds=3, **more),
    "evaluate": lambda X, y, **more: askfew.evaluate(askfew.run("synthetic:linear-noise:n=50,d=12", sampler="sel-p").model,
                                                     X, y, **more),
}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_tells_its_progress_and_has_a_table_and_a_figure(name: str, stream: Stream, tmp_path: Any) -> None:
    told: list[tuple[int, int]] = []
    result = WORKFLOWS[name](stream.X, stream.y, progress=lambda done, of: told.append((done, of)))
    assert told[-1][0] == told[-1][1] > 0
    frame = result.to_pandas()
    assert len(frame) > 0
    assert not frame.isna().any().any()
    axes = result.plot()
    axes.figure.savefig(tmp_path / f"{name}.png")
    assert axes.has_data()


def test_progress_may_be_a_bar(stream: Stream, capfd: Any) -> None:
    askfew.run(stream.X, stream.y, sampler="sel-p", progress=True)
    assert "run: 100%" in capfd.readouterr().err
    askfew.Sampler("sel-p").run(stream.X, stream.y, progress=True)
    assert "run: " in capfd.readouterr().err
    askfew.run(stream.X, stream.y, sampler="sel-p", progress=False)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("call", [
    f"askfew.run('{LONG}', sampler='sel-2nd')",
    f"askfew.compare('{LONG}', samplers=['sel-2nd'], rates=[0.1], runs=50)",
    f"askfew.tune('{LONG}', sampler='pa-log', rate='10%', grid=['C=0.01,0.1,1,10'], runs=50)",
    "askfew.bound('synthetic:linear-noise:n=20000', sampler='sel-2nd', seeds=100000)",
    f"askfew.evaluate(askfew.run('synthetic:linear-noise:n=50', sampler='sel-p').model, '{LONG}0')",
    "askfew.reproduce('slides', output=folder)",
    "askfew.Sampler('sel-2nd').learn(numpy.ones((300000, 100)), numpy.resize([1, -1], 300000))",
])
def test_ctrl_c_ends_a_call(call: str, tmp_path: Any) -> None:
    script = f"""
import numpy, sys, askfew
folder = sys.argv[1]
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "out")], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=180)[0] == "interrupted\n"


def test_an_evaluation_is_that_of_the_command_line(stream: Stream, cli: Callable[..., str], tmp_path: Any) -> None:
    model = tmp_path / "m.askfew"
    path = stream.folder / "binary.svm"
    cli("run", path, "--sampler", "sel-p", "--dimension", 12, "--model", model, "--quiet")
    expected = json.loads(cli("evaluate", model, path, "--json", "-"))
    for result in (askfew.evaluate(model, path), askfew.evaluate(askfew.Sampler.load(model), stream.csr, stream.y)):
        assert result.raw == expected
    assert result.accuracy is not None
    right = (askfew.Sampler.load(model).predict(stream.csr) == stream.y).mean()
    assert result.accuracy.value == pytest.approx(right)
    assert result.accuracy.low < right < result.accuracy.high


def test_classes_and_topics_are_evaluated(stream: Stream) -> None:
    for more, column in (({"multiclass": True, "labels": "0-3"}, True), ({"labels": "0-3"}, False)):
        model = askfew.run(stream.X, stream.classes, sampler="sel-p", **more).model
        result = askfew.evaluate(model, stream.X, stream.classes)
        assert list(result.to_pandas()["task"]) == ["0", "1", "2", "3"]
        assert (result.accuracy is not None) == column
        assert (result.class_counts is not None) == column
        assert len(result.plot().get_yticklabels()) == 4
    with pytest.raises(askfew.FileError, match="none"):
        askfew.evaluate("none.askfew", stream.X, stream.y)


def test_a_paper_is_reproduced_as_by_the_command_line(cli: Callable[..., str], tmp_path: Any) -> None:
    told: list[tuple[int, int]] = []
    result = askfew.reproduce("slides", quick=True, output=tmp_path / "here",
                              progress=lambda done, of: told.append((done, of)))
    cli("reproduce", "slides", "--quick", "--quiet", "-o", tmp_path / "there")
    assert result.figures | {"verdicts": [vars(verdict) for verdict in result.verdicts]} == json.loads(
        (tmp_path / "there" / "slides-quick.json").read_text())
    assert result.page.read_text().startswith("<!doctype html>")
    assert told[-1][0] == told[-1][1] > 0
    assert result.to_pandas()["holds"].sum() > 5
    assert result.plot().has_data()


def test_papers_and_data_that_do_not_exist_are_refused(tmp_path: Any) -> None:
    known = subprocess.run([PROGRAM, "reproduce", "nothing"], capture_output=True, text=True).stderr
    assert known == f"askfew: no experiment 'nothing', known: all, {', '.join(PAPERS)}\n"
    for wrong in ("nothing", "all"):
        with pytest.raises(askfew.ConfigError, match=f"no experiment '{wrong}'"):
            askfew.reproduce(wrong, output=tmp_path)
    with pytest.raises(askfew.FileError, match="this file is missing"):
        askfew.reproduce("cbgz-2006", data=tmp_path / "none", output=tmp_path)
