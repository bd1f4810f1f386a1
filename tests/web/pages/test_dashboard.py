"""The project's page shows what the API says, and follows it."""

import re

from harness import HAM, SPAM, PageTest, messages


class Dashboard(PageTest):
    def tile(self, page, name):
        tile = page.locator(".tile", has=page.locator("dt", has_text=re.compile(f"^{name}$")))
        return tile.locator("dd").first.inner_text()

    def number(self, text):
        return int(text.replace(",", "").split()[0])

    def answer(self, project, count):
        """Answers questions by the API as a program would."""
        while count > 0:
            questions = self.server.call("GET", f"projects/{project}/questions/next?n={min(count, 20)}")["questions"]
            self.server.call("POST", f"projects/{project}/answers", {"answers": [
                {"key": f"{project}-{one['id']}", "id": one["id"], "seconds": 1.5,
                 "label": "spam" if one["text"].startswith(SPAM) else "ham"} for one in questions]})
            count -= len(questions)

    def test_figures_are_those_of_the_api(self):
        project = self.server.project(messages(400), budget="200", horizon=400, audit="20%", sampler="auto")
        self.answer(project, 120)
        report = self.server.call("GET", f"projects/{project}/report")
        page = self.page()
        self.open(page, f"p/{project}")
        page.wait_for_selector(".tile")
        self.assertEqual(self.number(self.tile(page, "Rounds")), report["rounds"])
        self.assertEqual(self.tile(page, "Asked"), f"{report['asked']} of 200")
        self.assertEqual(self.number(self.tile(page, "Answered")), report["answered"])
        self.assertEqual(self.number(self.tile(page, "Waiting")), report["pending"])
        error = report["estimate"]["whole"]["error"]
        shown = float(self.tile(page, "Error").rstrip("%")) / 100
        self.assertAlmostEqual(shown, error["value"], delta=0.0051)
        self.assertAlmostEqual(float(self.tile(page, "F")), report["estimate"]["whole"]["f1"]["value"], delta=0.00051)
        self.assertEqual(page.locator("figure").count(), 3)
        people = page.get_by_role("region", name="Annotators").inner_text()
        self.assertIn(report["annotators"][0]["name"], people)
        self.assertIn(str(report["annotators"][0]["answers"]), people.split())

    def test_every_estimate_and_count_in_the_tables_is_that_of_the_api(self):
        project = self.server.project(messages(300), budget="200", horizon=300, audit="40%", sampler="auto")
        self.answer(project, 100)
        report = self.server.call("GET", f"projects/{project}/report")
        points = self.server.call("GET", f"projects/{project}/history")["points"]
        decisions = self.server.call("GET", f"projects/{project}/decisions?format=jsonl")
        pending = self.server.call("GET", f"projects/{project}/pending?limit=20")["pending"]
        page = self.page()
        self.open(page, f"p/{project}")
        page.wait_for_selector(".tile")
        rows = page.get_by_role("region", name="Annotators").locator("tbody td").all_inner_texts()
        (person,) = report["annotators"]
        self.assertEqual(rows, [person["name"], str(person["answers"]), str(person["unsure"]), str(person["skipped"]), "1.5"])
        self.assertEqual(self.tile(page, "Asked"), f"{report['asked']} of {report['plan']['asked'] + report['plan']['left']}")
        plan = report["plan"]
        due = page.locator(".tile", has_text="Asked").locator(".hint").inner_text()
        self.assertEqual(due, f"{int(plan['planned'])} planned by now")
        self.assertTrue(report["asked"] <= plan["planned"] + 1, plan)
        self.assertEqual([(plan["curve"][k]["round"], plan["curve"][k]["labels"]) for k in (0, -1)], [(0, 0), (300, 200)])
        hint = page.locator(".tile", has_text="Answered").locator(".hint").inner_text()
        self.assertEqual((hint, report["held"] + person["answers"]), ("2 of them can still be changed", report["answered"]))
        page.get_by_text("Newest decisions").click()
        page.get_by_role("region", name="Newest decisions").wait_for()
        shown = self.cells(page, "Newest decisions")
        self.assertEqual([(int(row[0]), row[1], row[2], float(row[3]), row[5]) for row in shown],
                         [(one["round"], one["id"], one["prediction"], round(one["margin"], 3), "Yes" if one["asked"] else "No")
                          for one in decisions[:-21:-1]])
        for row, one in zip(shown, decisions[:-21:-1]):
            self.assertAlmostEqual(float(row[4].rstrip("%")) / 100, one["probability"], delta=0.0051)
        self.assertEqual([(row[0], float(row[2])) for row in self.cells(page, "Questions that wait")],
                         [(one["id"], round(one["margin"], 3)) for one in pending])
        figure = page.locator("figure", has_text="Estimated error")
        figure.get_by_text("Numbers as a table").click()
        last = figure.locator("tbody tr").last.locator("td").all_inner_texts()
        error = points[-1]["error"]
        self.assertEqual(int(last[0]), points[-1]["round"])
        for text, value in zip(re.findall(r"[\d.]+(?=%)", last[1]), (error["value"], error["low"], error["high"]), strict=True):
            self.assertAlmostEqual(float(text) / 100, value, delta=0.0051)

        self.open(page, "")
        (counts,) = self.server.call("GET", "projects")["projects"]
        self.assertEqual(page.locator(".projects .hint").inner_text(), f"{counts['waiting']} waiting, {counts['answered']} answered")
        self.label(page, project)
        progress = self.server.call("GET", f"projects/{project}/questions/next?n=1")["progress"]
        self.assertEqual(page.locator(".state span").all_inner_texts(), [
            f"{progress['answered_today']} answered today", f"{progress['left_in_budget']} left in the budget",
            f"{progress['pending']} waiting"])

    def cells(self, page, name):
        return [row.locator("td").all_inner_texts() for row in page.get_by_role("region", name=name).locator("tbody tr").all()]

    def test_an_estimate_that_may_be_anything_is_called_unknown(self):
        project = self.server.project(messages(3), budget="3", horizon=3, audit="50%", sampler="auto")
        page = self.page()
        self.open(page, f"p/{project}")
        page.wait_for_selector(".tile")
        self.assertEqual(self.tile(page, "Error"), "not known yet")

    def test_questions_that_people_disagree_on_can_be_settled(self):
        project = self.server.project(messages(5), overlap="100%:2")
        for name in ("anna", "bob"):
            token = self.server.annotator(name, [project])
            questions = self.server.call("GET", f"projects/{project}/questions/next?n=5", token=token)["questions"]
            self.server.call("POST", f"projects/{project}/answers", {"answers": [
                {"key": f"{name} {one['id']}", "id": one["id"],
                 "label": "spam" if one["text"].startswith(SPAM) or (name, one["id"]) == ("bob", "m1") else "ham"}
                for one in questions]}, token=token)
        self.server.stop()  # learns what is held
        self.server.start()
        page = self.page()
        self.open(page, f"p/{project}")
        page.get_by_text("1 of 5 questions").wait_for()
        self.assertEqual(self.tile(page, r"Agreement \(kappa\)"), "not known yet")  # five questions say nothing
        region = page.get_by_role("region", name="Disagreements")
        self.assertEqual(region.locator("tbody td").nth(0).inner_text(), "m1")
        self.assertEqual(set(region.locator("tbody td").nth(2).inner_text().split(", ")), {"anna: ham", "bob: spam"})
        region.get_by_role("button", name="ham").click()
        region.wait_for(state="detached")
        (row,) = [row for row in self.server.labels(project) if row["by"] == "admin"]
        self.assertEqual((row["id"], row["label"], row["outcome"]), ("m1", "ham", "learned"))

    def test_a_chart_has_its_numbers_as_a_table(self):
        project = self.server.project(messages(40), budget="20", horizon=40, sampler="auto")
        points = self.server.call("GET", f"projects/{project}/history")["points"]
        page = self.page()
        self.open(page, f"p/{project}")
        figure = page.locator("figure").first
        figure.get_by_text("Numbers as a table").click()
        cells = [row.locator("td").all_inner_texts() for row in figure.locator("tbody tr").all()]
        self.assertIn([str(points[-1]["round"]), str(points[-1]["asked"])], [row[:2] for row in cells])

    def test_the_page_follows_new_answers_and_instances(self):
        project = self.server.project(messages(10))
        page = self.page()
        self.open(page, f"p/{project}")
        page.wait_for_selector(".tile")
        self.assertEqual(self.tile(page, "Answered"), "0")
        self.answer(project, 3)
        self.wait_until(page, "[...document.querySelectorAll('.tile')].some(e => /Answered\\s*3/.test(e.innerText))")
        self.server.call("POST", f"projects/{project}/instances", [{"id": "new", "text": HAM[0]}])
        self.wait_until(page, "[...document.querySelectorAll('.tile')].some(e => /Rounds\\s*11/.test(e.innerText))")
        self.wait_until(page, "document.body.innerText.includes('new')")

    def test_files_can_be_downloaded(self):
        project = self.server.project(messages(10))
        self.answer(project, 2)
        self.server.stop()  # learns the answers that were held
        self.server.start()
        page = self.page()
        self.open(page, f"p/{project}")
        for name in ("Labels (CSV)", "Labels (JSON lines)", "Decisions (CSV)", "Decisions (JSON lines)", "Model file"):
            with page.expect_download() as download:
                page.get_by_role("link", name=name).click()
            with open(download.value.path(), "rb") as file:
                self.assertTrue(file.read(), name)

    def test_an_invited_annotator_sees_the_project_and_may_only_label(self):
        project = self.server.project(messages(3))
        self.server.project(messages(3), name="another")
        page = self.page()
        self.open(page, f"p/{project}")
        page.get_by_label("Invite an annotator").fill("Anna")
        page.get_by_role("button", name="Make a link").click()
        link = page.get_by_label("Link for Anna").input_value()
        guest = self.context().new_page()
        guest.goto(link)
        guest.get_by_role("link", name="spam", exact=True).wait_for()
        self.assertNotIn("token", guest.url)
        self.assertEqual(guest.get_by_role("link", name="another", exact=True).count(), 0)
        self.assertEqual(guest.get_by_role("link", name="New project").count(), 0)
        self.label(guest, project)
        guest.keyboard.press("a")
        self.wait_until_sent(guest)
        self.assertEqual([row["by"] for row in self.restarted_labels(project)], ["Anna"])
