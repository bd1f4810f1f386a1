"""The default as it reads a file, a pipe and a live stream: the number of features is known to none of them.

    python3 bench/doors.py DATA        # the folder of the data sets, see askfew data list

Every set in blocks of 4,000 rows, each a stream of its own, as JSON lines of numbered features or texts; 5% of the labels.
`stream` is told each label that it asks for before the next instance comes. `names`: features have names, not numbers, in a file and
in a stream. The last columns are earlier versions: auto:grow=0, and with names auto:grow=1. Prints a table for docs/default.md: the
mean accuracies of the blocks.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
SHARE = "5%"
ROWS = 4000


def run(*arguments, stdin=None):
    with open(stdin or os.devnull, "rb") as file:
        done = subprocess.run([ASKFEW, "run", *arguments, "--budget", SHARE, "--quiet", "--json", "-"], check=True,
                              stdin=file, capture_output=True, text=True)
    return json.loads(done.stdout)["macro"]


def stream(rows):
    """The accuracy of the predictions, each before its label."""
    right = 0
    with subprocess.Popen([ASKFEW, "stream", "--budget", SHARE, "--horizon", str(len(rows))], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        def answer(line):
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            while True:
                answered = json.loads(process.stdout.readline())
                if "change" not in answered:
                    return answered

        for number, (label, instance) in enumerate(rows):
            answered = answer({"id": number, **instance})
            right += answered["prediction"] == label
            if answered["ask"]:
                answer({"id": number, "label": label})
        process.stdin.close()
    return right / len(rows)


def table(lines, positive):
    """Rows of ARFF: a feature for each column of numbers, and for each name in other columns, in the order in which they come."""
    places = {}
    for line in lines[next(n for n, line in enumerate(lines) if line.lower().startswith("@data")) + 1:]:
        *values, label = line.strip().split(",")
        features = []
        for column, value in enumerate(values):
            try:
                features.append([places.setdefault(column, len(places)), float(value)])
            except ValueError:
                if value != "?":
                    features.append([places.setdefault((column, value), len(places)), 1])
        yield 1 if label == positive else -1, {"features": sorted(features)}


def svmlight(lines):
    for line in lines:
        label, *pairs = line.split()
        yield int(label), {"features": [[int(pair.split(":")[0]) - 1, float(pair.split(":")[1])] for pair in pairs]}


def messages(lines):
    for line in lines:
        label, _, text = line.rstrip("\n").partition("\t")
        yield 1 if label == "spam" else -1, {"text": text}


def lines_of(*path):
    path = os.path.join(*path)
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        return file.readlines()


def sets(data):
    yield "elec2", table(lines_of(data, "elec2", "elecNormNew.arff.gz"), "UP")
    yield "a9a", svmlight(lines_of(data, "a9a", "a9a.gz"))
    yield "hypothyroid", table(lines_of(data, "uci", "hypothyroid.arff.gz"), "negative")
    yield "sms_spam", messages(lines_of(data, "sms_spam", "SMSSpamCollection"))


def write(rows, path):
    with open(path, "w") as file:
        file.writelines(json.dumps({"label": label, **instance}) + "\n" for label, instance in rows)


def with_names(rows):
    for label, instance in rows:
        yield label, {"features": {f"feature {i}": value for i, value in instance["features"]}}


def accuracies(rows, path):
    write(rows, path)
    length, earlier = ["--horizon", str(len(rows))], ["--sampler", "auto:grow=0"]
    numbered = [run(path)["accuracy"], run("-", *length, stdin=path)["accuracy"], stream(rows)]
    before = [run(path, *earlier)["accuracy"], run("-", *length, *earlier, stdin=path)["accuracy"]]
    if "text" in rows[0][1]:
        return [*numbered, None, None, *before, None]
    named = list(with_names(rows))
    write(named, path)
    return [*numbered, run(path)["accuracy"], stream(named), *before, run(path, "--sampler", "auto:grow=1")["accuracy"]]


def mean(column):
    return "-" if None in column else f"{100 * sum(column) / len(column):.2f}"


def main():
    print("| data | blocks | file | pipe | stream | names, file | names, stream | earlier: file | earlier: pipe | earlier: names |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name, found in sets(sys.argv[1]):
            rows = list(found)
            blocks = [rows[start:start + ROWS] for start in range(0, max(1, len(rows) - ROWS + 1), ROWS)]
            columns = zip(*(accuracies(block, os.path.join(folder, name)) for block in blocks))
            print(f"| {name} | {len(blocks)} | " + " | ".join(mean(column) for column in columns) + " |", flush=True)


if __name__ == "__main__":
    main()
