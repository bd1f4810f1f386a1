"""`kill -9` of the server under load: no acknowledged instance, answer or setting is lost, and the replay agrees.

  ASKFEW_KILLS=1000 python3 tests/server/test_kills.py Kills                    # the long form: 1,000 kills, 50 annotators
  ASKFEW_KILLS=0 ASKFEW_SECONDS=60 python3 tests/server/test_kills.py Kills     # 50 annotators for a minute, and no kill
"""

import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import unittest

from service import ASKFEW, ROOT, Client, ServerTest, instances

sys.path.insert(0, os.path.join(ROOT, "tests", "faults"))
from parsed_ledger import Decision, ParsedLedger, Receipt, Settings  # noqa: E402

KILLS = int(os.environ.get("ASKFEW_KILLS", "36"))
SECONDS = float(os.environ.get("ASKFEW_SECONDS", "0.3"))  # after the last kill
PEOPLE = 50 if KILLS >= 100 or SECONDS >= 10 else 5


class Crowd(ServerTest):
    def test_fifty_people_at_once_get_distinct_questions_and_the_report_is_that_of_a_replay(self):
        project = self.admin.project(sampler="perc", audit="5%")
        people = [self.person(f"p{k}") for k in range(50)]
        self.admin.post(project + "/instances", instances(1500))
        got = [[] for _ in people]

        def label(k):
            for _ in range(5):
                questions = people[k].next(project, 5)["questions"]
                got[k] += [question["id"] for question in questions]
                answers = [{"key": f"{k} {question['id']}", "id": question["id"], "label": "spam"} for question in questions]
                people[k].post(project + "/answers", {"answers": answers})

        threads = [threading.Thread(target=label, args=(k,)) for k in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ids = [id_ for one in got for id_ in one]
        self.assertEqual(len(ids), 50 * 25)
        self.assertEqual(len(set(ids)), len(ids))
        self.stop()
        self.start()
        report = self.admin.get(project + "/report").json()
        self.assertEqual((report["answered"], report["held"], report["pending"]), (1250, 0, 250))
        replayed = os.path.join(self.folder, "replayed.json")
        subprocess.run([ASKFEW, "replay", self.ledger(project), "--json", replayed], check=True, capture_output=True)
        with open(replayed, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["report"]["estimate"], report["estimate"])


class Kills(ServerTest):
    def test_nothing_acknowledged_is_lost_over_many_kills(self):
        project = self.admin.project(sampler="perc", audit="1%")
        tokens = [self.admin.post("/api/v1/tokens", {"name": f"p{k}", "role": "annotator"}).json()["token"]
                  for k in range(PEOPLE)]
        sent, answered, given, doubles, changed, refused = {}, {}, {}, [], [], []
        guard = threading.Lock()
        stop = threading.Event()

        def taken(reply):
            """What the server said. A server that waits for its ledgers says 503; nothing else is refused here."""
            if reply.status not in (200, 503):
                refused.append((reply.status, reply.text))
            if reply.status != 200:
                raise ValueError("not taken")
            return reply.json()

        def push():
            client, number = Client(self.port, self.token), 0
            while not stop.is_set():
                group = instances(5, number)
                try:
                    for answer in taken(client.post(project + "/instances", group))["answers"]:
                        sent[answer["id"]] = answer["ask"]
                    number += 5
                except (OSError, http.client.HTTPException, ValueError):
                    time.sleep(0.02)
                    client.connection.close()
                    client = Client(self.port, self.token)
            client.connection.close()

        def label(k):
            client, chance = Client(self.port, tokens[k]), random.Random(k)
            while not stop.is_set():
                try:
                    for question in taken(client.get(f"{project}/questions/next?n=3&wait=0"))["questions"]:
                        with guard:
                            if given.setdefault(question["id"], k) != k:
                                doubles.append(question["id"])
                        said = "spam" if chance.random() < 0.5 else "ham"
                        answer = {"key": f"{k} {question['id']} {said}", "id": question["id"], "label": said}
                        result = taken(client.post(project + "/answers", {"answers": [answer]}))["results"][0]
                        if result["state"] == "held":
                            answered[question["id"]] = (said, f"p{k}")
                except (OSError, http.client.HTTPException, ValueError):
                    time.sleep(0.02)
                    client.connection.close()
                    client = Client(self.port, tokens[k])
            client.connection.close()

        def change():
            client, number = Client(self.port, self.token), 100_000
            while not stop.is_set():
                number += 1
                try:
                    taken(client.send("PATCH", project, {"expire": str(number)}))
                    changed.append(str(number))
                except (OSError, http.client.HTTPException, ValueError):
                    time.sleep(0.02)
                    client.connection.close()
                    client = Client(self.port, self.token)
                time.sleep(0.01)
            client.connection.close()

        threads = [threading.Thread(target=push), threading.Thread(target=change)] + [threading.Thread(target=label, args=(k,)) for k in range(PEOPLE)]
        for thread in threads:
            thread.start()
        moments = random.Random(7)
        for kill in range(KILLS):
            before, end = (len(sent), len(answered)), time.monotonic() + 60
            while len(sent) == before[0] or len(answered) == before[1]:  # a server that has done something dies
                if time.monotonic() > end:
                    stop.set()
                    self.fail(f"nothing was acknowledged for 60 s after {kill} kills: {len(sent) - before[0]} instances, "
                              f"{len(answered) - before[1]} answers, {sum(t.is_alive() for t in threads)} of {len(threads)} clients, {refused[-3:]}")
                time.sleep(0.005)
            time.sleep(moments.uniform(0, 0.25))
            self.kill()
            self.start()
            if KILLS >= 100 and kill % 50 == 49:
                print(f"{kill + 1} kills: {len(sent)} instances, {len(answered)} answers, {len(changed)} settings acknowledged",
                      flush=True)
        time.sleep(SECONDS)
        stop.set()
        for thread in threads:
            thread.join()
        if PEOPLE == 50:
            print(f"{len(sent)} instances, {len(answered)} answers, {len(changed)} settings acknowledged", flush=True)
        self.assertEqual(self.stop(), 0)
        trace = self.replay(project)
        seen = {row["id"] for row in trace if row["asked"]}
        self.assertEqual(doubles, [], "two people got the same question")
        self.assertEqual(refused, [])
        self.assertGreater(len(sent), 100)
        self.assertGreater(len(answered), 50)
        self.assertEqual(set(sent) - seen, set())
        learned = {row["id"]: row["label"] for row in trace if row["outcome"] == "learned"}
        for id_, (said, _) in answered.items():
            self.assertEqual(learned.get(id_), "1" if said == "spam" else "-1", id_)
        with open(self.ledger(project), "rb") as file:
            parsed = ParsedLedger(file.read())
        settings = [outcome.settings["expire"] for outcome in parsed.outcomes if isinstance(outcome, Settings)]
        self.assertGreater(len(changed), 10)
        self.assertEqual(sorted(settings, key=int), settings)
        self.assertEqual(set(changed) - set(settings), set())
        self.assert_records(parsed, sent, answered)
        # An independent look at the bytes: every acknowledged answer is there under the right name.
        with open(self.ledger(project), "rb") as file:
            lines = set(re.findall(r'\{"by":"p[^{}]*\}', file.read().decode("utf-8", "replace")))
        for id_, (said, name) in answered.items():
            self.assertIn(json.dumps({"by": name, "id": id_, "key": f"{name[1:]} {id_} {said}", "label": said},
                                     separators=(",", ":")), lines)

    def assert_records(self, parsed, sent, answered):
        """What was acknowledged, in the records of the ledger as they are read without the library."""
        self.assertEqual((parsed.starts, len(parsed.rest), parsed.outcomes.count(None)), (1, 0, 0))
        decided, learned = {}, {}
        for line, outcome in zip(parsed.lines, parsed.outcomes):
            said = json.loads(line.text)
            if isinstance(outcome, Decision):
                decided[said["id"]] = outcome.asked
            elif isinstance(outcome, Receipt) and outcome.outcome == "learned":
                learned[said["id"]] = (said["label"], said["by"])
        self.assertEqual(sent, {id_: decided.get(id_) for id_ in sent})
        self.assertEqual(answered, {id_: learned.get(id_) for id_ in answered})


if __name__ == "__main__":
    unittest.main()
