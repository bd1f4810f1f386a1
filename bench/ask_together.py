"""Topics that decide for themselves beside `--ask together`, at the same number of opened documents.

    python3 bench/ask_together.py DATA        # the folder of the data sets, see askfew data list

For each share of the labels that every topic may ask, the first run counts the documents that were opened; the second run
may open as many, and learns all topics of each. Prints a table for docs/many-labels.md.
"""

import glob
import json
import os
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
TOPICS = 20
SHARES = ("0.5%", "1%", "2%", "5%")


def run(*arguments):
    done = subprocess.run([ASKFEW, "run", *arguments, "--topics", str(TOPICS), "--quiet", "--json", "-"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def sets(data, folder):
    """The name, and the arguments of its run."""
    with tarfile.open(os.path.join(data, "reuters21578", "reuters21578.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    stories = sorted(glob.glob(os.path.join(folder, "**", "*.sgm"), recursive=True))
    yield "Reuters-21578, stories with a topic", [*stories, "--with-topics"]
    for path in sorted(glob.glob(os.path.join(data, "rcv1", "*subset1*"))):
        yield "RCV1, subset 1", [path]


def main():
    print("| data | share of labels | documents opened | F, each topic by itself | F, together |\n"
          "| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in sets(sys.argv[1], folder):
            for share in SHARES:
                apart = run(*arguments, "--budget", share)
                opened, rounds = apart["documents_opened"], apart["tasks"][0]["rounds"]
                together = run(*arguments, "--budget", str(opened), "--ask", "together")
                print(f"| {name} | {share} | {opened:,} of {rounds:,} ({100 * opened / rounds:.0f}%) | "
                      f"{apart['macro']['f1']:.3f} | {together['macro']['f1']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
