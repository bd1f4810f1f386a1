"""The command line: `python -m askfew.label_studio`, or `askfew-label-studio`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import pathlib
import sys
from typing import Any

import httpx
import uvicorn

from ..errors import AskfewError, ConfigError, DataError
from .answers import Answers
from .api import LabelStudio
from .config import parse
from .service import BATCH, Backend, Gateway, Service, application

OPTIONS = {"budget": "labels that may be asked: 500, 5%% or 200/day", "audit": "the share of texts that is asked at random: 2%%",
           "sampler": "a sampler of askfew", "horizon": "the texts that the budget is for", "seed": "of the coins"}


def arguments(given: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="askfew-label-studio", description="People label in Label Studio, askfew decides what.")
    ways = parser.add_subparsers(dest="way", required=True)
    for name, help in (("gateway", "import into Label Studio only the texts that are worth asking"),
                       ("backend", "score the tasks that Label Studio has: an ML backend")):
        way = ways.add_parser(name, help=help)
        way.add_argument("folder", help="where the ledger and the map of tasks are kept")
        way.add_argument("--label-studio", required=True, metavar="URL", help="the address of Label Studio")
        way.add_argument("--project", required=True, type=int, help="the number of the project")
        way.add_argument("--token-file", help="a file with an access token (default: the variable LABEL_STUDIO_TOKEN)")
        way.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
        way.add_argument("--port", type=int, default=9090, help="(default: 9090)")
        way.add_argument("--url", help="the address by which Label Studio reaches this service (default: host and port)")
        way.add_argument("--secret", default="", help="all addresses begin with it, as in http://host:9090/SECRET")
        way.add_argument("--title", default="askfew", help="the title of the backend and the model version (default: askfew)")
        way.add_argument("--every", type=float, default=30, help="seconds between two readings of all tasks (default: 30)")
        for option, text in OPTIONS.items():
            way.add_argument(f"--{option}", type=int if option in ("horizon", "seed") else str, help=text)
        if name == "gateway":
            way.add_argument("--input", help="a file of JSON lines to take; - is standard input")
    return parser.parse_args(given)


async def feed(gateway: Gateway, path: str) -> None:
    """Takes all lines of a file."""
    lines = sys.stdin if path == "-" else open(path, encoding="utf-8")  # noqa: SIM115
    batch: list[dict[str, Any]] = []
    while line := await asyncio.to_thread(lines.readline):
        if line.strip():
            try:
                batch.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise DataError(f"{path}: not a line of JSON: {line[:50]!r}: {error}") from None
        if len(batch) == BATCH or path == "-":
            await gateway.take(batch)
            batch = []
    await gateway.take(batch)


async def serve(options: argparse.Namespace) -> None:
    """Runs until it is ended."""
    token = pathlib.Path(options.token_file).read_text() if options.token_file else os.environ.get("LABEL_STUDIO_TOKEN", "")
    studio = LabelStudio(options.label_studio, token.strip(), options.project)
    chosen = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    answers = Answers(options.folder, parse(await studio.config()), **chosen)
    service: Service = (Gateway if options.way == "gateway" else Backend)(studio, answers, options.title)
    url = (options.url or f"http://{options.host}:{options.port}").rstrip("/") + (f"/{options.secret}" if options.secret else "")
    await studio.subscribe(f"{url}/webhook")
    await service.refresh()
    server = uvicorn.Server(uvicorn.Config(application(service, secret=options.secret, every=options.every), host=options.host,
                                           port=options.port, log_level="warning"))
    print(f"listening on {url}", flush=True)
    feeding = asyncio.create_task(feed(service, options.input)) if isinstance(service, Gateway) and options.input else None
    if feeding:
        feeding.add_done_callback(lambda done: setattr(server, "should_exit", server.should_exit or done.exception() is not None))
    await server.serve()
    if feeding and feeding.done():
        feeding.result()  # what went wrong ends the program


def main(given: list[str] | None = None) -> int:
    """The command line."""
    logging.basicConfig(format="%(message)s")
    options = arguments(given)
    try:
        asyncio.run(serve(options))
    except httpx.HTTPError as error:
        print(f"Label Studio at {options.label_studio}: {error}", file=sys.stderr)
        return 2
    except (AskfewError, OSError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, (OSError, ConfigError)) else 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
