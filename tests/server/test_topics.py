"""`askfew serve` with projects of topics: one lease per document, an answer for each of its topics."""

import csv
import io
import json
import subprocess
import unittest

from service import ASKFEW, ServerTest

TOPICS = ["wheat", "corn", "oil"]


def documents(count, first=0):
    words = ("wheat harvest", "corn prices", "oil and corn", "wheat, oil", "gold")
    return [{"id": f"d{k}", "text": f"{words[k % 5]} {k % 7}"} for k in range(first, first + count)]


class Topics(ServerTest):
    def make(self, **settings):
        return self.admin.project("News", kind="topics", labels=TOPICS, sampler="perc", question="Which topics?", **settings)

    def answer(self, person, project, id_, labels, **more):
        one = {"key": f"key of {id_}", "id": id_, "labels": labels, **more}
        return person.post(f"{project}/answers", {"answers": [one]}).json()["results"][0]

    def test_a_document_is_one_question_with_its_topics(self):
        project = self.make()
        answers = self.admin.post(project + "/instances", documents(3)).json()["answers"]
        self.assertEqual([a["ask"] for a in answers], [TOPICS] * 3)
        ann, bob = self.person("ann"), self.person("bob")
        question = ann.next(project)["questions"][0]
        self.assertEqual(question["id"], "d0")
        self.assertEqual([t["topic"] for t in question["topics"]], TOPICS)
        self.assertEqual([t["prediction"] for t in question["topics"]], [False] * 3)
        self.assertEqual(bob.next(project)["questions"][0]["id"], "d1")
        self.assertEqual(self.answer(ann, project, "d0", {"wheat": True, "corn": False})["state"], "held")
        held = ann.get(project + "/answers").json()["answers"][0]
        self.assertEqual(held["labels"], {"wheat": True, "corn": False, "oil": None})
        again = ann.send("DELETE", project + "/answers/key%20of%20d0").json()["question"]
        self.assertEqual([t["topic"] for t in again["topics"]], TOPICS)
        self.assertEqual(self.answer(ann, project, "d0", ["wheat"], key="second")["state"], "held")
        self.assertEqual(self.answer(bob, project, "d1", [])["state"], "held")
        self.assertEqual(self.admin.get(project + "/pending").json()["pending"][0]["id"], "d2")

    def test_an_answer_that_does_not_fit_the_question_says_so(self):
        project = self.make()
        self.admin.post(project + "/instances", documents(2))
        ann = self.person("ann")
        ann.next(project)
        wrong = self.answer(ann, project, "d0", {"wheet": True})
        self.assertEqual(wrong["state"], "error")
        self.assertIn("'wheat'", wrong["detail"])
        self.assertIn("topics", ann.answer(project, "d0", "wheat")["detail"])
        self.assertIn("not both", self.answer(ann, project, "d0", ["wheat"], unsure=True)["detail"])
        for labels in ("wheat", {"wheat": 1}, [1]):
            reply = ann.post(project + "/answers", {"answers": [{"key": "k", "id": "d0", "labels": labels}]})
            self.assertEqual(reply.status, 400, labels)
        self.assertEqual(self.answer(ann, project, "d0", None, unsure=True)["state"], "held")
        classes = self.admin.project("Classes", kind="classes", labels=["a", "b", "c"], sampler="perc")
        self.admin.post(classes + "/instances", documents(1))
        self.assertIn("one label", self.answer(self.admin, classes, "d0", ["a"])["detail"])

    def test_report_history_exports_and_predictions_have_topics(self):
        project = self.make(audit="20%")
        self.admin.post(project + "/instances", documents(6))
        for k in range(6):
            said = [t for t in TOPICS if t in documents(6)[k]["text"]]
            self.assertEqual(self.answer(self.admin, project, f"d{k}", said)["state"], "held")
        # The last answers are held; the program's own labels are learned at once.
        self.admin.post(project + "/instances", documents(1, 6) + [{"id": "d6", "labels": {"oil": True}}])
        report = self.admin.get(project + "/report").json()
        self.assertEqual(set(report["topics"]), set(TOPICS))
        self.assertEqual(report["topics"]["oil"]["asked"], 7)
        self.assertEqual(report["topics"]["oil"]["labels"]["learned"], 6)
        self.assertIn("error", report["topics"]["oil"]["estimate"]["whole"])
        point = self.admin.get(project + "/history").json()["points"][-1]
        self.assertEqual(set(point["topics"]), set(TOPICS))
        rows = list(csv.DictReader(io.StringIO(self.admin.get(project + "/labels?format=csv").text.decode())))
        self.assertEqual([(r["id"], r["topic"], r["label"], r["said"]) for r in rows if r["id"] > "d4"],
                         [("d6", "oil", "yes", "true")])  # d5 is held
        decisions = [json.loads(line) for line in self.admin.get(project + "/decisions?format=jsonl").text.splitlines()]
        self.assertEqual([d["topic"] for d in decisions], TOPICS * 7)
        predicted = self.admin.post(project + "/predictions", documents(1, 50)).json()
        self.assertEqual(set(predicted["answers"][0]["topics"]), set(TOPICS))

    def test_several_people_vote_on_each_topic_and_a_tie_is_settled(self):
        project = self.make(overlap="100%:2")
        self.admin.post(project + "/instances", documents(1))
        people = [self.person(name) for name in ("ann", "bob")]
        for person, said in zip(people, (["wheat"], ["wheat", "oil"])):
            person.next(project)
            self.assertEqual(self.answer(person, project, "d0", said, key=str(said))["state"], "held")
        self.stop()  # learns what is held
        self.start()
        question = self.admin.get(project + "/pending").json()["pending"][0]
        self.assertEqual([t["topic"] for t in question["topics"]], ["oil"])
        disputed = self.admin.get(project + "/disagreements").json()["disagreements"]
        self.assertEqual(list(disputed[0]["topics"]), ["oil"])
        settled = self.admin.post(project + "/settlements", {"id": "d0", "labels": {"oil": True}}).json()
        self.assertEqual(settled["outcomes"], {"oil": "learned"})
        self.assertEqual(self.admin.get(project + "/pending").json()["pending"], [])

    def test_topics_are_added_and_a_restart_knows_them(self):
        project = self.make(ask="together")
        self.admin.post(project + "/instances", documents(2))
        changed = self.admin.send("PATCH", project, {"labels": [*TOPICS, "gold"]})
        self.assertEqual(changed.status, 200, changed.text)
        self.admin.post(project + "/instances", documents(1, 10))
        self.kill()
        self.start()
        pending = self.admin.get(project + "/pending").json()["pending"]
        self.assertEqual([len(q["topics"]) for q in pending], [3, 3, 4])
        self.assertEqual(self.admin.get(project).json()["settings"]["ask"], "together")

    def test_the_client_answers_topics(self):
        project = self.make()
        self.admin.post(project + "/instances", documents(3))
        name = project.rsplit("/", 1)[1]

        def client(*arguments):
            command = [ASKFEW, "client", *arguments, "--url", f"http://127.0.0.1:{self.port}", "--token", self.token]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        self.assertIn('"topics"', client("next", name, "-n", "3").stdout)
        self.assertIn('"held"', client("answer", name, "d0", "--topics", "wheat,corn").stdout)
        self.assertIn('"held"', client("answer", name, "d1", "--none").stdout)
        self.assertIn("give a LABEL", client("answer", name, "d2", "--none", "--skip").stderr)
        held = self.admin.get(project + "/answers").json()["answers"]
        self.assertEqual([a["labels"] for a in held], [dict.fromkeys(TOPICS, False)])


if __name__ == "__main__":
    unittest.main()
