"""The two ways to work with Label Studio, and their HTTP addresses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from ..choices import Prediction
from ..errors import AskfewError, ConfigError, DataError
from .answers import Answers
from .api import LabelStudio
from .config import parse

Json = dict[str, Any]

log = logging.getLogger("askfew.label_studio")
BATCH = 100  # tasks in an import
SAME = 0.001  # scores that differ by less are the same
ID = "askfew_id"  # where the data of a task have the id of the text


class Service:
    """What both ways share: answers come by webhook or by polling, and scores are changed in their place.

    title: the model version of all predictions. In Label Studio it must be the title of the backend and the model
        version of the project, else "Uncertainty sampling" takes tasks at random.
    """

    def __init__(self, studio: LabelStudio, answers: Answers, title: str = "askfew") -> None:
        self.studio = studio
        self.answers = answers
        self.title = title
        self.lock = asyncio.Lock()  # one conversation with Label Studio at a time

    def score(self, asked: bool, certainty: float) -> float:
        """Label Studio shows low scores first: the texts that were asked, then the others, doubtful ones before certain ones."""
        return round(certainty / 2 + (0 if asked else 0.5), 4)

    def prediction(self, asked: bool, found: Prediction) -> Json:
        """A prediction as Label Studio wants it."""
        return {"model_version": self.title, "score": self.score(asked, found.score),
                "result": self.answers.labelling.result(found.choices)}

    def text(self, data: Json) -> str:
        """The text in the data of a task."""
        text = data.get(self.answers.labelling.key)
        if not isinstance(text, str):
            raise DataError(f"a task has no text in the key '{self.answers.labelling.key}'")
        return text

    def webhook(self, event: Json) -> None:
        """Takes an event of Label Studio; other events than those of annotations change nothing."""
        action = event.get("action", "")
        if action.startswith("ANNOTATION") and event.get("project", {}).get("id", self.studio.project) != self.studio.project:
            raise DataError("this event is about another project")
        if action in ("ANNOTATION_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_CREATED"):
            given = event["annotation"]
            for one in given if isinstance(given, list) else [given]:
                self.answers.annotated(one["task"], [one])
        elif action == "ANNOTATIONS_DELETED":
            self.answers.deleted(one["id"] for one in event["annotations"])

    async def refresh(self) -> None:
        """Reads what Label Studio has, so that nothing is lost that happened while a webhook did not arrive; changes scores."""
        async with self.lock:
            missing = {row["task"] for row in self.answers.rows("task IS NOT NULL AND told IS NULL")}
            async for task in self.studio.tasks():
                missing.discard(task["id"])
                self.see(task)
                self.answers.reconcile(task["id"], task.get("annotations") or [])
                for one in task.get("predictions") or []:
                    for row in self.answers.rows("task = ?", [task["id"]]) if one.get("model_version") == self.title else []:
                        self.answers.change(row["id"], prediction=one["id"], score=one["score"])
            self.answers.removed(missing)
            await self.send()
            if self.answers.learned:
                self.answers.learned = 0
                await self.rescore()

    async def rescore(self) -> None:
        """Changes the predictions of tasks without an answer to what the model says now."""
        for row in self.answers.rows("told IS NULL AND prediction IS NOT NULL"):
            found = self.prediction(bool(row["asked"]), self.answers.session.predict(self.text(json.loads(row["data"]))))
            if row["score"] is None or abs(found["score"] - row["score"]) > SAME:
                await self.studio.change_prediction(row["prediction"], found["score"], found["result"])
                self.answers.change(row["id"], score=found["score"])

    def see(self, task: Json) -> None:
        """A task that polling found."""

    async def send(self) -> None:
        """What Label Studio does not have yet."""

    async def keep_up(self, seconds: float) -> None:
        """Refreshes for ever; Label Studio may be down for a while."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh()
            except (httpx.HTTPError, AskfewError) as error:
                log.warning("%s: trying again in %g seconds", error, seconds)


