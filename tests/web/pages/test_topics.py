"""Projects whose documents may have several topics: chips, the table of topics, disagreements."""

import re
import time

from harness import PageTest

TOPICS = ["wheat", "corn", "oil", "gold"]
TEXTS = ("wheat harvest", "corn prices", "oil and corn", "wheat against oil", "nothing of that kind")


def documents(count):
    return [{"id": f"d{k}", "text": f"{TEXTS[k % 5]} {k % 7}"} for k in range(count)]


def topics_of(text):
    return [topic for topic in TOPICS if topic in text]


class Topics(PageTest):
    def topics(self, count, name="news", **settings):
        return self.server.project(documents(count), name=name, kind="topics", **{"labels": TOPICS, "question": "Which topics fit?", **settings})

    def said(self, project):
        """Of each document in the ledger's order: what was said about its topics."""
        rows = {}
        for row in self.restarted_labels(project):
            rows.setdefault(row["id"], {})[row["topic"]] = row["label"]
        return rows

    def answer(self, project, person, say=topics_of):
        """Answers all questions by the API as a person would."""
        token = self.server.annotator(person, [project])
        while questions := self.server.call("GET", f"projects/{project}/questions/next?n=20", token=token)["questions"]:
            results = self.server.call("POST", f"projects/{project}/answers", {"answers": [
                {"key": f"{person} {one['id']}", "id": one["id"],
                 "labels": {open_["topic"]: open_["topic"] in say(one["text"]) for open_ in one["topics"]}}
                for one in questions]}, token=token)["results"]
            self.assertEqual({result["state"] for result in results}, {"held"})

    def pressed(self, page):
        return [chip.inner_text().split()[0] for chip in page.locator(".chip[aria-pressed=true]").all()]

    def test_digits_and_letters_choose_chips_and_enter_submits_them(self):
        project = self.topics(5)
        page = self.page()
        self.label(page, project)
        for key in ("1", "o", "2", "2", "g"):  # wheat, oil, corn and corn again, gold
            page.keyboard.press(key)
        self.assertEqual(self.pressed(page), ["wheat", "oil", "gold"])
        page.keyboard.press("Enter")
        page.wait_for_selector(".card[data-id=d1]")
        self.assertEqual(self.pressed(page), [])
        page.keyboard.press("Enter")  # nothing is chosen: nothing is submitted
        self.assertEqual(self.shown(page), "d1")
        page.keyboard.press("x")
        page.wait_for_selector(".card[data-id=d2]")
        page.keyboard.press("c")
        page.keyboard.press("x")  # something is chosen: it is not "none"
        self.assertEqual(self.shown(page), "d2")
        page.keyboard.press("Enter")
        page.keyboard.press("Space")
        page.keyboard.press("u")
        self.wait_until_sent(page)
        every = dict.fromkeys(TOPICS, "no")
        self.assertEqual(self.said(project), {
            "d0": {**every, "wheat": "yes", "oil": "yes", "gold": "yes"}, "d1": every, "d2": {**every, "corn": "yes"},
            "d3": dict.fromkeys(TOPICS), "d4": dict.fromkeys(TOPICS)})
        unsure = {row["id"] for row in self.server.labels(project) if row["unsure"]}
        self.assertEqual(unsure, {"d4"})

    def test_only_topics_in_question_have_chips(self):
        project = self.topics(1)
        self.server.call("POST", f"projects/{project}/instances", [{"id": "d0", "labels": {"wheat": True, "oil": False}}])
        page = self.page()
        self.label(page, project)
        self.assertEqual([chip.inner_text().split() for chip in page.locator(".chip").all()], [["corn", "1c"], ["gold", "2g"]])
        self.assertIn("2 of 4 topics", page.locator(".choices").inner_text())
        page.keyboard.press("w")  # not in question: no key
        page.keyboard.press("o")
        self.assertEqual(self.pressed(page), [])
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        self.wait_until_sent(page)
        self.assertEqual(self.said(project)["d0"], {"wheat": "yes", "oil": "no", "corn": "no", "gold": "yes"})

    def test_an_answer_that_is_undone_shows_its_chips_again(self):
        project = self.topics(4)
        page = self.page()
        self.label(page, project)
        for key in ("1", "3", "Enter", "Backspace"):
            page.keyboard.press(key)
        self.assertEqual((self.shown(page), self.pressed(page)), ("d0", ["wheat", "oil"]))
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        self.wait_until_sent(page)
        page.reload()
        page.wait_for_selector(".card[data-id=d1]")
        page.get_by_text("Last answers").click()
        self.assertEqual([text.split("\n")[0] for text in page.locator(".held b").all_inner_texts()], ["wheat"])
        page.locator(".held button").click()
        page.wait_for_selector(".card[data-id=d0]")
        self.assertEqual(self.pressed(page), ["wheat"])
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        self.wait_until_sent(page)
        every = dict.fromkeys(TOPICS, "no")
        self.assertEqual(self.said(project), {"d0": {**every, "wheat": "yes", "gold": "yes"}})

    def test_why_goes_from_topic_to_topic_and_marks_its_words(self):
        project = self.topics(60)
        self.answer(project, "anna")
        self.server.stop()  # learns what is held
        self.server.start()
        self.server.call("POST", f"projects/{project}/instances", [{"id": "new", "text": "wheat against oil"}])
        page = self.page()
        self.label(page, project)
        self.assertFalse(page.locator(".why").is_visible())
        for topic in TOPICS:
            page.keyboard.press("w")
            self.assertEqual(page.locator(".why h2").inner_text(), f"Why {topic} was asked")
            self.assertIn("margin", page.locator(".why").inner_text())
            if topic == "wheat":
                self.assertIn("wheat", page.locator("mark.for").all_inner_texts())
        page.keyboard.press("w")
        self.assertFalse(page.locator(".why").is_visible())
        self.assertEqual(page.locator("mark").count(), 0)

    def test_answers_without_network_arrive_later_once_and_in_order(self):
        project = self.topics(12)
        page = self.page()
        self.label(page, project)
        page.context.set_offline(True)
        for _ in range(4):
            page.keyboard.press("2")
            page.keyboard.press("Enter")
        page.keyboard.press("Backspace")
        page.keyboard.press("4")
        page.keyboard.press("Enter")
        page.locator(".state", has_text="No network").wait_for()
        page.context.set_offline(False)
        self.wait_until_sent(page)
        said = self.said(project)
        self.assertEqual(list(said), ["d0", "d1", "d2", "d3"])
        self.assertEqual([[topic for topic in TOPICS if one[topic] == "yes"] for one in said.values()], [["corn"]] * 3 + [["corn", "gold"]])

    def test_two_annotators_share_the_documents(self):
        project = self.topics(30)
        pages = {name: self.page(self.server.annotator(name, [project])) for name in ("anna", "bob")}
        for page in pages.values():
            self.label(page, project)
        given = {}
        end = time.monotonic() + 20
        while len(given) < 30 and time.monotonic() < end:
            for name, page in pages.items():
                shown = page.locator(".card").get_attribute("data-id")
                if shown is None:
                    continue  # the other person has the documents that are left
                self.assertNotIn(shown, given)
                given[shown] = name
                page.keyboard.press("x")
        for page in pages.values():
            self.wait_until_sent(page)
        self.assertEqual((len(given), set(given.values())), (30, {"anna", "bob"}))
        self.assertEqual({row["id"]: row["by"] for row in self.restarted_labels(project)}, given)

    def test_on_a_phone_and_by_tab_alone_chips_and_buttons_answer(self):
        project = self.topics(4)
        page = self.page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        self.label(page, project)
        page.get_by_role("button", name="wheat").tap()
        page.get_by_role("button", name="gold").tap()
        page.get_by_role("button", name="Submit").tap()
        page.wait_for_selector(".card[data-id=d1]")
        page.get_by_role("button", name="None of them").tap()
        page.wait_for_selector(".card[data-id=d2]")
        page.get_by_role("button", name="corn").focus()
        page.keyboard.press("Space")
        for _ in range(3):  # oil, gold, then the button that submits
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(".card[data-id=d3]")
        self.assertEqual(page.evaluate("document.activeElement.innerText").split()[0], "wheat")
        self.wait_until_sent(page)
        self.assertEqual([topic for one in self.said(project).values() for topic in TOPICS if one[topic] == "yes"],
                         ["wheat", "gold", "corn"])

    def test_the_table_of_topics_and_the_charts_of_one_are_those_of_the_api(self):
        project = self.topics(400, budget="200", horizon=400, audit="30%", sampler="auto", ask="together")
        self.answer(project, "anna")
        report = self.server.call("GET", f"projects/{project}/report")["topics"]
        points = self.server.call("GET", f"projects/{project}/history")["points"]
        page = self.page()
        self.open(page, f"p/{project}")
        page.wait_for_selector(".spark")
        rows = [row.locator("td").all_inner_texts() for row in page.get_by_role("region", name="Topics").locator("tbody tr").all()]
        self.assertEqual([row[0] for row in rows], sorted(TOPICS))
        for row in rows:
            one = report[row[0]]
            self.assertEqual([int(cell) for cell in row[1:4]], [one["asked"], one["labels"]["learned"], one["pending"]])
            error = one["estimate"]["whole"]["error"]
            for text, value in zip(re.findall(r"[\d.]+(?=%)", row[4]), (error["value"], error["low"], error["high"]), strict=True):
                self.assertAlmostEqual(float(text) / 100, value, delta=0.0051)
        self.assertEqual(page.locator(".spark").count(), 4)
        page.get_by_label("Estimates of the topic").select_option("oil")
        figure = page.locator("figure", has_text="Estimated error")
        figure.get_by_text("Numbers as a table").click()
        last = figure.locator("tbody tr").last.locator("td").all_inner_texts()
        error = points[-1]["topics"]["oil"]["error"]
        self.assertEqual(int(last[0]), points[-1]["round"])
        for text, value in zip(re.findall(r"[\d.]+(?=%)", last[1]), (error["value"], error["low"], error["high"]), strict=True):
            self.assertAlmostEqual(float(text) / 100, value, delta=0.0051)
        page.get_by_text("Newest decisions").click()
        page.get_by_role("region", name="Newest decisions").wait_for()
        self.assertIn("gold", page.get_by_role("region", name="Newest decisions").inner_text())

    def test_random_asking_is_compared_topic_by_topic(self):
        project = self.topics(200, budget="100", horizon=200, audit="20%", sampler="auto")
        self.answer(project, "anna")
        page = self.page()
        self.open(page, f"p/{project}")
        page.get_by_text("Compared with random asking").click()
        region = page.get_by_role("region", name="Compared with random asking")
        region.wait_for()
        rows = [row.locator("td").all_inner_texts()[:3] for row in region.locator("tbody tr").all()]
        control = self.server.call("GET", f"projects/{project}/control")["topics"]
        self.assertEqual(rows, [[topic, name, str(control[topic][run]["asked"])] for topic in sorted(TOPICS)
                                for name, run in (("this project", "recorded"), ("random asking alone", "what_if"))])

    def test_topics_on_which_people_disagree_can_be_settled(self):
        project = self.topics(3, overlap="100%:2")
        self.answer(project, "anna")
        self.answer(project, "bob", lambda text: topics_of(text) + ["gold"] * text.startswith("corn"))
        self.server.stop()  # learns what is held
        self.server.start()
        page = self.page()
        self.open(page, f"p/{project}")
        region = page.get_by_role("region", name="Disagreements")
        region.wait_for()
        self.assertIn("1 of 12 questions", page.locator("main").inner_text())
        self.assertEqual(region.locator("tbody td").all_inner_texts()[:3], ["d1", "corn prices 1", "gold"])
        self.assertEqual(set(region.locator("tbody td").nth(3).inner_text().split(", ")), {"anna: No", "bob: Yes"})
        region.get_by_role("button", name="Yes").click()
        region.wait_for(state="detached")
        (row,) = [row for row in self.server.labels(project) if row["topic"] == "gold" and row["id"] == "d1" and row["by"] == "admin"]
        self.assertEqual((row["label"], row["outcome"]), ("yes", "learned"))
