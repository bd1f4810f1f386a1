"""A service of askfew-label-studio whose calls in both directions are recorded, or replayed from a recording.

A recording has `incoming`: what Label Studio and the test did, in order, with the service's answers; and `outgoing`: what
the service asked Label Studio, with Label Studio's answers. Tokens are not recorded.
"""

import json
import pathlib

import httpx

from askfew.label_studio.answers import Answers
from askfew.label_studio.api import LabelStudio
from askfew.label_studio.config import parse
from askfew.label_studio.service import Backend, Gateway, application

RECORDED = pathlib.Path(__file__).parent / "recorded"
WAYS = {"gateway": Gateway, "backend": Backend}
OPTIONS = {"gateway": {"sampler": "sel-p:b=0.5", "seed": 3}, "backend": {"learner": "perceptron", "rule": "always"}}

UNUSED = {"access_token", "drafts", "result_count", "updated_by", "lead_time", "unique_id", "import_id", "last_action",
          "last_created_by", "parent_prediction", "parent_annotation", "bulk_created", "draft_created_at", "reviews",
          "mislabeling", "neighbors", "cluster", "model", "model_run"}


def small(value):
    """A body without what nobody reads: Label Studio sends whole projects and users."""
    if isinstance(value, list):
        return [small(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {name: small(one) for name, one in value.items() if name not in UNUSED}
    if "label_config" in kept and "title" in kept:
        return {"id": kept["id"], "label_config": kept["label_config"]}
    return kept


class Recorder(httpx.AsyncBaseTransport):
    """Sends to Label Studio and keeps the exchange."""

    def __init__(self):
        self.inner = httpx.AsyncHTTPTransport()
        self.outgoing = []

    async def handle_async_request(self, request):
        answer = await self.inner.handle_async_request(request)
        content = await answer.aread()
        if "/token/" not in request.url.path:
            self.outgoing.append({"request": asked(request), "status": answer.status_code,
                                  "response": small(json.loads(content)) if content else None})
        return httpx.Response(answer.status_code, content=content, request=request)


class Player(httpx.AsyncBaseTransport):
    """Answers as Label Studio did. Another request than the recorded one is an error."""

    def __init__(self, outgoing):
        self.left = list(outgoing)

    async def handle_async_request(self, request):
        expected = self.left.pop(0) if self.left else {"request": None}
        if asked(request) != expected["request"]:
            raise AssertionError(f"askfew asked {json.dumps(asked(request))}\nrecorded is {json.dumps(expected['request'])}")
        content = b"" if expected["response"] is None else json.dumps(expected["response"]).encode()
        return httpx.Response(expected["status"], content=content, request=request)


def asked(request):
    body = request.content
    return {"method": request.method, "path": request.url.path, "query": dict(request.url.params),
            "body": json.loads(body) if body else None}


async def start(way, folder, address, token, project, transport):
    """A service as the command line starts it, without its own clock. Returns it with its HTTP application."""
    studio = LabelStudio(address, token, project, transport)
    service = WAYS[way](studio, Answers(folder, parse(await studio.config()), **OPTIONS[way]))
    return service, application(service)


def summary(service):
    """What the session knows at the end."""
    report = service.answers.session.report()
    labels = report.values() if service.answers.labelling.multiple else [report]
    return [{**{name: one[name] for name in ("rounds", "asked", "pending")},
             **{name: one["labels"][name] for name in ("learned", "corrected", "skipped", "repeated")}} for one in labels]


def write(path, recording):
    """A recording as JSON, with an exchange in each line."""
    parts = [f'"{name}": ' + (json.dumps(part) if not isinstance(part, list) else
             "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in part) + "\n]") for name, part in recording.items()]
    path.write_text("{" + ",\n".join(parts) + "}\n")
