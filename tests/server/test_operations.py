"""What who runs a server sees: metrics, lists in pieces, budgets of a day, projects that are closed to save memory."""

import os
import re
import signal
import time
import unittest

from service import ServerTest, instances


class Figures(ServerTest):
    def metrics(self):
        text = self.client().get("/metrics").text.decode()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")}

    def test_metrics_have_requests_latencies_spending_estimates_queue_bytes_and_syncs(self):
        project = self.admin.project(sampler="sel-p", budget=400, horizon=1000, audit="2%")
        self.admin.post(project + "/instances", instances(200))
        ann = self.person("ann")
        for question in ann.next(project, 12)["questions"]:
            ann.answer(project, question["id"], "spam")
        time.sleep(1.1)  # figures are computed once a second
        report = self.admin.get(project + "/report").json()
        seen = self.metrics()
        of_project = {re.sub("^askfew_project_|{.*", "", name): value for name, value in seen.items() if 'project="spam"' in name}
        self.assertEqual(of_project["rounds"], 200)
        self.assertEqual(of_project["asked"], report["asked"])
        self.assertEqual((of_project["answered"], of_project["held"]), (11, 1))
        self.assertEqual(of_project["pending"], report["pending"])
        self.assertEqual((of_project["budget_labels"], of_project["budget_spent"]), (400, report["asked"]))
        self.assertEqual(of_project["error_high"], report["estimate"]["whole"]["error"]["high"])
        self.assertLessEqual(of_project["f1_low"], of_project["f1"])
        self.assertGreater(seen['askfew_ledger_bytes{project="spam"}'], 10_000)
        self.assertGreaterEqual(seen['askfew_requests_total{status="200"}'], 14)
        self.assertEqual(seen['askfew_request_seconds_bucket{le="+Inf"}'], seen["askfew_request_seconds_count"])
        self.assertGreater(seen["askfew_commit_seconds_count"], 10)
        self.assertGreater(seen["askfew_commit_seconds_sum"], 0)
        self.assertEqual((seen["askfew_work_waiting"], seen["askfew_open_projects"]), (0, 1))

    def test_pending_comes_in_pieces_also_while_questions_are_answered(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(25))
        for order in ("asked", "doubtful"):
            whole = [one["id"] for one in self.admin.get(f"{project}/pending?order={order}").json()["pending"]]
            pieces, after = [], ""
            while after is not None:
                page = self.admin.get(f"{project}/pending?order={order}&limit=7" + (f"&after={after}" if after else "")).json()
                pieces += [one["id"] for one in page["pending"]]
                after = page["next"]
            self.assertEqual(pieces, whole)
        first = self.admin.get(project + "/pending?limit=10").json()
        for question in first["pending"][5:]:
            self.admin.answer(project, question["id"], "spam")
        rest = self.admin.get(f"{project}/pending?limit=1000&after={first['next']}").json()
        self.assertEqual(([one["id"] for one in rest["pending"]], rest["next"]), ([f"m{k}" for k in range(10, 25)], None))
        for wrong in ("x", "0-", "-1", "7ff0000000000000-1", "0000000000000000-1x", "%00"):
            self.assertEqual(self.admin.get(f"{project}/pending?after={wrong}").status, 400, wrong)

    def test_a_budget_of_a_day_tells_what_is_left_of_it_also_after_a_restart(self):
        project = self.admin.project(sampler="sel-p", budget="100000/day")
        plan = self.admin.get(project + "/report").json()["plan"]
        self.assertEqual((plan["asked"], plan["left"]), (0, 100_000))
        self.admin.post(project + "/instances", instances(2000))
        asked = self.admin.get(project).json()["asked"]
        self.assertGreater(asked, 0)
        self.kill()
        self.start()
        progress = self.admin.next(project)["progress"]
        self.assertEqual(progress["left_in_budget"], 100_000 - asked)
        self.assertEqual(self.admin.send("PATCH", project, {"budget": "200000/day"}).status, 200)
        self.assertEqual(self.admin.get(project + "/report").json()["plan"]["left"], 200_000 - asked)
        self.admin.send("PATCH", project, {"budget": "10%"})
        self.assertIsNone(self.admin.get(project + "/report").json()["plan"]["left"])


