"""Answers survive a lost network, a closed page and a server that starts again."""

import time

from harness import PageTest, messages

QUESTIONS = 300
INTERVAL = 0.05
CUT = 5  # seconds without network, from the middle on


class Network(PageTest):
    def test_300_answers_at_20_a_second_with_5_seconds_without_network_arrive_once_and_in_order(self):
        project = self.server.project(messages(QUESTIONS))
        page = self.page()
        self.label(page, project)
        given = []
        due = time.monotonic()
        back = None  # when the network comes back
        for turn in range(QUESTIONS):
            if turn == QUESTIONS // 2:
                page.context.set_offline(True)
                back = time.monotonic() + CUT
            if back and time.monotonic() > back:
                page.locator(".state", has_text="No network").wait_for()
                page.context.set_offline(False)
                back = None
            due = max(due + INTERVAL, time.monotonic() - INTERVAL)
            time.sleep(max(0, due - time.monotonic()))
            key = "ax"[turn % 3 == 0]
            given.append((self.shown(page), {"a": "spam", "x": "ham"}[key]))
            page.keyboard.press(key)
        self.assertIsNone(back)
        self.wait_until_sent(page)
        self.assertEqual(len({shown for shown, _ in given}), QUESTIONS)
        self.assertEqual([(row["id"], row["label"]) for row in self.restarted_labels(project)], given)

    def test_answers_given_without_network_are_sent_at_the_next_visit(self):
        project = self.server.project(messages(5))
        context = self.context()
        page = self.page(context=context)
        self.label(page, project)
        context.set_offline(True)
        page.keyboard.press("a")
        page.keyboard.press("x")
        page.close()
        context.set_offline(False)
        page = self.page(context=context)
        self.label(page, project)
        self.assertEqual(self.shown(page), "m3")
        self.wait_until_sent(page)
        self.assertEqual([(row["id"], row["label"]) for row in self.restarted_labels(project)], [("m1", "spam"), ("m2", "ham")])

    def test_an_answer_can_be_undone_without_network(self):
        project = self.server.project(messages(5))
        page = self.page()
        self.label(page, project)
        page.keyboard.press("a")
        self.wait_until_sent(page)
        page.context.set_offline(True)
        for key in ("Backspace", "x", "a", "Backspace", "x"):
            page.keyboard.press(key)
        page.context.set_offline(False)
        self.wait_until_sent(page)
        self.assertEqual([(row["id"], row["label"]) for row in self.restarted_labels(project)], [("m1", "ham"), ("m2", "ham")])

    def test_one_persons_answers_are_never_sent_as_anothers(self):
        project = self.server.project(messages(20))
        context = self.context()
        page = self.page(self.server.annotator("anna", [project]), context=context)
        self.label(page, project)
        # Every request fails, also one that the browser sends while the page is closed.
        context.route("**/answers*", lambda route: route.abort())
        page.keyboard.press("a")
        page.close()
        context.unroute("**/answers*")
        page = self.page(self.server.annotator("bob", [project]), context=context)
        self.label(page, project)
        page.keyboard.press("x")
        self.wait_until_sent(page, "bob")
        kept = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('askfew/anna')).length")
        self.assertEqual(kept, 1)
        self.assertEqual([(row["label"], row["by"]) for row in self.restarted_labels(project)], [("ham", "bob")])

    def test_a_login_in_another_tab_neither_loses_answers_nor_gives_them_to_another_person(self):
        project = self.server.project(messages(40))
        anna, bob = (self.server.annotator(name, [project]) for name in ("anna", "bob"))
        context = self.context()
        page = self.page(anna, context=context)
        self.label(page, project)
        page.keyboard.press("a")
        self.page(anna, context=context).close()  # the same person again: a new cookie, a new CSRF token
        page.keyboard.press("x")
        self.wait_until_sent(page)
        self.page(bob, context=context).close()
        page.keyboard.press("a")
        page.get_by_role("heading", name="Log in").wait_for()
        page.get_by_label("Token").fill(anna)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_selector(".card[data-id]")
        self.wait_until_sent(page)
        self.assertEqual([(row["label"], row["by"]) for row in self.restarted_labels(project)],
                         [("spam", "anna"), ("ham", "anna"), ("spam", "anna")])
