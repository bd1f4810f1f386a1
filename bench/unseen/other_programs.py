"""Other programs beside the default on the streams of unseen.py: River, Vowpal Wabbit and scikit-activeml, as
bench/peers/peers.py runs them.

    VENV/bin/python bench/unseen/unseen.py build/release/apps/cli/askfew FOLDER --groups new
    python3 bench/unseen/other_programs.py build/release/apps/cli/askfew FOLDER --group new

Every program reads the rows in the order of the file. The others run on two forms of the rows: as askfew reads them, and
prepared (numbers are standardised on line, texts have tf-idf and norm 1); the better form counts. askfew reads the file as
it is. Prints the error in percent of each, with a star where the error of askfew is more than 5% above that of the other
program and that program did not ask for more labels. Results are kept in FOLDER/peers_GROUP.jsonl: a stopped run goes on
from there.
"""

import argparse
import csv
import io
import json
import math
import os
import subprocess
import sys
from functools import partial

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "peers"))
import peers  # noqa: E402
from unseen import GROUPS, is_text, names_of  # noqa: E402


def with_numbers_as_labels(stream):
    """The table as text, with the labels 1 and -1: svmlight has numbers as labels."""
    table = io.StringIO(newline="")
    with open(stream, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        writer = csv.DictWriter(table, rows.fieldnames)
        writer.writeheader()
        writer.writerows({**row, "label": 1 if row["label"] == "yes" else -1} for row in rows)
    return table.getvalue()


def convert(askfew, stream, text, prepared):
    """The rows as askfew reads them: (is it positive?, {feature: value})."""
    command = [askfew, "convert", "-", "--format", "csv", "--to", "svmlight", "--output", "-"]
    command += ["--text-columns", "text"] if text else []
    lines = subprocess.run(command, check=True, input=with_numbers_as_labels(stream), stdout=subprocess.PIPE, encoding="utf-8",
                           stderr=subprocess.DEVNULL).stdout.splitlines()
    rows = [peers.row_of(line, "1") for line in lines]
    return rows if not prepared else with_tf_idf(rows) if text else standardised(rows)


def standardised(rows):
    """Every feature minus its mean so far, divided by its deviation so far."""
    seen = {}
    result = []
    for count, (label, x) in enumerate(rows, 1):
        for k, v in x.items():
            total, squares = seen.get(k, (0.0, 0.0))
            seen[k] = total + v, squares + v * v
        z = {}
        for k, (total, squares) in seen.items():
            mean = total / count
            deviation = math.sqrt(max(0.0, squares / count - mean * mean))
            if deviation > 0:
                z[k] = (x.get(k, 0.0) - mean) / deviation
        result.append((label, z))
    return result


def with_tf_idf(rows):
    """Every feature times 1 + ln((1 + rows so far) / (1 + those that have it)); then norm 1."""
    seen = {}
    result = []
    for count, (label, x) in enumerate(rows, 1):
        for k in x:
            seen[k] = seen.get(k, 0) + 1
        z = {k: v * (1 + math.log((1 + count) / (1 + seen[k]))) for k, v in x.items()}
        norm = math.hypot(*z.values()) or 1
        result.append((label, {k: v / norm for k, v in z.items()}))
    return result


def error_of_askfew(askfew, stream, text, share):
    command = [askfew, "run", stream, "--positive", "yes", "--budget", f"{share:.0%}", "--quiet", "--json", "-"]
    command += ["--text-columns", "text"] if text else []
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return peers.Result(report["macro"]["mistakes"], report["macro"]["asked"], report["macro"]["rounds"])


def better(one, other):
    return other if one is None or (other is not None and other["error"] < one["error"]) else one


def compare(askfew, folder, group):
    streams = os.path.join(folder, "streams", group)
    kept = peers.Kept(os.path.join(folder, f"peers_{group}.jsonl"))
    print("| stream | labels | askfew default | " + " | ".join(peers.PEERS) + " |")
    print("| --- |" + " ---: |" * (2 + len(peers.PEERS)))
    won = cells = 0
    for name in names_of(streams):
        stream = os.path.join(streams, f"{name}.csv")
        text = is_text(stream)
        forms = [convert(askfew, stream, text, prepared) for prepared in (False, True)]
        for share in peers.SHARES:
            own = vars(error_of_askfew(askfew, stream, text, share))
            row = []
            for peer, run in peers.PEERS.items():
                best = None
                for prepared, rows in enumerate(forms):
                    best = better(best, kept.get(f"{name} {share} {peer} {prepared}", partial(run, rows, share)))
                comparable = best is not None and best["share"] <= (1 + peers.NEAR) * share
                is_better = comparable and best["error"] * 1.05 < own["error"]
                cells += comparable
                won += comparable and not is_better
                row.append(peers.cell_of(best, share) + (" *" if is_better else ""))
            print(f"| {name} | {share:.0%} | {peers.cell_of(own, share)} | " + " | ".join(row) + " |", flush=True)
    print(f"\nat most 5% above the other program in {won} of {cells} cells in which that asked for no more labels")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("askfew", help="the program")
    parser.add_argument("folder", help="the folder that unseen.py has written")
    parser.add_argument("--group", choices=GROUPS, default="new", help="default: new")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.installed:
        peers.run_in_venv(os.path.join(options.folder, "peers-venv"), __file__)
    compare(options.askfew, options.folder, options.group)


if __name__ == "__main__":
    main()
