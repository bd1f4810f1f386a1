"""Labelling by keys, buttons and swipes."""

import time

from harness import PageTest, messages


class Labelling(PageTest):
    def answers(self, project):
        return [(row["id"], row["label"]) for row in self.restarted_labels(project)]

    def test_each_key_gives_its_answer(self):
        project = self.server.project(messages(9))
        page = self.page()
        self.label(page, project)
        for key in ("a", "x", "1", "2", "s", "h", "Space", "u", "X"):
            self.shown(page)
            page.keyboard.press(key)
        self.wait_until_sent(page)
        rows = self.restarted_labels(project)
        self.assertEqual([(row["id"], row["label"], row["unsure"]) for row in rows],
                         [("m1", "spam", False), ("m2", "ham", False), ("m3", "spam", False), ("m4", "ham", False),
                          ("m5", "spam", False), ("m6", "ham", False), ("m7", None, False), ("m8", None, True),
                          ("m9", "ham", False)])
        self.assertEqual({row["by"] for row in rows}, {self.server.call("GET", "me")["name"]})

    def test_a_key_that_is_held_down_answers_once(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.down("a")
        page.keyboard.down("a")  # the browser repeats the key
        page.keyboard.up("a")
        self.assertEqual(self.shown(page), "m2")

    def test_keys_with_control_or_in_a_field_answer_nothing(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("Control+x")
        page.keyboard.press("f")
        page.keyboard.type("ax 12 u")
        self.assertEqual(self.shown(page), "m1")

    def test_single_keys_can_be_switched_off_and_buttons_still_answer(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("?")
        page.get_by_label("Single keys answer questions").uncheck()
        page.get_by_role("button", name="Close").click()
        page.keyboard.press("a")
        self.assertEqual(self.shown(page), "m1")
        page.get_by_role("button", name="No: ham").focus()
        page.keyboard.press("Enter")
        self.assertEqual(self.shown(page), "m2")
        page.keyboard.press("Space")  # the button has the focus still
        self.assertEqual(self.shown(page), "m3")
        self.wait_until_sent(page)
        self.assertEqual(self.answers(project), [("m1", "ham"), ("m2", "ham")])

    def test_undo_takes_the_last_answer_back_and_none_that_is_learned(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("a")
        self.wait_until_sent(page)
        page.keyboard.press("a")
        self.wait_until_sent(page)
        page.keyboard.press("Backspace")
        self.assertEqual(self.shown(page), "m2")
        page.keyboard.press("Backspace")  # the answer to m1 is learned
        self.assertEqual(self.shown(page), "m2")
        self.wait_until_sent(page)
        page.keyboard.press("x")
        self.assertEqual(self.shown(page), "m3")
        page.keyboard.press("u")
        self.wait_until_sent(page)
        self.assertEqual(self.answers(project), [("m1", "spam"), ("m2", "ham"), ("m3", None)])

    def test_an_answer_of_an_earlier_visit_can_be_changed(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("a")
        page.keyboard.press("a")
        self.wait_until_sent(page)
        page.reload()
        self.assertEqual(self.shown(page), "m3")
        page.get_by_text("Last answers").click()
        self.assertEqual(page.locator(".held button").count(), 1)
        page.locator(".held button").click()
        page.wait_for_selector(".card[data-id=m2]")
        page.keyboard.press("x")
        self.assertEqual(self.shown(page), "m3")
        self.wait_until_sent(page)
        self.assertEqual(dict(self.answers(project)), {"m1": "spam", "m2": "ham"})

    def test_a_flag_and_its_comment_come_with_the_answer(self):
        project = self.server.project(messages(3))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("f")
        page.keyboard.type("both, in a way")
        page.keyboard.press("Enter")
        page.keyboard.press("a")
        page.keyboard.press("a")
        self.wait_until_sent(page)
        rows = self.restarted_labels(project)
        self.assertEqual([(row["flag"], row["comment"]) for row in rows], [(True, "both, in a way"), (False, "")])

    def test_why_is_hidden_until_asked_for(self):
        project = self.server.project(messages(12))
        page = self.page()
        self.label(page, project)
        for _ in range(10):
            page.keyboard.press("ax"[int(self.shown(page)[1:]) % 2 == 1])
        self.wait_until_sent(page)
        self.server.call("POST", f"projects/{project}/instances", [{"id": "new", "text": "free prizes, claim now"}])
        for _ in range(2):
            self.shown(page)
            page.keyboard.press("Space")
        page.wait_for_selector(".card[data-id=new]")
        self.assertFalse(page.locator(".why").is_visible())
        self.assertEqual(page.locator("mark").count(), 0)
        page.keyboard.press("w")
        self.assertIn("margin", page.locator(".why").inner_text())
        page.keyboard.press("w")
        self.assertFalse(page.locator(".why").is_visible())

    def test_several_classes_have_digits_and_letters_of_their_own(self):
        project = self.server.project(messages(5), kind="classes", labels=["sport", "science", "art", "uranium"])
        page = self.page()
        self.label(page, project)
        for key in ("1", "c", "a", "4", "r"):
            self.shown(page)
            page.keyboard.press(key)
        self.wait_until_sent(page)
        self.assertEqual([label for _, label in self.answers(project)], ["sport", "science", "art", "uranium", "uranium"])

    def test_the_page_says_why_there_is_no_question_and_goes_on_when_one_comes(self):
        project = self.server.project(messages(1))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("a")
        page.get_by_text("waiting for new instances").first.wait_for()
        page.keyboard.press("x")  # answers nothing: no question is on the page
        self.server.call("POST", f"projects/{project}/instances", [{"id": "late", "text": "hello"}])
        page.wait_for_selector(".card[data-id=late]")
        page.keyboard.press("x")
        self.wait_until_sent(page)
        self.assertEqual(self.answers(project), [("m1", "spam"), ("late", "ham")])

    def test_two_annotators_share_the_questions(self):
        project = self.server.project(messages(60))
        pages = [self.page(self.server.annotator(name, [project])) for name in ("anna", "bob")]
        for page in pages:
            self.label(page, project)
        given = {}
        end = time.monotonic() + 20
        while len(given) < 60 and time.monotonic() < end:
            for name, page in zip(("anna", "bob"), pages):
                shown = page.locator(".card").get_attribute("data-id")
                if shown is None:
                    continue  # the other person has the questions that are left
                self.assertNotIn(shown, given)
                given[shown] = name
                page.keyboard.press("a")
        for page in pages:
            self.wait_until_sent(page)
        self.assertEqual((len(given), set(given.values())), (60, {"anna", "bob"}))
        self.assertEqual({row["id"]: row["by"] for row in self.restarted_labels(project)}, given)

    def test_texts_of_any_script_rows_and_images_are_shown_as_they_are(self):
        pixel = ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        project = self.server.project([
            {"id": "rtl", "text": "مرحبا 😀 <b>bold</b>"},
            {"id": "row", "text": "see fields", "fields": {"amount": 12.5, "from": "alice & bob"}},
            {"id": "image", "text": "a digit", "image": pixel, "title": "Digit", "url": "https://example.org/7"},
            {"id": "long", "text": "one two three. " * 1000},
        ])
        page = self.page()
        self.label(page, project)
        self.assertEqual(page.locator(".text").inner_text(), "مرحبا 😀 <b>bold</b>")
        self.assertEqual(page.locator(".text").evaluate("e => getComputedStyle(e).direction"), "rtl")
        page.keyboard.press("Space")
        self.assertEqual(page.locator(".row tbody").inner_text().split(), ["amount", "12.5", "from", "alice", "&", "bob"])
        page.keyboard.press("Space")
        page.wait_for_selector("img.tiny")
        self.assertEqual(page.locator(".card a").get_attribute("href"), "https://example.org/7")
        page.keyboard.press("Space")
        self.assertLess(len(page.locator(".card").inner_text()), 2000)
        page.get_by_role("button", name="Show all").click()
        self.assertGreater(len(page.locator(".card").inner_text()), 14_000)

    def test_on_a_phone_buttons_and_swipes_answer(self):
        project = self.server.project(messages(5))
        page = self.page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        self.label(page, project)
        page.get_by_role("button", name="Yes: spam").tap()
        touch = page.context.new_cdp_session(page)
        box = page.locator(".card").bounding_box()
        for way in (1, -1):
            middle, y = box["x"] + box["width"] / 2, box["y"] + 40
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": middle - 70 * way, "y": y}]})
            for step in range(1, 8):
                touch.send("Input.dispatchTouchEvent",
                           {"type": "touchMove", "touchPoints": [{"x": middle + (20 * step - 70) * way, "y": y}]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.assertEqual(self.shown(page), "m4")
        self.wait_until_sent(page)
        self.assertEqual(self.answers(project), [("m1", "spam"), ("m2", "spam"), ("m3", "ham")])
