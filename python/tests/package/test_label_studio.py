"""askfew-label-studio: the calls that were recorded with a real Label Studio are replayed in both directions.

`tools/label_studio` records them again. Everything else is tested with answers of Label Studio that are written here.
"""

from __future__ import annotations

import asyncio
import base64
import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

import askfew
from askfew.label_studio.__main__ import main
from askfew.label_studio.answers import Answers
from askfew.label_studio.api import LabelStudio
from askfew.label_studio.config import Labelling, parse
from askfew.label_studio.service import Backend, Gateway, Service, application

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "label_studio"))
from exchange import RECORDED, Player, start, summary

CONFIG = ('<View><Text name="mail" value="$body"/><Choices name="kind" toName="mail" choice="{}">'
          '<Choice value="spam"/><Choice value="ham"/></Choices></View>')
SINGLE = parse(CONFIG.format("single"))
ALWAYS = {"learner": "perceptron", "rule": "always"}


@pytest.mark.parametrize("way", ["gateway", "backend"])
def test_what_was_recorded_with_label_studio_happens_again(way: str, tmp_path: pathlib.Path) -> None:
    recorded = json.loads((RECORDED / f"{way}.json").read_text())
    player = Player(recorded["outgoing"])

    async def replay() -> None:
        async def begin() -> tuple[Service, httpx.AsyncClient]:
            service, app = await start(way, tmp_path, "http://studio", "token", recorded["project"], player)
            return service, httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://askfew")

        service, studio = await begin()
        if way == "gateway":
            for _ in range(2):  # the second time the webhook is there
                await service.studio.subscribe(next(one["request"]["body"]["url"] for one in recorded["outgoing"]
                                                    if one["request"]["path"] == "/api/webhooks/" and one["request"]["body"]))
        for one in recorded["incoming"]:
            if one["do"] == "refresh":
                await service.refresh()
            elif one["do"] == "restart":
                service.answers.close()
                service, studio = await begin()
            else:
                answer = await studio.request(one["method"], one["path"], json=one["body"])
                assert (answer.status_code, answer.json()) == (one["status"], one["response"])
        assert player.left == []
        assert summary(service) == recorded["end"]
        service.answers.close()

    asyncio.run(replay())


def answer(task: int, id: int, choices: list[str] | None, person: int = 1) -> dict[str, Any]:
    result = [{"from_name": "kind", "to_name": "mail", "type": "choices", "value": {"choices": choices}}] if choices else []
    return {"id": id, "task": task, "result": result, "was_cancelled": choices is None, "completed_by": person}


def event(action: str, annotation: dict[str, Any]) -> dict[str, Any]:
    return {"action": action, "annotation": annotation, "project": {"id": 7}}


def nowhere(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"an unexpected call: {request.method} {request.url}")


def make(kind: type[Any], folder: pathlib.Path, handler: Callable[[httpx.Request], httpx.Response] = nowhere,
         labelling: Labelling = SINGLE) -> Any:
    studio = LabelStudio("http://studio", "token", 7, httpx.MockTransport(handler))
    return kind(studio, Answers(folder, labelling, **ALWAYS))


def learned(service: Service) -> dict[str, int]:
    labels: dict[str, int] = service.answers.session.report()["labels"]
    return {name: count for name, count in labels.items() if count}


def task(id: int, text: str = "free prizes") -> dict[str, Any]:
    return {"id": id, "data": {"body": text}}


def test_an_event_that_comes_twice_or_changes_nothing_is_told_once(tmp_path: pathlib.Path) -> None:
    service = make(Backend, tmp_path)
    service.predict([task(1)])
    for action in ("ANNOTATION_CREATED", "ANNOTATION_CREATED", "ANNOTATION_UPDATED"):
        service.webhook(event(action, answer(1, 5, ["spam"])))
    service.webhook({"action": "TASKS_DELETED", "tasks": [{"id": 1}]})
    assert learned(service) == {"learned": 1}


