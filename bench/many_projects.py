"""The memory of a server with many small projects, and the time of their list after a restart.

  python3 bench/many_projects.py build/release/apps/cli/askfew [projects] [instances in each]
"""

import json
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "server"))
os.environ["ASKFEW"] = os.path.abspath(sys.argv[1])
import service  # noqa: E402

PROJECTS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
INSTANCES = int(sys.argv[3]) if len(sys.argv) > 3 else 1000


class Many(service.ServerTest):
    options = ("--rate", "0", "--no-sync")

    def runTest(self):
        rng = random.Random(1)
        words = [f"word{k}" for k in range(5000)]
        lines = "".join(json.dumps({"id": k, "text": " ".join(rng.choices(words, k=20))}) + "\n" for k in range(INSTANCES))
        start = time.time()
        for k in range(PROJECTS):
            project = self.admin.project(name=f"p{k}", sampler="sel-p", budget="5%", audit="1%")
            answers = self.admin.post(project + "/instances", lines, kind="application/x-ndjson").lines()
            assert len(answers) == INSTANCES
            for answer in [one for one in answers if one["ask"]][:20]:
                self.admin.answer(project, answer["id"], "spam")
        seconds = time.time() - start
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            status = dict(line.split(":", 1) for line in file)
        metrics = self.client().get("/metrics").text.decode()
        print(f"{PROJECTS} projects of {INSTANCES} instances in {seconds:.0f} s: {status['VmRSS'].strip()} resident, "
              f"{status['Threads'].strip()} threads")
        print("\n".join(line for line in metrics.splitlines() if "open" in line and not line.startswith("#")))
        self.process.terminate()
        self.process.wait()
        self.start()
        start = time.time()
        projects = self.admin.get("/api/v1/projects").json()["projects"]
        print(f"the list of {len(projects)} projects after a restart: {1e3 * (time.time() - start):.0f} ms")


if __name__ == "__main__":
    many = Many()
    many.setUp()
    try:
        many.runTest()
    finally:
        many.doCleanups()
