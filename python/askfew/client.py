"""A project of a server (`askfew serve`) with the methods of a Session, plain and for asyncio. It needs httpx."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import quote

import httpx

from .errors import AskfewError, ConfigError, DataError
from .sampler import Sampler, _text
from .sessions import Decision, Receipt, _decision, _fields, _instance_line, _label_line, _receipt

__all__ = ["AsyncClient", "Client", "ServerError"]

MOST_PENDING = 1000  # the most that the server gives at once
SECONDS = 60.0


class ServerError(AskfewError):
    """The server refuses a request or does not answer. `status`: of HTTP; 0 if there is no answer."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def _api(url: str) -> str:
    return url.rstrip("/") + "/api/v1/"


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _checked(response: httpx.Response) -> httpx.Response:
    """The response. An error of the server (RFC 9457) becomes an exception with its words."""
    if response.is_success:
        return response
    try:
        detail = str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = response.reason_phrase
    if response.status_code == 422:
        raise ConfigError(detail)
    raise ServerError(detail, response.status_code)


def _no_answer(error: httpx.TransportError) -> ServerError:
    return ServerError(f"the server does not answer: {error or type(error).__name__}")


def _answers(response: httpx.Response) -> list[Mapping[str, Any]]:
    found = _checked(response).json()
    return list(found["answers"]) if "answers" in found else [found]


def _predictions(response: httpx.Response) -> list[Any]:
    answers = _answers(response)
    for answer in answers:
        if "error" in answer:
            raise DataError(str(answer["error"]))
    return [answer["prediction"] for answer in answers]


def _add_ids(ids: list[Any], response: httpx.Response) -> dict[str, str] | None:
    """Adds the ids of a page; returns what asks for the next page, or None."""
    page = _checked(response).json()
    ids += [question["id"] for question in page["pending"]]
    return None if page["next"] is None else {"after": page["next"]}


def _prediction_lines(instances: Iterable[Any]) -> list[dict[str, Any]]:
    return [{"id": row, **_fields(instance)} for row, instance in enumerate(instances)]


def _settings(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    given = {"name": name, **settings}
    for key, share in (("budget", False), ("audit", True)):
        if key in given:
            given[key] = _text(given[key], share)
    return given


def _path(project: str, what: str) -> str:
    return f"projects/{quote(project, safe='')}/{what}"


class Client:
    """A project of a server, with the methods of a Session.

    url: the address that `askfew serve` prints, such as "http://127.0.0.1:8080".
    token: of an engineer or an admin. The name of the token is recorded with the labels that are told.
    project: the id of a project that exists; see `make_project`.

    `take` and `tell` return when the server's ledger has the record. People can answer the questions on the page at the
    same time. Instances are those of `Session`. Threads may share a client.
    """

    def __init__(self, url: str, token: str, project: str, *, timeout: float = SECONDS) -> None:
        self.project = project
        self._http = httpx.Client(base_url=_api(url), headers=_headers(token), timeout=timeout)

    @classmethod
    def make_project(cls, url: str, token: str, name: str, *, timeout: float = SECONDS, **settings: Any) -> Client:
        """Makes a project and returns its client. Settings: question, labels, kind, sampler, budget, audit, seed,
        horizon, expire."""
        client = cls(url, token, "", timeout=timeout)
        try:
            client.project = str(_checked(client._send("POST", "projects", json=_settings(name, settings))).json()["id"])
        except BaseException:
            client.close()
            raise
        return client

    def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **more)
        except httpx.TransportError as error:
            raise _no_answer(error) from error

    def _post(self, what: str, body: Any) -> httpx.Response:
        return self._send("POST", _path(self.project, what), json=body)

    def _get(self, what: str, **params: Any) -> httpx.Response:
        return self._send("GET", _path(self.project, what), params=params)

    def take(self, instance: Any, id: Any = None) -> Decision:
        """Decides about an instance, as `Session.take` does."""
        return _decision(_answers(self._post("instances", _instance_line(id, instance))))

    def tell(self, id: Any, label: Any, *, by: str | None = None) -> Receipt:
        """Tells a label, as `Session.tell` does."""
        return _receipt(_answers(self._post("instances", _label_line(id, label, by))))

    def predict(self, instances: Iterable[Any]) -> list[Any]:
        """The predicted labels; no round begins."""
        return _predictions(self._post("predictions", _prediction_lines(instances)))

    def pending(self) -> list[Any]:
        """The ids of the questions that wait for a label, the oldest first."""
        ids: list[Any] = []
        page: dict[str, str] | None = {}
        while page is not None:
            page = _add_ids(ids, self._get("pending", order="oldest", limit=MOST_PENDING, **page))
        return ids

    def report(self) -> dict[str, Any]:
        """The counts so far, estimates with an audit, alarms and annotators."""
        return _checked(self._get("report")).json()  # type: ignore[no-any-return]

    def sampler(self) -> Sampler:
        """A copy of the model as it is now."""
        return Sampler.from_bytes(_checked(self._get("model")).content)

    def close(self) -> None:
        """Closes the connections. The project continues."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


class AsyncClient:
    """`Client` for asyncio: the same methods, to be awaited, and `async with`."""

    def __init__(self, url: str, token: str, project: str, *, timeout: float = SECONDS) -> None:
        self.project = project
        self._http = httpx.AsyncClient(base_url=_api(url), headers=_headers(token), timeout=timeout)

    @classmethod
    async def make_project(cls, url: str, token: str, name: str, *, timeout: float = SECONDS,
                           **settings: Any) -> AsyncClient:
        """See `Client.make_project`."""
        client = cls(url, token, "", timeout=timeout)
        try:
            made = await client._send("POST", "projects", json=_settings(name, settings))
            client.project = str(_checked(made).json()["id"])
        except BaseException:
            await client.close()
            raise
        return client

    async def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return await self._http.request(method, path, **more)
        except httpx.TransportError as error:
            raise _no_answer(error) from error

    async def _post(self, what: str, body: Any) -> httpx.Response:
        return await self._send("POST", _path(self.project, what), json=body)

    async def _get(self, what: str, **params: Any) -> httpx.Response:
        return await self._send("GET", _path(self.project, what), params=params)

    async def take(self, instance: Any, id: Any = None) -> Decision:
        """See `Client.take`."""
        return _decision(_answers(await self._post("instances", _instance_line(id, instance))))

    async def tell(self, id: Any, label: Any, *, by: str | None = None) -> Receipt:
        """See `Client.tell`."""
        return _receipt(_answers(await self._post("instances", _label_line(id, label, by))))

    async def predict(self, instances: Iterable[Any]) -> list[Any]:
        """See `Client.predict`."""
        return _predictions(await self._post("predictions", _prediction_lines(instances)))

    async def pending(self) -> list[Any]:
        """See `Client.pending`."""
        ids: list[Any] = []
        page: dict[str, str] | None = {}
        while page is not None:
            page = _add_ids(ids, await self._get("pending", order="oldest", limit=MOST_PENDING, **page))
        return ids

    async def report(self) -> dict[str, Any]:
        """See `Client.report`."""
        return _checked(await self._get("report")).json()  # type: ignore[no-any-return]

    async def sampler(self) -> Sampler:
        """See `Client.sampler`."""
        return Sampler.from_bytes(_checked(await self._get("model")).content)

    async def close(self) -> None:
        """See `Client.close`."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.close()