class Control(ServerTest):
    def test_the_control_learns_only_what_the_audit_asked(self):
        project = self.admin.project(sampler="sel-p", budget="150", horizon=600, audit="10%")
        answers = self.admin.post(project + "/instances", instances(600)).json()["answers"]
        self.admin.post(project + "/instances", [{"id": one["id"], "label": "spam" if int(one["id"][1:]) % 2 else "ham"}
                                                 for one in answers if one["ask"]])
        control = self.admin.get(project + "/control").json()
        self.assertEqual(control["recorded"]["asked"], sum(one["ask"] for one in answers))
        self.assertEqual(control["coverage"]["coverage"], 1)
        self.assertLess(control["what_if"]["asked"], control["recorded"]["asked"])
        self.assertAlmostEqual(control["what_if"]["expected_asked"], 60)
        self.assertLess(control["what_if"]["error"]["low"], control["what_if"]["error"]["high"])

    def test_without_an_audit_there_is_no_control(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(5))
        reply = self.admin.get(project + "/control")
        self.assertEqual(reply.status, 422)
        self.assertIn("no audit", reply.json()["detail"])


class Listing(ServerTest):
    def counts(self):
        return {one["id"]: (one["rounds"], one["answered"], one["waiting"]) for one in self.admin.get("/api/v1/projects").json()["projects"]}

    def open_projects(self):
        return self.client().get("/metrics").text.decode().partition("\naskfew_open_projects ")[2].split()[0]

    def test_a_list_after_a_restart_opens_only_projects_whose_ledger_has_grown_since_they_were_closed(self):
        projects = [self.admin.project(name=f"p{k}", sampler="perc") for k in range(4)]
        for k, project in enumerate(projects):
            self.admin.post(project + "/instances", instances(10 + k))
            self.assertEqual(self.admin.answer(project, "m1", "spam")["state"], "held")
        expected = {f"p{k}": (10 + k, 1, 9 + k) for k in range(4)}
        self.assertEqual(self.counts(), expected)
        self.stop()
        self.start()
        self.assertEqual((self.counts(), self.open_projects()), (expected, "0"))
        self.admin.post(projects[2] + "/instances", instances(5, 50))
        self.kill()
        with open(os.path.join(self.folder, "projects", "projects", "p3", "counts.json"), "w", encoding="ascii") as file:
            file.write('{"ledger_bytes"')
        self.start()
        self.assertEqual(self.counts(), {**expected, "p2": (17, 1, 16)})
        self.assertEqual(self.open_projects(), "2")


class Closing(ServerTest):
    options = ("--rate", "0", "--open-memory", "1")  # each project that nobody uses is closed

    def wait_until_closed(self):
        for _ in range(300):
            if b"askfew_open_projects 0" in self.client().get("/metrics").text:
                return
            time.sleep(0.1)
        self.fail("the projects are never closed")

    def test_a_project_that_was_closed_goes_on_as_if_it_had_not(self):
        projects = [self.admin.project(name=f"p{k}", sampler="perc") for k in range(5)]
        ann, bob = self.person("ann"), self.person("bob")
        for project in projects:
            self.admin.post(project + "/instances", instances(40))
        given = [one["id"] for one in ann.next(projects[0], 12)["questions"]]
        for id_ in given[:11]:
            self.assertEqual(ann.answer(projects[0], id_, "spam")["state"], "held")
        self.wait_until_closed()
        metrics = self.client().get("/metrics").text.decode()
        self.assertIn('askfew_project_rounds{project="p4"} 40', metrics)
        listed = self.admin.get("/api/v1/projects").json()["projects"]
        self.assertEqual([one["rounds"] for one in listed], [40] * 5)
        held = ann.get(projects[0] + "/answers?mine=1").json()["answers"]
        self.assertEqual([one["id"] for one in held], [given[10]])  # it can still be taken back
        self.assertEqual(ann.send("DELETE", projects[0] + "/answers/" + held[0]["key"].replace(" ", "%20")).status, 200)
        self.assertNotIn(given[11], [one["id"] for one in bob.next(projects[0], 40)["questions"]])  # ann's lease holds
        self.admin.post(projects[1] + "/instances", instances(10, 40))
        self.wait_until_closed()
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=60), 0)
        outcomes = [row["outcome"] for row in self.replay(projects[0])]
        self.assertEqual(outcomes.count("learned"), 10)  # the stop has learned what was held
        self.assertEqual(len(self.replay(projects[1])), 50)


if __name__ == "__main__":
    unittest.main()