def test_the_answer_of_a_task_is_its_oldest_annotation_that_was_not_cancelled(tmp_path: pathlib.Path) -> None:
    service = make(Backend, tmp_path)
    service.predict([task(1)])
    service.webhook(event("ANNOTATION_CREATED", answer(1, 5, None)))
    assert learned(service) == {"skipped": 1}
    service.webhook({"action": "ANNOTATIONS_CREATED", "annotation": [answer(1, 7, ["ham"], 2), answer(1, 6, ["spam"], 1)]})
    told = service.answers.rows()[0]["told"]
    service.webhook({"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 6}, {"id": 99}], "project": {"id": 7}})
    assert (told, service.answers.rows()[0]["told"]) == ('["spam"]', '["ham"]')


def test_the_first_sight_of_a_task_is_a_round_and_later_ones_are_reads(tmp_path: pathlib.Path) -> None:
    service = make(Backend, tmp_path)
    first = service.predict([task(1), task(2, "see you")])
    assert service.predict([task(1), task(2, "see you")]) == first
    assert service.answers.session.report()["rounds"] == 2
    service.answers.close()
    again = make(Backend, tmp_path)
    assert again.predict([task(2, "see you"), task(1)]) == first[::-1]
    assert again.answers.session.report()["rounds"] == 2
    assert {one["model_version"] for one in first} == {again.setup(CONFIG.format("single"))["model_version"]} == {"askfew"}


def test_an_annotation_that_came_before_the_first_sight_is_learned_with_it(tmp_path: pathlib.Path) -> None:
    service = make(Backend, tmp_path)
    service.webhook(event("ANNOTATION_CREATED", answer(1, 5, ["spam"])))
    service.predict([task(1)])
    assert learned(service) == {"learned": 1}


def test_an_import_that_was_not_confirmed_is_found_again_and_not_repeated(tmp_path: pathlib.Path) -> None:
    imported: list[Any] = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            imported.extend(json.loads(request.content))
            raise httpx.ReadTimeout("lost", request=request)
        tasks = [{"id": 10 + k, "data": one["data"], "annotations": [answer(10 + k, 1, ["spam"])], "predictions": []}
                 for k, one in enumerate(imported)]
        return httpx.Response(200, json={"tasks": tasks, "total": len(tasks)})

    service = make(Gateway, tmp_path, handler)
    (result,) = asyncio.run(service.take([{"id": "a", "body": "free prizes"}]))
    assert result["asked"]
    asyncio.run(service.refresh())
    assert len(imported) == 1
    assert imported[0]["data"] == {"body": "free prizes", "askfew_id": "a"}
    assert learned(service) == {"learned": 1}


def test_what_the_stream_sends_while_label_studio_is_down_is_imported_later(tmp_path: pathlib.Path) -> None:
    down = True

    def handler(request: httpx.Request) -> httpx.Response:
        if down:
            raise httpx.ConnectError("down", request=request)
        if request.method == "POST":
            return httpx.Response(201, json={"task_ids": list(range(1, 1 + len(json.loads(request.content))))})
        return httpx.Response(200, json={"tasks": [], "total": 0})

    service = make(Gateway, tmp_path, handler)
    assert len(asyncio.run(service.take([{"id": k, "body": f"text {k}"} for k in range(3)]))) == 3
    down = False
    asyncio.run(service.refresh())
    assert [row["task"] for row in service.answers.rows()] == [1, 2, 3]


def test_a_personal_access_token_is_exchanged_and_renewed() -> None:
    seen: list[str] = []

    def token(seconds: float) -> str:
        claims = base64.urlsafe_b64encode(json.dumps({"exp": time.time() + seconds}).encode()).decode().rstrip("=")
        return f"x.{claims}.y"

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/token/refresh":
            seen.append("refresh")
            return httpx.Response(200, json={"access": token(10 if len(seen) == 1 else 300)})
        seen.append(request.headers["Authorization"].split()[0])
        return httpx.Response(200, json={})

    async def calls() -> None:
        studio = LabelStudio("http://studio", "a.personal.token", 1, httpx.MockTransport(handler))
        for _ in range(3):
            await studio.call("GET", "/api/version")

    asyncio.run(calls())
    assert seen == ["refresh", "Bearer", "refresh", "Bearer", "Bearer"]


def test_addresses_begin_with_the_secret_and_wrong_calls_are_explained(tmp_path: pathlib.Path) -> None:
    app = application(make(Backend, tmp_path), secret="s3cret")

    async def calls() -> list[tuple[int, str]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://askfew") as client:
            found = [await client.get("/health"), await client.get("/s3cret/health")]
            for path, body in (("setup", {"schema": CONFIG.format("multiple")}), ("setup", {}),
                               ("predict", {"tasks": [{"id": 1, "data": {}}]}),
                               ("webhook", {**event("ANNOTATION_CREATED", answer(1, 1, None)), "project": {"id": 8}})):
                found.append(await client.post(f"/s3cret/{path}", json=body))
            found.append(await client.post("/s3cret/webhook", json=[]))
            found.append(await client.post("/s3cret/webhook", content=b"{"))
            return [(one.status_code, one.text) for one in found]

    statuses = asyncio.run(calls())
    assert [status for status, _ in statuses] == [404, 200] + [400] * 6
    said = ("configuration has changed", "schema", "body", "another project", "expected an object", "error")
    assert all(words in text for words, (_, text) in zip(said, statuses[2:], strict=True))


def test_the_program_says_what_it_cannot_reach_or_read(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["backend", str(tmp_path), "--label-studio", "http://127.0.0.1:9", "--project", "1"]
    assert main(common) == 2
    assert "Label Studio at http://127.0.0.1:9" in capsys.readouterr().err
    assert main([*common, "--token-file", str(tmp_path / "none")]) == 2
    assert "none" in capsys.readouterr().err


@pytest.mark.parametrize(("config", "said"), [
    ("<View>", "not XML"), ("<View/>", "0 tags Choices"),
    ('<View><Image name="i" value="$i"/><Choices name="c" toName="i"><Choice value="a"/></Choices></View>', "about a tag Text"),
])
def test_a_configuration_that_is_not_about_choices_of_a_text_is_refused(config: str, said: str) -> None:
    with pytest.raises(askfew.ConfigError, match=said):
        parse(config)
