"""askfew-label-studio against a real Label Studio. Records the calls in both directions.

    python tests/label_studio/live.py PATH/TO/label-studio [--record]
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

import httpx
import uvicorn
from exchange import RECORDED, Recorder, small, start, summary, write

import askfew

TOKEN = "0123456789abcdef0123456789abcdef01234567"
TOKENS = {"gateway": "", "backend": TOKEN}  # a personal access token, of which a person has one; a legacy token
CONFIG = ('<View><Text name="mail" value="$text"/><Choices name="kind" toName="mail" choice="{choice}">{labels}</Choices>'
          '</View>')
MAILS = [("free prizes, claim now", "spam"), ("see you at noon", "ham"), ("win a free phone", "spam"),
         ("minutes of the meeting", "ham"), ("claim your free cash", "spam"), ("dinner at noon?", "ham"),
         ("win free prizes now", "spam"), ("the meeting is at noon", "ham"), ("free cash, claim it", "spam"),
         ("see the minutes", "ham"), ("claim a prize now", "spam"), ("dinner and a meeting", "ham")]
NEWS = [("the bank wins the cup", ["sport", "money"]), ("rain", []), ("a goal in the last minute", ["sport"]),
        ("taxes rise", ["money"]), ("the cup final", ["sport"]), ("shares fall", ["money"])]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def label_studio(program, folder):
    """A new Label Studio with SQLite. It may call services on this machine: that is its setting unless it is changed."""
    port = free_port()
    environment = {**os.environ, "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true", "COLLECT_ANALYTICS": "false", "SENTRY_DSN": "",
                   "FRONTEND_SENTRY_DSN": "", "LATEST_VERSION_CHECK": "false", "SSRF_PROTECTION_ENABLED": "false",
                   "ML_BLOCK_LOCAL_IP": "false"}
    with open(pathlib.Path(folder) / "log", "w") as log:
        process = subprocess.Popen([program, "start", "--no-browser", "--port", str(port), "--internal-host", "127.0.0.1",
                                    "--data-dir", str(folder), "--username", "ann@example.org", "--password", "a-long-password",
                                    "--user-token", TOKEN], stdout=log, stderr=log, env=environment)
    address = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + 600
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{address}/health").status_code == 200:
                    break
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit((pathlib.Path(folder) / "log").read_text()[-3000:])
            time.sleep(1)
        yield address
    finally:
        process.terminate()
        process.wait(60)


class Stage:
    """The service behind a real port, and a person who works with Label Studio's API as its page does."""

    def __init__(self, address, way, folder, labels, choice):
        self.address, self.way, self.folder = address, way, folder
        self.http = httpx.AsyncClient(base_url=address, headers={"Authorization": f"Token {TOKEN}"}, timeout=120)
        self.config = CONFIG.format(choice=choice, labels="".join(f'<Choice value="{label}"/>' for label in labels))
        self.incoming, self.recorder, self.port = [], Recorder(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    async def person(self, method, path, body=None, **query):
        answer = await self.http.request(method, path, json=body, params=query or None)
        if answer.is_error:
            raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json() if answer.content else None

    async def make_project(self):
        made = await self.person("POST", "/api/projects", {"title": self.way, "label_config": self.config,
                                                           "sampling": "Uncertainty sampling", "show_skip_button": True})
        self.project = made["id"]
        self.token = TOKENS[self.way]

    async def up(self):
        self.service, app = await start(self.way, self.folder, self.address, self.token, self.project, self.recorder)
        self.server = uvicorn.Server(uvicorn.Config(self.listen(app), host="127.0.0.1", port=self.port, log_level="warning"))
        self.running = asyncio.create_task(self.server.serve())
        while not self.server.started:
            await asyncio.sleep(0.05)

    async def down(self):
        self.server.should_exit = True
        await self.running
        self.incoming.append({"do": "restart"})

    async def refresh(self):
        self.incoming.append({"do": "refresh"})
        await self.service.refresh()

    def listen(self, app):
        """The application, with a record of what it is asked."""
        async def recorded(scope, receive, send):
            if scope["type"] != "http":
                return await app(scope, receive, send)
            body, more = b"", True
            while more:
                message = await receive()
                body, more = body + message.get("body", b""), message.get("more_body", False)
            entry = {"do": "call", "method": scope["method"], "path": scope["path"],
                     "body": small(json.loads(body)) if body else None}
            self.incoming.append(entry)
            sent = []

            async def keep(message):
                sent.append(message)
                await send(message)

            async def again():
                return {"type": "http.request", "body": body, "more_body": False}
            await app(scope, again, keep)
            entry["status"] = sent[0]["status"]
            entry["response"] = json.loads(b"".join(message.get("body", b"") for message in sent))
        return recorded

    async def annotate(self, task, choices, cancelled=False):
        result = [] if cancelled else [{"from_name": "kind", "to_name": "mail", "type": "choices", "value": {"choices": choices}}]
        body = {"result": result if choices or cancelled else [], "was_cancelled": cancelled, "lead_time": 1}
        return (await self.person("POST", f"/api/tasks/{task}/annotations/", body))["id"]

    async def tasks(self):
        return (await self.person("GET", "/api/tasks", project=self.project, fields="all", page_size=100))["tasks"]

    def save(self):
        RECORDED.mkdir(exist_ok=True)
        write(RECORDED / f"{self.way}.json", {"project": self.project, "incoming": self.incoming,
                                              "outgoing": self.recorder.outgoing, "end": summary(self.service)})


async def gateway(address, folder):
    """Single choice."""
    stage = Stage(address, "gateway", folder, ["spam", "ham"], "single")
    await stage.make_project()
    await stage.up()
    await stage.service.studio.subscribe(f"{stage.url}/webhook")
    await stage.service.studio.subscribe(f"{stage.url}/webhook")
    assert len(await stage.person("GET", "/api/webhooks/", project=stage.project)) == 1
    truth = dict(MAILS)

    async def send(mails, first):
        body = [{"id": f"m{first + k}", "text": text, "from": "ann"} for k, (text, _) in enumerate(mails)]
        answer = await httpx.AsyncClient().post(f"{stage.url}/instances", json=body)
        return {one["id"] for one in answer.json()["results"] if one["asked"]}

    asked = await send(MAILS[:6], 1)
    tasks = await stage.tasks()
    assert {task["data"]["askfew_id"] for task in tasks} == asked, (tasks, asked)
    assert all(task["predictions"][0]["model_version"] == "askfew" for task in tasks)
    assert len(asked) >= 4
    by_id = {task["data"]["askfew_id"]: task["id"] for task in tasks}
    first, second, third, *rest = by_id.values()
    one = await stage.annotate(first, [truth[tasks[0]["data"]["text"]]])
    await stage.annotate(second, [], cancelled=True)
    two = await stage.annotate(third, ["ham"])
    await stage.person("PATCH", f"/api/annotations/{two}/", {"result": [
        {"from_name": "kind", "to_name": "mail", "type": "choices", "value": {"choices": ["spam"]}}]})
    labels = stage.service.answers.session.report()["labels"]
    assert labels["learned"] == 2 and labels["skipped"] == 1, labels
    assert labels["corrected"] + labels["kept"] == 1, labels
    await stage.person("DELETE", f"/api/annotations/{two}/")
    assert stage.service.answers.database.execute("SELECT COUNT(*) FROM annotations").fetchone() == (2,)
    asked |= await send(MAILS[6:], 7)
    print(f"gateway: {len(asked)} of {len(MAILS)} texts were asked")
    assert len(asked) < len(MAILS), "the sampler asked for everything: nothing was left out"
    assert {task["data"]["askfew_id"] for task in await stage.tasks()} == asked
    # What people do while the service is down is found by polling.
    await stage.down()
    await stage.annotate(rest[0], [truth[tasks[3]["data"]["text"]]])
    await stage.person("DELETE", f"/api/annotations/{one}/")
    await stage.person("DELETE", f"/api/tasks/{rest[2]}/")
    before = {one["id"]: one["score"] for task in await stage.tasks() for one in task["predictions"]}
    await stage.up()
    await stage.refresh()
    after = {one["id"]: one["score"] for task in await stage.tasks() for one in task["predictions"]}
    assert before.keys() == after.keys() and before != after, "scores were not changed in their place"
    report = stage.service.answers.session.report()
    assert (report["labels"]["learned"], report["labels"]["skipped"]) == (3, 2), report
    assert report["pending"] == len(asked) - 5, report
    assert stage.service.answers.database.execute("SELECT COUNT(*) FROM annotations").fetchone() == (2,)
    return stage


async def backend(address, folder):
    """Multiple choice."""
    stage = Stage(address, "backend", folder, ["sport", "money"], "multiple")
    await stage.make_project()
    made = await stage.person("POST", f"/api/projects/{stage.project}/import", [{"text": text} for text, _ in NEWS],
                              return_task_ids="true")
    await stage.up()
    await stage.person("POST", "/api/ml", {"url": stage.url, "project": stage.project, "title": "askfew"})
    assert (await stage.person("GET", f"/api/projects/{stage.project}"))["model_version"] == "askfew"
    every = {"selectedItems": {"all": True, "excluded": []}}
    await stage.person("POST", "/api/dm/actions", every, id="retrieve_tasks_predictions", project=stage.project)
    tasks = await stage.tasks()
    assert [len(task["predictions"]) for task in tasks] == [1] * len(NEWS), tasks
    rounds = [one["rounds"] for one in summary(stage.service)]
    assert rounds == [len(NEWS)] * 2, rounds
    truth = dict(zip(made["task_ids"], (choices for _, choices in NEWS), strict=True))
    skipped = None
    for turn in range(4):
        task = (await stage.person("GET", f"/api/projects/{stage.project}/next"))["id"]
        open_tasks = [one for one in await stage.tasks() if not one["annotations"]]
        scores = {one["id"]: one["predictions"][0]["score"] for one in open_tasks}
        assert task in scores and scores[task] == min(scores.values()), (task, scores)
        if turn == 1:
            skipped = task
        await stage.annotate(task, truth[task], cancelled=turn == 1)
        await stage.refresh()
    order = (await stage.person("GET", "/api/tasks", project=stage.project, fields="all",
                                query=json.dumps({"ordering": ["tasks:predictions_score"]})))["tasks"]
    shown = [task["predictions"][0]["score"] for task in order]
    assert shown == sorted(shown) and len(set(shown)) > 1, shown
    # Later predictions are reads: no round, and the same version.
    seen = {"id": tasks[0]["id"], "data": tasks[0]["data"]}
    answer = await httpx.AsyncClient().post(f"{stage.url}/predict", json={"tasks": [seen]})
    assert answer.json()["results"][0]["model_version"] == "askfew"
    assert [one["rounds"] for one in summary(stage.service)] == rounds
    labels = summary(stage.service)[0]
    assert (labels["learned"], labels["skipped"]) == (3, 1), (labels, skipped)
    print("backend: next tasks came in the order of scores")
    return stage


async def command_line(address, folder):
    """The program as people start it, with a file of lines."""
    stage = Stage(address, "gateway", folder, ["spam", "ham"], "single")
    await stage.make_project()
    path = pathlib.Path(folder) / "mails.jsonl"
    path.write_text("".join(json.dumps({"id": k, "text": text}) + "\n" for k, (text, _) in enumerate(MAILS)))
    (pathlib.Path(folder) / "token").write_text(stage.token)
    program = subprocess.Popen(
        [sys.executable, "-m", "askfew.label_studio", "gateway", str(pathlib.Path(folder) / "own"), "--label-studio", address,
         "--project", str(stage.project), "--token-file", str(pathlib.Path(folder) / "token"), "--port", str(stage.port),
         "--secret", "s3cret", "--every", "1", "--budget", "5", "--horizon", "12", "--input", str(path)], stdout=subprocess.PIPE,
        text=True)
    try:
        assert program.stdout.readline() == f"listening on {stage.url}/s3cret\n"
        tasks = await until(stage.tasks, lambda tasks: tasks)
        assert len(tasks) <= 5, len(tasks)
        await stage.annotate(tasks[0]["id"], ["spam"])
        (hook,) = await stage.person("GET", "/api/webhooks/", project=stage.project)
        assert hook["url"] == f"{stage.url}/s3cret/webhook"
    finally:
        program.terminate()
        program.wait(30)
    report = askfew.Session(pathlib.Path(folder) / "own" / "ledger").report()
    assert (report["rounds"], report["labels"]["learned"]) == (12, 1), report
    print(f"command line: {len(tasks)} of 12 texts were asked, one was answered")


async def until(read, holds):
    """What `read` gives as soon as it holds."""
    end = time.monotonic() + 60
    while not holds(found := await read()):
        assert time.monotonic() < end, "nothing happened for a minute"
        await asyncio.sleep(0.2)
    return found


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askfew-ls-") as folder, label_studio(options.program, folder) as address:
        made = httpx.post(f"{address}/api/token/", headers={"Authorization": f"Token {TOKEN}"})
        TOKENS["gateway"] = made.raise_for_status().json()["token"]
        for run in (gateway, backend):
            with tempfile.TemporaryDirectory(prefix="askfew-ls-") as own:
                stage = await run(address, own)
                if options.record:
                    stage.save()
                stage.server.should_exit = True
                await stage.running
        with tempfile.TemporaryDirectory(prefix="askfew-ls-") as own:
            await command_line(address, own)
    print("all passed")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