class Gateway(Service):
    """askfew sees the stream, and imports into Label Studio only what it asks."""

    async def take(self, instances: Sequence[Json]) -> list[Json]:
        """Decides about instances with an `id` and a text; imports those that are asked."""
        results = []
        for one in instances:
            id, text = one.get("id"), self.text(one)
            if not isinstance(id, (str, int)):
                raise DataError("an instance needs an id, a text or a whole number")
            question = self.answers.session.take(text, id)
            self.answers.add(id, {**{name: value for name, value in one.items() if name != "id"}, ID: id}, question.asked, None)
            results.append({"id": id, "asked": question.asked, "choices": list(question.choices),
                            "score": round(question.score, 4), "why": question.why})
        try:
            async with self.lock:
                await self.send()
        except httpx.HTTPError as error:
            log.warning("%s: the next refresh imports what Label Studio does not have", error)
        return results

    def see(self, task: Json) -> None:
        """Finds a task whose import was not confirmed."""
        id = task.get("data", {}).get(ID)
        if id is not None and not self.answers.rows("task = ?", [task["id"]]):
            self.answers.change(json.dumps(id), task=task["id"])

    async def send(self) -> None:
        """Imports the questions that Label Studio does not have, with their predictions."""
        missing = self.answers.rows("asked AND task IS NULL")
        for start in range(0, len(missing), BATCH):
            rows = missing[start:start + BATCH]
            datas = [json.loads(row["data"]) for row in rows]
            tasks = [{"data": data, "predictions": [self.prediction(True, self.answers.session.predict(self.text(data)))]}
                     for data in datas]
            for row, task in zip(rows, await self.studio.create_tasks(tasks), strict=True):
                self.answers.change(row["id"], task=task)


class Backend(Service):
    """Label Studio has the tasks, and askfew predicts them. Only the first prediction of a task is a round."""

    def setup(self, schema: str) -> Json:
        """Answers with the version of the model, which never changes."""
        if parse(schema) != self.answers.labelling:
            raise ConfigError("the labelling configuration has changed: start askfew-label-studio again, with a new folder")
        return {"model_version": self.title}

    def predict(self, tasks: Sequence[Json]) -> list[Json]:
        """Predicts tasks."""
        results = []
        for task in tasks:
            id, text = int(task["id"]), self.text(task["data"])
            known = self.answers.rows("task = ?", [id])
            if known:
                results.append(self.prediction(bool(known[0]["asked"]), self.answers.session.predict(text)))
                continue
            question = self.answers.session.take(text, id)
            self.answers.add(id, task["data"], question.asked, id)
            self.answers.settle(id)
            results.append(self.prediction(question.asked, question))
        return results


def application(service: Service, *, secret: str = "", every: float | None = None) -> Starlette:
    """The HTTP addresses. secret: they begin with it; every: seconds between two refreshes."""

    async def given(request: Request) -> Json:
        body = await request.json()
        if not isinstance(body, dict):
            raise DataError("expected an object")
        return body

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "UP", "model_class": "askfew"})

    async def versions(request: Request) -> Response:
        return JSONResponse({"versions": [service.title]})

    async def webhook(request: Request) -> Response:
        service.webhook(await given(request))
        return JSONResponse({})

    async def setup(request: Request) -> Response:
        assert isinstance(service, Backend)
        return JSONResponse(service.setup((await given(request))["schema"]))

    async def predict(request: Request) -> Response:
        assert isinstance(service, Backend)
        return JSONResponse({"results": service.predict((await given(request))["tasks"])})

    async def instances(request: Request) -> Response:
        assert isinstance(service, Gateway)
        body = await request.json()
        instances = body if isinstance(body, list) else [body]
        if not all(isinstance(one, dict) for one in instances):
            raise DataError("expected an object or an array of objects")
        return JSONResponse({"results": await service.take(instances)})

    async def wrong(request: Request, error: Exception) -> Response:
        return JSONResponse({"error": str(error) or type(error).__name__}, status_code=400)

    @contextlib.asynccontextmanager
    async def live(app: Starlette) -> AsyncIterator[None]:
        task = None if every is None else asyncio.create_task(service.keep_up(every))
        yield
        if task:
            task.cancel()
        await service.studio.close()
        service.answers.close()

    own = [Route("/instances", instances, methods=["POST"])] if isinstance(service, Gateway) else [
        Route("/setup", setup, methods=["POST"]), Route("/predict", predict, methods=["POST"]), Route("/versions", versions)]
    routes = [Route("/health", health), Route("/webhook", webhook, methods=["POST"]), *own]
    return Starlette(routes=[Mount(f"/{secret}" if secret else "/", routes=routes)], lifespan=live,
                     exception_handlers={AskfewError: wrong, KeyError: wrong, json.JSONDecodeError: wrong})
