#!/usr/bin/env python3
"""What `--aim recall=R` and `--aim precision=P` reach, beside `--aim accuracy`: means over streams and budgets.

    tools/aims.py ASKFEW FOLDER     prints the table of docs/aim.md; FOLDER has streams as `askfew reproduce defaults` writes them
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

BUDGETS = ("2%", "5%", "10%", "20%")
LEVELS = (0.8, 0.9, 0.95)


def quality(program, stream, budget, aim, report):
    """Recall and precision over all rounds."""
    subprocess.run([program, "run", stream, "--budget", budget, "--aim", aim, "--json", report, "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(report, encoding="utf-8") as file:
        task = json.load(file)["tasks"][0]
    return {"recall": task["recall"], "precision": task["precision"]}


def main(program, folder):
    streams = sorted(path for path in pathlib.Path(folder).glob("*.svm") if not path.name.startswith("mnist"))
    if not streams:
        sys.exit(f"no streams (*.svm) in {folder}: `askfew reproduce defaults` writes them to reproduced/work/streams")
    print("| aim | reached | mean recall | mean precision | with accuracy: reached |\n| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as scratch:
        report = str(pathlib.Path(scratch) / "run.json")
        runs = [(str(stream), budget) for stream in streams for budget in BUDGETS]
        usual = [quality(program, *run, "accuracy", report) for run in runs]
        for kind in ("recall", "precision"):
            for level in LEVELS:
                found = [quality(program, *run, f"{kind}={level}", report) for run in runs]
                reached, before = (sum(one[kind] >= level for one in those) for those in (found, usual))
                means = [statistics.fmean(one[name] for one in found) for name in ("recall", "precision")]
                print(f"| `{kind}={level}` | {reached} of {len(runs)} | {means[0]:.3f} | {means[1]:.3f} | {before} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
