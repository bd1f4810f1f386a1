"""Questions and answers of `askfew serve`: leases, idempotency, undo, long polls, restarts."""

import threading
import unittest

from service import ServerTest, instances


class Questions(ServerTest):
    options = ("--rate", "0", "--lease", "2")

    def test_two_people_never_get_the_same_question_until_a_lease_ends(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(4))
        ann, bob = self.person("ann"), self.person("bob")
        hers = [one["id"] for one in ann.next(project, 3)["questions"]]
        his = [one["id"] for one in bob.next(project, 3)["questions"]]
        self.assertEqual((hers, his), (["m0", "m1", "m2"], ["m3"]))
        self.assertEqual([one["id"] for one in ann.next(project, 3)["questions"]], hers)
        self.assertEqual(bob.answer(project, "m0", "spam")["state"], "error")
        bob.answer(project, "m3", "spam")
        nothing = bob.next(project, 3)
        self.assertEqual((nothing["questions"], nothing["nothing"]["reason"]), ([], "leased-to-others"))
        taken = bob.next(project, 3, wait=20)["questions"]  # until her lease has ended
        self.assertEqual([one["id"] for one in taken], hers)

    def test_an_answer_counts_once_whatever_is_repeated(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(2))
        self.admin.next(project, 2)
        first = self.admin.answer(project, "m0", "spam", key="k")
        self.assertEqual(first, {"key": "k", "id": "m0", "state": "held"})
        self.assertEqual(self.admin.answer(project, "m0", "spam", key="k"), first)
        self.assertEqual(self.admin.answer(project, "m0", "ham", key="other")["state"], "error")
        self.assertIn("another question", self.admin.answer(project, "m1", "spam", key="k")["detail"])
        self.assertEqual(self.admin.answer(project, "m1", "spma", key="x")["state"], "error")
        self.assertEqual(self.admin.answer(project, "never", "spam", key="y")["state"], "error")
        self.stop()
        self.start()
        self.assertEqual(self.admin.answer(project, "m0", "spam", key="k")["state"], "held")
        self.assertEqual([row["outcome"] for row in self.replay(project) if row["outcome"]], ["learned"])

    def test_the_last_answers_are_held_and_can_be_taken_back(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(122))
        for question in self.admin.next(project, 122)["questions"]:
            self.admin.answer(project, question["id"], "spam")
        held = self.admin.get(project + "/answers?mine=1").json()["answers"]
        self.assertEqual([one["id"] for one in held], ["m121", "m120"])  # of 120 that were learned before them
        progress = self.admin.next(project, 1)["progress"]
        self.assertEqual((progress["answered"], progress["held"]), (122, 2))
        back = self.admin.send("DELETE", project + "/answers/key%20of%20m120")
        self.assertEqual(back.json()["question"]["id"], "m120")
        self.assertEqual(self.admin.send("DELETE", project + "/answers/key%20of%20m119").status, 404)
        self.assertEqual(self.person("bob").next(project, 5)["questions"], [])  # m120 is leased again
        self.assertEqual(self.admin.answer(project, "m120", "ham", key="second")["state"], "held")
        self.stop()
        labels = {row["id"]: row["label"] for row in self.replay(project) if row["outcome"] == "learned"}
        self.assertEqual(labels["m120"], "-1")
        self.assertEqual(sorted(labels), sorted(f"m{k}" for k in range(122)))

    def test_a_question_that_waits_comes_by_long_poll(self):
        project = self.admin.project()
        ann = self.person("ann")
        self.assertEqual(ann.next(project)["nothing"]["reason"], "waiting-for-stream")
        later = threading.Timer(0.3, lambda: self.admin.post(project + "/instances", instances(1)))
        later.start()
        self.assertEqual([one["id"] for one in ann.next(project, wait=30)["questions"]], ["m0"])
        later.join()

    def test_many_projects_that_are_used_at_once_are_all_served(self):
        projects = [self.admin.project() for _ in range(8)]
        done = []

        def use(project):
            engineer = self.client(self.admin.token)
            for k in range(25):
                done.append(engineer.post(project + "/instances", instances(2, first=2 * k)).status)

        users = [threading.Thread(target=use, args=(project,), daemon=True) for project in projects]
        for user in users:
            user.start()
        for user in users:
            user.join(60)
        self.assertEqual(done, [200] * (8 * 25))

    def test_waiting_questions_have_their_text_and_leases_after_a_restart(self):
        project = self.admin.project(audit="10%")
        shown = {"title": "T", "url": "https://example.org/", "fields": {"from": "<b>x</b>"}}
        self.admin.post(project + "/instances", [{**one, **shown} for one in instances(3)])
        ann = self.person("ann")
        before = ann.next(project, 2)["questions"]
        history = self.admin.get(project + "/history").json()["points"][:-1]
        self.kill()
        self.start()
        ann, bob = self.client(ann.token), self.person("bob")
        other = bob.next(project, 3)["questions"]
        self.assertEqual([one["id"] for one in other], ["m2"])
        self.assertEqual(other[0]["fields"], {"from": "<b>x</b>"})
        pending = self.admin.get(project + "/pending?order=doubtful&limit=2").json()["pending"]
        self.assertEqual(len(pending), 2)
        again = ann.next(project, 2)["questions"]
        for one, two in zip(before, again):
            for question in (one, two):
                del question["lease_until"]
            self.assertEqual(one, two)
        self.assertEqual(self.admin.get(project + "/history").json()["points"][:-1], history)

    def test_a_pool_is_decided_when_people_want_questions_also_after_a_kill(self):
        project = self.admin.project(sampler="perc")
        answers = self.admin.post(project + "/pool", [*instances(12), {"id": "bad"}]).json()["answers"]
        self.assertEqual([one.get("kept", False) for one in answers], [True] * 12 + [False])
        self.assertEqual(self.admin.next(project, 2)["questions"][1]["id"], "m1")
        for found in (self.admin.get(project).json(), self.after_a_kill(project)):
            self.assertEqual((found["rounds"], found["asked"], found["kept"]), (2, 2, 10))
        for id in [one["id"] for one in self.admin.next(project, 12)["questions"]]:
            self.admin.answer(project, id, "spam")
        self.assertEqual(self.after_a_kill(project)["kept"], 0)
        self.stop()
        labels = [row["id"] for row in self.replay(project) if row["outcome"] == "learned"]
        self.assertEqual(sorted(labels), sorted(f"m{k}" for k in range(12)))

    def test_an_id_of_a_pool_has_one_content_also_after_a_kill(self):
        project = self.admin.project(sampler="perc")
        one, other = {"id": "m", "text": "buy now"}, {"id": "m", "text": "see you"}
        for _ in range(2):
            first, repeated, refused = self.admin.post(project + "/pool", [one, one, other]).json()["answers"]
            self.assertEqual((first, repeated), ({"id": "m", "kept": True},) * 2)
            self.assertEqual(refused["error"], "another instance with this id waits in the pool")
            self.assertEqual(self.after_a_kill(project)["kept"], 1)
        self.assertEqual(self.admin.next(project, 1)["questions"][0]["text"], "buy now")
        self.assertEqual(self.admin.post(project + "/pool", [other]).json()["answers"], [{"id": "m", "kept": True}])

    def after_a_kill(self, project):
        self.kill()
        self.start()
        return self.admin.get(project).json()

    def test_held_answers_survive_a_kill(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(3))
        self.admin.next(project, 3)
        self.admin.answer(project, "m1", None, unsure=True)
        self.kill()
        self.start()
        held = self.admin.get(project + "/answers").json()["answers"]
        self.assertEqual([(one["id"], one["unsure"]) for one in held], [("m1", True)])


if __name__ == "__main__":
    unittest.main()
