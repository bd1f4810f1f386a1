"""`askfew backup` of a running server has everything that was acknowledged, and the copy is served as it is."""

import os
import shutil
import subprocess
import threading
import unittest

from service import ASKFEW, ServerTest, instances


class Backups(ServerTest):
    def back_up(self, target):
        return subprocess.run([ASKFEW, "backup", os.path.join(self.folder, "projects"), target], capture_output=True, text=True)

    def model_of(self, ledger):
        model = os.path.join(self.folder, "model")
        done = subprocess.run([ASKFEW, "replay", ledger, "--model", model], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(model, "rb") as file:
            return file.read()

    def test_a_copy_under_load_has_what_was_acknowledged_before_and_is_served(self):
        project = self.admin.project(sampler="perc")
        other = self.admin.project(name="Other")
        ann = self.person("ann")
        self.admin.post(project + "/instances", instances(50))
        for k in range(15):
            self.assertEqual(ann.answer(project, f"m{k}", "spam")["state"], "held")
        stop = threading.Event()

        def push():
            client, first = self.client(self.token), 1000
            while not stop.is_set():
                client.post(project + "/instances", instances(20, first))
                first += 20

        load = threading.Thread(target=push)
        load.start()
        target = os.path.join(self.folder, "copy")
        done = self.back_up(target)
        stop.set()
        load.join()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 projects", done.stdout)
        with open(self.ledger(project), "rb") as whole, \
                open(os.path.join(target, "projects", "spam", "ledger"), "rb") as copied:
            copy = copied.read()
            self.assertEqual(whole.read(len(copy)), copy)  # the same bits
        self.kill()
        shutil.rmtree(os.path.join(self.folder, "projects"))
        shutil.copytree(target, os.path.join(self.folder, "projects"))
        self.start()  # the same tokens are known
        counts = self.admin.get(project).json()
        self.assertGreaterEqual(counts["rounds"], 50)
        self.assertEqual(counts["answered"], 15)
        self.assertEqual(self.admin.get(other).json()["rounds"], 0)
        held = self.client(ann.token).get(project + "/answers?mine=1").json()["answers"]
        self.assertEqual([one["id"] for one in held], ["m14"])
        self.assertEqual(self.stop(), 0)

    def test_a_copy_of_a_quiet_server_replays_to_the_same_model(self):
        project = self.admin.project(sampler="perc")
        self.admin.post(project + "/instances", instances(30))
        for k in range(30):
            self.admin.answer(project, f"m{k}", "spam" if k % 2 else "ham")
        target = os.path.join(self.folder, "copy")
        self.assertEqual(self.back_up(target).returncode, 0)
        self.assertEqual(self.model_of(os.path.join(target, "projects", "spam", "ledger")), self.model_of(self.ledger(project)))
        again = self.back_up(target)
        self.assertEqual(again.returncode, 2)
        self.assertIn("already", again.stderr)

    def test_a_damaged_ledger_is_no_backup(self):
        project = self.admin.project()
        self.admin.post(project + "/instances", instances(5))
        self.assertEqual(self.stop(), 0)
        with open(self.ledger(project), "r+b") as file:
            file.seek(200)
            file.write(b"?")
        done = self.back_up(os.path.join(self.folder, "copy"))
        self.assertEqual(done.returncode, 3)
        self.assertIn("damaged", done.stderr)
        nothing = subprocess.run([ASKFEW, "backup", os.path.join(self.folder, "none"), "x"], capture_output=True, text=True)
        self.assertEqual(nothing.returncode, 2)


if __name__ == "__main__":
    unittest.main()
