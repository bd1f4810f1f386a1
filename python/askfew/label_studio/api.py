"""The calls to Label Studio."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx

Json = dict[str, Any]

PAGE = 100  # tasks in an answer
EVENTS = ["ANNOTATION_CREATED", "ANNOTATIONS_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_DELETED"]
EARLY = 30  # seconds before its end a token is renewed


class LabelStudio:
    """One project. token: a personal access token, or a legacy token of 40 characters."""

    def __init__(self, address: str, token: str, project: int, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.project = project
        self._token = token
        self._access = ""
        self._ends = 0.0
        self._http = httpx.AsyncClient(base_url=address.rstrip("/"), timeout=60, transport=transport)

    async def _headers(self) -> dict[str, str]:
        if self._token.count(".") != 2:
            return {"Authorization": f"Token {self._token}"}
        if time.time() > self._ends - EARLY:  # a personal access token only gets tokens that live for minutes
            answer = await self._http.post("/api/token/refresh", json={"refresh": self._token})
            answer.raise_for_status()
            self._access = answer.json()["access"]
            claims = self._access.split(".")[1]
            self._ends = float(json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["exp"])
        return {"Authorization": f"Bearer {self._access}"}

    async def call(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """The answer's JSON. Raises httpx.HTTPError."""
        answer = await self._http.request(method, path, json=body, params=query or None, headers=await self._headers())
        answer.raise_for_status()
        return answer.json() if answer.content else None

    async def config(self) -> str:
        """The labelling configuration."""
        return str((await self.call("GET", f"/api/projects/{self.project}"))["label_config"])

    async def create_tasks(self, tasks: Sequence[Json]) -> list[int]:
        """Imports tasks; returns their ids in the same order."""
        answer = await self.call("POST", f"/api/projects/{self.project}/import", list(tasks), return_task_ids="true")
        return list(answer["task_ids"])

    async def tasks(self) -> AsyncIterator[Json]:
        """All tasks with their annotations."""
        page = 1
        while True:
            answer = await self.call("GET", "/api/tasks", project=self.project, fields="all", page=page, page_size=PAGE)
            for task in answer["tasks"]:
                yield task
            if page * PAGE >= answer["total"]:
                return
            page += 1

    async def change_prediction(self, prediction: int, score: float, result: list[Json]) -> None:
        """Changes a prediction in its place: its id and its model version stay."""
        await self.call("PATCH", f"/api/predictions/{prediction}", {"score": score, "result": result})

    async def subscribe(self, url: str) -> None:
        """Makes the webhook that brings answers, if it is not there."""
        hooks = await self.call("GET", "/api/webhooks/", project=self.project)
        if all(hook["url"] != url for hook in hooks):
            await self.call("POST", "/api/webhooks/", {"url": url, "project": self.project, "send_payload": True,
                                                       "send_for_all_actions": False, "actions": EVENTS})

    async def close(self) -> None:
        """Ends the connections."""
        await self._http.aclose()
