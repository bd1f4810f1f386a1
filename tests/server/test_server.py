"""`askfew serve`: every route, roles, rates, hostile input."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
import unittest

from service import ASKFEW, ROOT, ServerTest, instances

sys.path.insert(0, os.path.join(ROOT, "tests", "faults"))
from parsed_ledger import ParsedLedger, Settings  # noqa: E402

API = "/api/v1"


class Routes(ServerTest):
    def test_health_metrics_page_and_description_need_no_token(self):
        stranger = self.client()
        for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/"):
            self.assertEqual(stranger.get(path).status, 200, path)
        self.assertIn(b"askfew_requests_total", stranger.get("/metrics").text)
        page = stranger.get("/")
        self.assertIn("default-src 'none'", page.headers["Content-Security-Policy"])
        again = stranger.get("/", headers={"If-None-Match": page.headers["ETag"]})
        self.assertEqual((again.status, again.text), (304, b""))
        zipped = stranger.get("/", headers={"Accept-Encoding": "gzip"})
        self.assertEqual(zipped.headers["Content-Encoding"], "gzip")

    def test_each_route_answers_and_a_wrong_method_is_405(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(3))
        described = self.client().get("/openapi.json").json()["paths"]
        for path, operations in described.items():
            address = path.replace(API + "/projects/{project}", project).replace("{key}", "none").replace("{number}", "99")
            if path.endswith("/events"):
                continue
            for method in ("get", "post", "patch", "delete", "put"):
                reply = self.admin.send(method.upper(), address, None if method == "get" else "{}",
                                        kind="application/json")
                if method in operations:
                    self.assertNotIn(reply.status, (405, 500), (method, address, reply.text))
                else:
                    self.assertEqual(reply.status, 405, (method, address, reply.text))

    def test_errors_are_problem_documents(self):
        reply = self.admin.get(API + "/projects/none")
        self.assertEqual(reply.status, 404)
        self.assertEqual(reply.headers["Content-Type"], "application/problem+json")
        self.assertEqual(set(reply.json()), {"type", "title", "status", "detail"})

    def test_instances_come_alone_as_an_array_and_as_lines(self):
        project = self.admin.project()
        one = self.admin.post(project + "/instances", {"id": "a", "text": "cheap watches"}).json()
        self.assertTrue(one["ask"])
        many = self.admin.post(project + "/instances", json.dumps(instances(3), indent=2)).json()["answers"]
        self.assertEqual([answer["id"] for answer in many], ["m0", "m1", "m2"])
        lines = "\n".join(json.dumps(one) for one in instances(5, 10)) + "\nnot JSON\n"
        streamed = self.admin.post(project + "/instances", lines, kind="application/x-ndjson").lines()
        self.assertEqual([answer.get("id") for answer in streamed], ["m10", "m11", "m12", "m13", "m14", None])
        self.assertIn("error", streamed[5])
        self.assertEqual(self.admin.get(project).json()["rounds"], 9)

    def test_predictions_spend_no_round_and_the_model_can_be_read(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(4))
        before = self.admin.get(project).json()["rounds"]
        predicted = self.admin.post(project + "/predictions", instances(2, 50)).json()["answers"]
        self.assertEqual([set(one) for one in predicted], [{"id", "prediction", "margin", "probability"}] * 2)
        self.assertEqual(self.admin.get(project).json()["rounds"], before)
        self.assertEqual(self.admin.get(project + "/model").text[8:10], b'{"')

    def test_settings_that_cannot_work_are_refused_and_leave_nothing(self):
        for wrong in ({"name": "a", "labels": ["x"]}, {"name": "a", "budget": "many"}, {"name": "a", "kind": "topics"},
                      {"name": "a", "sampler": "none"}, {"name": ""}, {"name": "a", "labels": ["x", "x"]},
                      {"name": "a", "colour": 1}, {"name": "a", "labels": ["a,b", "c"]}, {"name": "a", "expire": "soon"}):
            self.assertEqual(self.admin.post(API + "/projects", wrong).status, 422, wrong)
        self.assertEqual(self.admin.get(API + "/projects").json()["projects"], [])

    def test_a_name_never_becomes_a_path(self):
        for name in ("../../etc/passwd", "/", "..", "a/../../b", "\u202e", "CON", "<script>", "-"):
            made = self.admin.post(API + "/projects", {"name": name, "labels": ["a", "b"]}).json()
            self.assertRegex(made["id"], r"^[a-z0-9-]{1,64}$")
            self.assertEqual(made["name"], name)
        for path in ("..", "..%2f..%2fetc", "%2e%2e", "%00", "spam/../spam", "....//"):
            self.assertEqual(self.admin.get(f"{API}/projects/{path}").status, 404, path)

    def test_a_project_can_be_renamed_and_archived_but_not_given_another_sampler(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(2))
        changed = self.admin.send("PATCH", project, {"name": "Post", "archived": True})
        self.assertEqual(changed.json()["name"], "Post")
        self.assertEqual(self.admin.next(project)["nothing"]["reason"], "finished")
        for wrong in ({"sampler": "perc"}, {"seed": 2}, {"kind": "classes"}, {"budget": "many"}, {"labels": ["ham", "spam"]}):
            self.assertEqual(self.admin.send("PATCH", project, wrong).status, 422, wrong)

    def test_changed_settings_are_in_the_ledger_and_survive_a_kill(self):
        project = self.admin.project(sampler="sel-p", budget=3, kind="classes", labels=["a", "b"])
        ann, bob = self.person("ann"), self.person("bob")
        self.admin.post(project + "/instances", instances(100))
        self.assertLessEqual(self.admin.get(project).json()["asked"], 3)
        change = {"budget": 30, "labels": ["a", "b", "c"], "annotators": ["ann"], "question": "Which?"}
        changed = self.admin.send("PATCH", project, change)
        self.assertEqual(changed.status, 200, changed.text)
        self.assertEqual(changed.json()["settings"]["budget"], "30")
        self.kill()
        with open(os.path.join(os.path.dirname(self.ledger(project)), "settings.json"), encoding="utf-8") as file:
            stored = json.load(file)
        with open(os.path.join(os.path.dirname(self.ledger(project)), "settings.json"), "w", encoding="utf-8") as file:
            json.dump({**stored, "budget": "3", "labels": ["a", "b"], "annotators": []}, file)  # as a crash leaves it
        self.start()
        ann, bob = self.client(ann.token), self.client(bob.token)
        self.admin.post(project + "/instances", instances(400, 100))
        asked = self.admin.get(project).json()["asked"]
        self.assertTrue(3 < asked <= 30, asked)
        self.assertEqual(self.admin.get(project).json()["settings"]["annotators"], ["ann"])
        self.assertEqual(bob.next(project)["nothing"]["reason"], "not-asked")
        question = ann.next(project)["questions"][0]["id"]
        self.assertEqual(bob.answer(project, question, "c", key="k of bob")["state"], "error")
        self.assertEqual(ann.answer(project, question, "c")["state"], "held")
        plan = self.admin.get(project + "/report").json()["plan"]
        self.assertEqual(plan["left"], 30 - asked)
        self.assertTrue(asked <= plan["planned"] <= 30, plan)
        self.assertEqual(self.stop(), 0)
        rows = self.replay(project)
        self.assertEqual([row["outcome"] for row in rows].count("settings"), 1)
        self.assertEqual(rows[-1]["label"], "c")
        with open(self.ledger(project), "rb") as file:
            parsed = ParsedLedger(file.read())
        kept = [outcome.settings for outcome in parsed.outcomes if isinstance(outcome, Settings)]
        self.assertEqual([(one["budget"], one["labels"], one["annotators"]) for one in kept],
                         [("30", ["a", "b", "c"], ["ann"])])

    def test_three_people_answer_a_shared_question_and_nobody_twice(self):
        project = self.admin.project(overlap="100%:3", sampler="perc")
        people = {name: self.person(name) for name in ("ann", "bob", "eve", "zoe")}
        self.admin.post(project + "/instances", instances(2))
        for name in ("ann", "bob", "eve"):
            questions = people[name].next(project, 5)["questions"]
            self.assertEqual([(one["id"], one["people"]) for one in questions], [("m0", 3), ("m1", 3)], name)
        self.assertEqual(people["zoe"].next(project)["nothing"]["reason"], "leased-to-others")
        said = {"ann": ("spam", "spam"), "bob": ("ham", "spam"), "eve": ("ham", None)}
        for name, labels in said.items():
            for k in (1, 0):  # the last answer of each person stays held: that to m0
                result = people[name].answer(project, f"m{k}", labels[k], key=f"{name} {k}", unsure=labels[k] is None)
                self.assertEqual(result["state"], "held", result)
        self.assertIn("answered", people["ann"].answer(project, "m0", "ham", key="again")["detail"])
        self.assertEqual(people["zoe"].answer(project, "m0", "ham", key="zoe 0")["state"], "error")
        back = people["bob"].send("DELETE", project + "/answers/bob%200")
        self.assertEqual(back.json()["question"]["id"], "m0")
        self.kill()  # held answers, leases and who has answered come from the disk
        self.start()
        people = {name: self.client(one.token) for name, one in people.items()}
        self.assertEqual(people["zoe"].next(project)["questions"], [])
        self.assertEqual(people["bob"].answer(project, "m0", "spam", key="bob once more")["state"], "held")
        self.assertEqual(self.stop(), 0)
        self.start()
        report = self.admin.get(project + "/report").json()
        self.assertEqual((report["answered"], report["pending"]), (2, 0))
        self.assertEqual((report["agreement"]["questions"], report["agreement"]["disputed"]), (2, 1))
        # Alpha by its definition: m0 has spam, spam, ham and m1 spam, spam, so D_o = 2/5 and D_e = 2/5.
        self.assertAlmostEqual(report["agreement"]["alpha"]["value"], 0)
        found = {one["name"]: (one["answers"], one["unsure"], one["agreement"]) for one in report["annotators"]}
        self.assertEqual(found, {"ann": (2, 0, 0.75), "bob": (2, 0, 0.75), "eve": (1, 1, 0.0)})
        rows = self.admin.get(project + "/labels?format=jsonl").lines()
        self.assertEqual([(row["label"], row["said"]) for row in rows if row["id"] == "m0"],
                         [(None, "spam"), (None, "spam"), ("spam", "ham")])
        disputed = self.admin.get(project + "/disagreements").json()["disagreements"]
        self.assertEqual([(one["id"], one["label"]) for one in disputed], [("m0", 1)])
        self.assertEqual({one["by"]: one["label"] for one in disputed[0]["answers"]}, {"ann": 1, "bob": 1, "eve": -1})
        self.assertEqual(self.person("max").post(project + "/settlements", {"id": "m0", "label": "ham"}).status, 403)
        settled = self.admin.post(project + "/settlements", {"id": "m0", "label": "ham"})
        self.assertEqual(settled.json()["outcome"], "corrected", settled.text)
        self.assertEqual(self.admin.get(project + "/disagreements").json(), {"disagreements": []})
        self.assertEqual(self.admin.post(project + "/settlements", {"id": "m0", "label": "hm"}).status, 422)
        self.assertEqual(self.admin.post(project + "/settlements", {"id": "none", "label": "ham"}).status, 422)
        outcomes = [row["outcome"] for row in self.replay(project)]
        self.assertEqual(sorted(outcomes), sorted(["", "", *["collected"] * 4, "learned", "learned", "corrected", "unknown"]))

    def test_exports_have_names_and_who_said_it(self):
        project = self.admin.project(labels=["spam", "=ham"])
        ann = self.person("ann")
        self.admin.post(project + "/instances", instances(4))
        for question, label in zip(ann.next(project, 4)["questions"], ("spam", "=ham", None, None)):
            ann.answer(project, question["id"], label, comment='a "quoted", one', unsure=question["id"] == "m3")
        self.assertEqual(self.stop(), 0)  # a stop learns what is held
        self.start()
        rows = self.admin.get(project + "/labels?format=jsonl").lines()
        self.assertEqual([(row["id"], row["label"], row["by"], row["unsure"]) for row in rows],
                         [("m0", "spam", "ann", False), ("m1", "=ham", "ann", False), ("m2", None, "ann", False),
                          ("m3", None, "ann", True)])
        sheet = self.admin.get(project + "/labels?format=csv").text.decode()
        self.assertIn("m1,'=ham,learned,ann,", sheet)  # no formula for a spreadsheet
        self.assertIn('"a ""quoted"", one"', sheet)
        decisions = self.admin.get(project + "/decisions?format=csv").text.decode().splitlines()
        self.assertEqual(len(decisions), 5)
        people = self.admin.get(project + "/report").json()["annotators"]
        self.assertEqual([(one["name"], one["answers"], one["skipped"], one["unsure"]) for one in people],
                         [("ann", 2, 1, 1)])

    def test_events_tell_changes(self):
        project = self.admin.project()
        listener = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        self.addCleanup(listener.close)
        listener.request("GET", project + "/events", headers={"Authorization": "Bearer " + self.token})
        events = listener.getresponse()
        self.assertEqual(events.headers["Content-Type"], "text/event-stream")
        self.assertEqual(events.readline(), b"event: change\n")
        self.assertEqual(json.loads(events.readline()[6:])["rounds"], 0)
        self.admin.post(project + "/instances", instances(3))
        while not (line := events.readline()).startswith(b"data: "):
            pass
        self.assertEqual(json.loads(line[6:])["rounds"], 3)


class Roles(ServerTest):
    def test_each_role_may_do_what_it_is_for(self):
        project = self.admin.project()
        engineer, annotator, reader = (self.person(role, role) for role in ("engineer", "annotator", "reader"))
        for who, instances_, next_, tokens in ((engineer, 200, 200, 403), (annotator, 403, 200, 403), (reader, 403, 403, 403)):
            self.assertEqual(who.post(project + "/instances", {"id": "a", "text": "b"}).status, instances_)
            self.assertEqual(who.get(project + "/questions/next").status, next_)
            self.assertEqual(who.get(API + "/tokens").status, tokens)
            self.assertEqual(who.get(project + "/report").status, 200)
        self.assertEqual(self.client().get(project).status, 401)
        self.assertEqual(self.client("askfew-wrong").get(project).status, 401)

    def test_a_project_of_others_is_not_there(self):
        mine, other = self.admin.project("Mine"), self.admin.project("Other")
        ann = self.person("ann", projects=["mine"])
        self.assertEqual(ann.get(mine).status, 200)
        self.assertEqual(ann.get(other).json(), self.admin.get(API + "/projects/none").json())
        self.assertEqual([one["id"] for one in ann.get(API + "/projects").json()["projects"]], ["mine"])

    def test_a_removed_token_ends_at_once_and_a_name_is_taken_once(self):
        ann = self.person("ann")
        self.assertEqual(self.admin.post(API + "/tokens", {"name": "ann"}).status, 422)
        number = [one["number"] for one in self.admin.get(API + "/tokens").json()["tokens"] if one["name"] == "ann"][0]
        self.assertEqual(self.admin.send("DELETE", f"{API}/tokens/{number}").status, 204)
        self.assertEqual(ann.get(API + "/me").status, 401)

    def test_a_login_needs_its_csrf_token_to_change_anything(self):
        page = self.client()
        self.assertEqual(page.post(API + "/login", {"token": "wrong"}).status, 401)
        login = page.post(API + "/login", {"token": self.token})
        cookie = login.headers["Set-Cookie"]
        for part in ("HttpOnly", "SameSite=Strict"):
            self.assertIn(part, cookie)
        by_cookie = {"Cookie": cookie.split(";")[0]}
        me = page.get(API + "/me", headers=by_cookie).json()
        self.assertEqual(me["csrf"], login.json()["csrf"])
        settings = {"name": "a"}
        self.assertEqual(page.post(API + "/projects", settings, headers=by_cookie).status, 403)
        with_csrf = {**by_cookie, "X-CSRF-Token": me["csrf"]}
        self.assertEqual(page.post(API + "/projects", settings, headers=with_csrf).status, 201)
        self.assertEqual(page.post(API + "/logout", {}, headers=with_csrf).status, 204)
        self.assertEqual(page.get(API + "/me", headers=by_cookie).status, 401)

    def test_a_person_logs_in_by_name_and_password(self):
        ann = self.person("ann")
        stranger = self.client()
        wrong = {"name": "ann", "password": "battery staple"}
        self.assertEqual(stranger.post(API + "/login", wrong).status, 401)  # there is no password yet
        self.assertEqual(ann.send("PUT", API + "/me/password", {"password": "short"}).status, 422)
        self.assertEqual(ann.send("PUT", API + "/me/password", {"password": "correct horse"}).status, 204)
        self.assertEqual(stranger.send("PUT", API + "/me/password", {"password": "correct horse"}).status, 401)
        self.assertEqual(stranger.post(API + "/login", wrong).status, 401)
        self.assertEqual(stranger.post(API + "/login", {"name": "bob", "password": "correct horse"}).status, 401)
        self.assertEqual(stranger.post(API + "/login", {"name": "ann"}).status, 400)
        self.kill()
        self.start()
        stranger = self.client()
        logged_in = stranger.post(API + "/login", {"name": "ann", "password": "correct horse"})
        self.assertEqual((logged_in.status, logged_in.json()["role"]), (200, "annotator"))
        cookie = {"Cookie": logged_in.headers["Set-Cookie"].split(";")[0]}
        self.assertEqual(stranger.get(API + "/me", headers=cookie).json()["name"], "ann")
        refused = stranger.send("PUT", API + "/me/password", {"password": "another one"}, headers=cookie)
        self.assertEqual(refused.status, 403)  # without the CSRF token
        with open(os.path.join(self.folder, "projects", "accounts.sqlite"), "rb") as file:
            kept = file.read()
        with open(os.path.join(self.folder, "projects", "accounts.sqlite-wal"), "rb") as file:
            kept += file.read()
        self.assertIn(b"$argon2id$", kept)
        self.assertNotIn(b"correct horse", kept)
        connections = [http.client.HTTPConnection("127.0.0.1", self.port, timeout=60) for _ in range(40)]
        for connection in connections:  # all at once
            self.addCleanup(connection.close)
            connection.request("POST", API + "/login", json.dumps(wrong), {"Content-Type": "application/json"})
        statuses = {connection.getresponse().status for connection in connections}
        self.assertEqual(statuses, {401, 429})  # strangers cannot keep the server busy with passwords

    def test_no_secret_is_in_the_database(self):
        with open(self.folder + "/projects/accounts.sqlite", "rb") as file:
            content = file.read()
        with open(self.folder + "/projects/accounts.sqlite-wal", "rb") as file:
            content += file.read()
        self.assertIn(b"admin", content)
        self.assertNotIn(self.token.encode(), content)


class Rates(ServerTest):
    options = ("--rate", "5")

    def test_a_token_that_sends_too_much_is_slowed_down_and_others_are_not(self):
        other = self.person("other", "reader")
        states = [self.admin.get(API + "/me").status for _ in range(40)]
        self.assertIn(429, states)
        self.assertEqual(states[0], 200)
        self.assertEqual(other.get(API + "/me").status, 200)


class Hostile(ServerTest):
    def raw(self, *pieces, pause=0.0):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)
                return connection.recv(65536)
            except ConnectionError:
                return b""

    def test_requests_that_are_no_http_are_refused(self):
        for request in (b"nonsense\r\n\r\n", b"GET\r\n\r\n", b"GET /% HTTP/1.1\r\n\r\n", b"\0" * 100 + b"\r\n\r\n",
                        b"POST /api/v1/login HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                        b"POST /api/v1/login HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"):
            self.assertRegex(self.raw(request), rb"^(HTTP/1.1 4\d\d |$)", request)
        self.assertEqual(self.admin.get("/healthz").status, 200)

    def test_long_headers_and_bodies_are_refused(self):
        self.assertIn(b" 431 ", self.raw(b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"))
        body = b"POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n"
        self.assertRegex(self.raw(body), rb" 401 | 413 ")
        project = self.admin.project()
        with_token = (f"POST {project}/answers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.token}\r\n"
                      "Content-Length: 999999999\r\n\r\n").encode()
        self.assertIn(b" 413 ", self.raw(with_token))
        long = {"id": "a", "text": "b" * 2_000_000}
        self.assertEqual(self.admin.post(project + "/instances", long).status, 413)

    def test_deep_json_is_refused(self):
        project = self.admin.project()
        deep = "[" * 100_000 + "]" * 100_000
        for path, body in (("/answers", deep), ("/instances", f'{{"id": "a", "text": "b", "fields": {deep}}}')):
            self.assertEqual(self.admin.post(project + path, body).status, 400)
        line = f'{{"id": "a", "text": "b", "fields": {deep}}}\n'
        self.assertIn("nested", self.admin.post(project + "/instances", line, kind="application/x-ndjson").lines()[0]["error"])
        self.assertEqual(self.admin.get(project).json()["rounds"], 0)

    def test_a_body_of_the_wrong_shape_is_a_problem_and_nothing_else(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(1))
        for body in ("", "{", "[]", "null", "7", '"a"', '{"answers": 1}', '{"answers": [1]}', '{"answers": [{"key": 1}]}',
                     '{"answers": [{"id": {}, "key": "a", "seconds": "b"}]}', "\xff", '{"answers": [{"id": "m0", "label": []}]}'):
            self.assertEqual(self.admin.post(project + "/answers", body).status, 400, body)
        for answer in ({"key": "", "id": "m0"}, {"key": "a", "id": {}}, {"id": "m0"}, {"key": "a" * 300, "id": "m0"}):
            reply = self.admin.post(project + "/answers", {"answers": [answer]}).json()
            self.assertEqual(reply["results"][0]["state"], "error", answer)
        for query in ("n=0", "n=501", "n=a", "wait=-1", "wait=61", "n="):
            self.assertEqual(self.admin.get(f"{project}/questions/next?{query}").status, 400, query)
        for path in ("/pending?order=x", "/labels?format=x"):
            self.assertEqual(self.admin.get(project + path).status, 400, path)

    def test_slow_clients_and_half_requests_do_not_stop_others(self):
        slow = [socket.create_connection(("127.0.0.1", self.port), timeout=30) for _ in range(50)]
        for connection in slow:
            self.addCleanup(connection.close)
            connection.sendall(b"POST /api/v1/login HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
        self.assertEqual(self.admin.get("/healthz").status, 200)

    def test_a_client_that_sends_all_lines_before_it_reads_gets_all_answers(self):
        project = self.admin.project()
        lines = "".join(json.dumps(one) + "\n" for one in instances(20_000))
        answers = self.admin.post(project + "/instances", lines, kind="application/x-ndjson").lines()
        self.assertEqual(len(answers), 20_000)
        self.assertEqual(len({answer["id"] for answer in answers}), 20_000)

    def test_two_servers_do_not_share_a_folder(self):
        second = subprocess.run([ASKFEW, "serve", self.folder + "/projects", "--port", "0"], capture_output=True, text=True)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another process serves this folder", second.stderr)


if __name__ == "__main__":
    unittest.main()
