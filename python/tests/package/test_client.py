"""The client of a server: the same decisions as a session in this process, and the same methods for asyncio."""

from __future__ import annotations

import asyncio
import inspect
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from conftest import Stream

import askfew
from askfew.client import AsyncClient, Client, ServerError

SETTINGS: dict[str, Any] = {"sampler": "sel-p", "audit": 0.05, "labels": ["up", "down"]}


def names(y: Any) -> list[str]:
    return ["up" if label > 0 else "down" for label in y]


def test_decisions_and_model_are_those_of_a_session(server: tuple[str, str], stream: Stream) -> None:
    labels = names(stream.y)
    session = askfew.Session(sampler="sel-p", audit=0.05, positive="up")
    with Client.make_project(*server, "Same", **SETTINGS) as client:
        assert client.project == "same"
        for k, x in enumerate(stream.X[:60]):
            here, there = session.take(x, id=k), client.take(x, id=np.int64(k))
            assert there == here
            if there.asked and k % 3 != 0:
                told = client.tell(k, labels[k], by="ann")
                assert replace(told, latency=None) == replace(session.tell(k, labels[k], by="ann"), latency=None)
        assert client.pending() == session.pending() != []
        report = client.report()
        assert (report["rounds"], report["asked"]) == (60, session.report()["asked"])
        copy = client.sampler()
        assert (copy.decision_function(stream.X) == session.sampler().decision_function(stream.X)).all()
        assert client.predict(stream.X[:20]) == copy.predict(stream.X[:20]).tolist()


def test_asyncio_has_the_same_methods_and_answers(server: tuple[str, str], stream: Stream) -> None:
    def public(kind: type) -> dict[str, list[str]]:
        return {name: list(inspect.signature(member).parameters) for name, member in inspect.getmembers(kind, callable)
                if not name.startswith("_")}

    assert public(AsyncClient) == public(Client)
    assert {"take", "tell", "pending", "report", "sampler", "close"} <= set(public(Client)) & set(public(askfew.Session))

    async def run() -> tuple[list[Any], list[Any], dict[str, Any], list[Any], askfew.Sampler]:
        async with await AsyncClient.make_project(*server, "Async", **SETTINGS) as client:
            decisions = [await client.take(x, id=k) for k, x in enumerate(stream.X[:20])]
            told = await asyncio.gather(*(client.tell(d.id, "up") for d in decisions if d.asked))
            assert all(receipt.outcome == "learned" for receipt in told)
            return decisions, await client.pending(), await client.report(), await client.predict(stream.X[:5]), \
                await client.sampler()

    decisions, pending, report, predicted, sampler = asyncio.run(run())
    with Client.make_project(*server, "Plain", **SETTINGS) as plain:
        assert [plain.take(x, id=k) for k, x in enumerate(stream.X[:20])] == decisions
    assert pending == []
    assert report["rounds"] == 20
    assert predicted == sampler.predict(stream.X[:5]).tolist()


def test_threads_may_share_a_client(server: tuple[str, str], stream: Stream) -> None:
    with Client.make_project(*server, "Threads", **SETTINGS) as client:
        threads = [threading.Thread(target=lambda part=part: [client.take(stream.X[k], id=k) for k in part])
                   for part in (range(0, 40), range(40, 80))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert client.report()["rounds"] == 80


def test_what_is_wrong_has_the_words_of_the_server(server: tuple[str, str]) -> None:
    url, token = server
    with pytest.raises(askfew.ConfigError, match="unknown sampler 'sel-x'"):
        Client.make_project(url, token, "Wrong", sampler="sel-x")
    with Client(url, token, "nowhere") as client, pytest.raises(ServerError, match="no such project") as caught:
        client.report()
    assert caught.value.status == 404
    with Client(url, "wrong", "same") as client, pytest.raises(ServerError, match="token is not known"):
        client.pending()
    with Client.make_project(url, token, "Labels", **SETTINGS) as client:
        client.take("free money", id=1)
        with pytest.raises(askfew.DataError, match="label 'what' is not one of"):
            client.tell(1, "what")
        with pytest.raises(askfew.DataError, match="waits for its label"):
            client.take("another text", id=1)
        assert client.tell("nobody", "up").outcome == "unknown"
    with Client("http://127.0.0.1:9", token, "same") as client, pytest.raises(ServerError, match="does not answer"):
        client.pending()
