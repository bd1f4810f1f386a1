"""Every page for everyone: no axe violation in light and dark, no sideways scrolling on a phone, no foreign script."""

import os
import pathlib

from harness import PageTest, messages

AXE = pathlib.Path(os.environ["AXE"]).read_text() if "AXE" in os.environ else ""
XSS = [
    "<script>window.hacked=1;alert(1)</script>",
    "<img src=x onerror=\"window.hacked=1;alert(2)\">",
    "\"><svg onload=window.hacked=1>",
    "'-alert(3)-'",
    "javascript:alert(4)//",
    "</title><script>alert(5)</script>",
    "{{constructor.constructor('alert(6)')()}}",
    "<iframe srcdoc='<script>parent.hacked=1</script>'></iframe>",
    "<style>*{display:none}</style><link rel=stylesheet href=//x.example/a.css>",
    "&lt;script&gt;alert(7)&lt;/script&gt;",
    "<a href=javascript:alert(8)>x</a><base href=//x.example/>",
]


class Everyone(PageTest):
    def every_page(self, page, project, classes, topics):
        """Goes through all pages and yields the name of each."""
        yield "projects"
        self.label(page, project)
        yield "label"
        page.keyboard.press("w")
        yield "why"
        page.keyboard.press("?")
        yield "keys"
        page.keyboard.press("Escape")
        page.keyboard.press("f")
        yield "comment"
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.get_by_text("Last answers").click()
        yield "last answers"
        self.label(page, classes)
        yield "classes"
        page.keyboard.press("Space")
        page.wait_for_selector(".card:not([data-id])")
        yield "nothing to ask"
        self.label(page, topics)
        page.keyboard.press("1")
        page.keyboard.press("w")
        yield "topics"
        page.keyboard.press("?")
        yield "keys of topics"
        self.open(page, f"p/{topics}")
        page.wait_for_selector(".spark")
        page.get_by_role("region", name="Disagreements").wait_for()
        page.get_by_text("Newest decisions").click()
        page.get_by_role("region", name="Newest decisions").wait_for()
        yield "dashboard of topics"
        self.open(page, f"p/{project}")
        page.wait_for_selector("figure")
        page.locator("figure summary").first.click()
        page.get_by_label("Invite an annotator").fill(f"guest {len(self.server.call('GET', 'tokens')['tokens'])}")
        page.get_by_role("button", name="Make a link").click()
        page.get_by_text("Copy it now").wait_for()
        yield "dashboard"
        self.open(page, "new")
        page.get_by_label("Paste rows").fill("text,label\nfree,spam\nhello,ham\nlunch,ham\n")
        page.get_by_role("button", name="Read the rows").click()
        page.wait_for_selector("form")
        page.get_by_text("More settings").click()
        yield "new"
        self.open(page, "p/missing")
        page.get_by_text("This did not work").wait_for()
        yield "an error"
        page.get_by_role("button", name="Log out").click()
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Log in").click()
        page.wait_for_selector(".bad")
        yield "login"

    def projects(self):
        project = self.server.project([{**one, "fields": {"from": "anna"}} for one in messages(30)], budget="20", horizon=30,
                                      audit="10%", sampler="auto")
        classes = self.server.project(messages(1), name="classes", kind="classes", labels=["art", "science", "sport"])
        topics = self.server.project(messages(60), name="topics", kind="topics", labels=["a prize", "a meeting", "dinner"],
                                     audit="50%", overlap="50%:2")
        for person in ("anna", "bob"):
            self.answer_topics(topics, self.server.annotator(f"{person} {topics}", [topics]), ["a prize"] if person == "anna" else [])
        self.server.call("POST", f"projects/{topics}/instances", [{"id": "new", "text": "dinner at eight?"}])
        return project, classes, topics

    def answer_topics(self, project, token, labels):
        for _ in range(3):
            questions = self.server.call("GET", f"projects/{project}/questions/next?n=30", token=token)["questions"]
            self.server.call("POST", f"projects/{project}/answers", {"answers": [
                {"key": f"{token} {one['id']}", "id": one["id"], "labels": labels} for one in questions]}, token=token)

    def test_axe_finds_no_violation_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            projects = self.projects()
            page = self.page(color_scheme=scheme)
            for name in self.every_page(page, *projects):
                with self.subTest(page=name, scheme=scheme):
                    page.evaluate(AXE)
                    found = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})")
                    self.assertEqual([(one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
                                      for one in found["violations"]], [])

    def test_no_page_scrolls_sideways_at_320_pixels(self):
        projects = self.projects()
        page = self.page(viewport={"width": 320, "height": 700}, locale="de-DE")
        page.evaluate("localStorage.setItem('askfew-language', 'en')")
        page.reload()
        for name in self.every_page(page, *projects):
            with self.subTest(page=name):
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 320)

    def test_no_name_of_a_topic_runs_as_a_script(self):
        topics = [text.replace(",", ";") for text in [*XSS, "__proto__", "constructor"]]
        project = self.server.project([{"id": text, "text": text} for text in XSS], name="topics", kind="topics", labels=topics,
                                      audit="50%", overlap="100%:2")
        page = self.page(self.server.annotator("anna", [project]))
        self.label(page, project)
        for text in XSS:
            self.assertEqual(self.shown(page), text)
            self.assertEqual(page.locator(".chip span").all_inner_texts(), topics)
            for key in ("w", "1", "2", "3"):
                page.keyboard.press(key)
            page.get_by_role("button", name="__proto__").click()
            page.keyboard.press("?")
            page.keyboard.press("Escape")
            page.keyboard.press("Enter")
        self.wait_until_sent(page)
        page.get_by_text("Last answers").click()
        self.answer_topics(project, self.server.annotator("bob", [project]), [])
        self.server.stop()  # learns what is held
        self.server.start()
        admin = self.page()
        self.open(admin, f"p/{project}")
        admin.wait_for_selector("figure")
        disputes = admin.get_by_role("region", name="Disagreements")
        disputes.wait_for()
        self.assertEqual({row.locator("td").nth(2).inner_text() for row in disputes.locator("tbody tr").all()}, {*topics[:3], "__proto__"})
        admin.get_by_label("Estimates of the topic").select_option("__proto__")
        disputes.locator("tr", has_text="__proto__").first.get_by_role("button", name="Yes").click()
        admin.wait_for_timeout(500)
        self.assertIn("__proto__", {row["topic"] for row in self.server.labels(project) if row["by"] == "admin"})
        for one in (page, admin):
            self.assertIsNone(one.evaluate("window.hacked ?? null"))
            self.assertEqual(one.evaluate("document.querySelectorAll('script:not([src]), iframe, style, base').length"), 0)

    def test_the_page_speaks_german_to_a_german_browser_and_can_be_switched(self):
        page = self.page("", locale="de-DE")
        self.assertEqual(page.locator("h1").inner_text(), "Anmelden")
        self.assertEqual(page.locator("html").get_attribute("lang"), "de")
        page.get_by_label("Sprache").select_option("en")
        page.get_by_role("heading", name="Log in").wait_for()
        self.assertEqual(page.locator("html").get_attribute("lang"), "en")

    def test_no_text_of_a_project_an_instance_or_a_person_runs_as_a_script(self):
        labels = [text.replace(",", ";") for text in XSS[:3]]
        instances = [{"id": f"{number} {text}", "text": text, "title": text, "url": text, "image": text, "fields": {text: text}}
                     for number, text in enumerate(XSS)]
        project = self.server.project(instances, name=XSS[0], question=XSS[1], kind="classes", labels=labels)
        token = self.server.annotator(XSS[2], [project])
        page = self.page(token)
        self.label(page, project)
        for text in XSS:
            self.shown(page)
            self.assertTrue(page.locator(".card").inner_text().count(text) >= 2, text)
            for link in page.locator(".card a").all():
                self.assertRegex(link.get_attribute("href"), "^https?:")
            page.keyboard.press("w")
            page.keyboard.press("f")
            page.keyboard.type(text)
            page.keyboard.press("Enter")
            page.keyboard.press("1")
        self.wait_until_sent(page)
        page.get_by_text("Last answers").click()
        page.wait_for_timeout(200)
        self.open(page, "")
        page.wait_for_selector(".projects a")
        admin = self.page()
        self.open(admin, f"p/{project}")
        admin.wait_for_selector("figure")
        admin.get_by_label("Invite an annotator").fill(XSS[1])
        admin.get_by_role("button", name="Make a link").click()
        admin.get_by_text("Copy it now").wait_for()
        self.open(admin, "new")
        admin.get_by_label("Paste rows").fill("\n".join('"' + text.replace('"', '""') + '","' + text.replace('"', '""') + '"'
                                                      for text in XSS))
        admin.get_by_role("button", name="Read the rows").click()
        admin.wait_for_selector("form")
        admin.goto(f"{self.server.address}/#/p/{'%3Cimg%20src%3Dx%20onerror%3Dalert(9)%3E'}")
        admin.get_by_text("This did not work").wait_for()
        for one in (page, admin):
            one.wait_for_timeout(200)
            self.assertIsNone(one.evaluate("window.hacked ?? null"))
            self.assertEqual(one.evaluate("document.querySelectorAll('script:not([src]), iframe, style, base').length"), 0)
        self.assertIn(XSS[0], self.server.labels(project)[0]["comment"])
