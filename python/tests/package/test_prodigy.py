"""The documented protocol: a stream of dictionaries, and an update function that gets them back with an answer."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest

import askfew
from askfew.prodigy import Loop, Task

ALWAYS = {"learner": "perceptron", "rule": "always"}


def tasks(count: int) -> list[Task]:
    return [{"text": f"{('free prizes', 'see you at noon')[k % 2]} {k}", "meta": {"source": "mail"}} for k in range(count)]


def serve(components: dict[str, Any], person: Any, batch: int = 10) -> list[Task]:
    """What Prodigy does: takes batches from the stream, adds hashes, sends the answers of a batch to `update`."""
    saved: list[Task] = []
    stream: Iterator[Task] = iter(components["stream"])
    while shown := [copy.deepcopy(task) for task in islice(stream, batch)]:
        for number, task in enumerate(shown):
            task.update(_input_hash=hash(task["text"]), _task_hash=number, _session_id="data-ann", _view_id=components["view_id"])
            task.update(person(task))
        components["update"](shown)
        saved += shown
    components["on_exit"](None)
    return saved


def yes_no(task: Task) -> Task:
    return {"answer": "accept" if "prizes" in task["text"] else "reject"}


def test_one_label_is_accepted_or_rejected(tmp_path: Any) -> None:
    components = Loop(tasks(40), ["spam"], tmp_path / "l", **ALWAYS).components("data")
    assert (components["dataset"], components["view_id"]) == ("data", "classification")
    saved = serve(components, yes_no)
    assert len(saved) == 40
    assert {task["label"] for task in saved} == {"spam"}
    assert saved[0]["meta"] == {"source": "mail", "predicted": "none"}
    assert saved[-2]["meta"]["predicted"] == "spam"
    report = Loop([], ["spam"], tmp_path / "l").session.report()["spam"]
    assert (report["rounds"], report["labels"]["learned"], report["pending"]) == (40, 40, 0)


def test_only_what_is_worth_asking_is_served() -> None:
    loop = Loop(tasks(400), ["spam"], budget=30, horizon=400)
    saved = serve(loop.components("data"), yes_no)
    assert 10 < len(saved) <= 30


def test_choices_single_and_multiple() -> None:
    for multiple, accepted in ((False, ["ham"]), (True, ["ham", "news"]), (True, [])):
        loop = Loop(tasks(4), ["spam", "ham", "news"], multiple=multiple, **ALWAYS)
        components = loop.components("data")
        assert components["view_id"] == "choice"
        assert components["config"]["choice_style"] == ("multiple" if multiple else "single")
        shown = list(components["stream"])
        assert shown[0]["options"] == [{"id": name, "text": name} for name in ("spam", "ham", "news")]
        components["update"]([{**task, "answer": "accept", "accept": accepted} for task in shown])
        assert loop.session.predict("see you").choices == tuple(accepted)


def test_what_is_ignored_is_skipped_and_an_answer_that_comes_twice_counts_once() -> None:
    loop = Loop(tasks(3), ["spam"], **ALWAYS)
    first, second, third = loop.stream()
    loop.update([{**first, "answer": "ignore"}])
    loop.update([{**second, "answer": "reject"}, {**second, "answer": "reject"}])
    report = loop.session.report()["spam"]
    assert [report["labels"][name] for name in ("skipped", "learned", "repeated")] == [1, 1, 1]
    assert loop.session.pending() == [third["askfew"]]


def test_a_second_start_serves_what_was_not_answered_and_nothing_twice(tmp_path: Any) -> None:
    source: Iterable[Task] = tasks(10)
    loop = Loop(source, ["spam"], tmp_path / "l", **ALWAYS)
    shown = list(islice(loop.stream(), 6))
    loop.update([{**task, **yes_no(task)} for task in shown[:4]])
    loop.on_exit()
    again = [task["text"] for task in Loop(source, ["spam"], tmp_path / "l", **ALWAYS).stream()]
    assert again == [task["text"] for task in tasks(10)[4:]]


def test_a_task_without_text_is_an_error() -> None:
    with pytest.raises(askfew.DataError, match="no text"):
        list(Loop([{"image": "x.png"}], ["spam"]).stream())
