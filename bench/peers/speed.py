"""How long do other programs take to read a file and to learn it in one pass, as multiples of askfew's time?

    python3 bench/peers/speed.py ASKFEW FOLDER [ROWS [TURNS]]

makes text-like rows (75 words of 47,236 by Zipf's law) in FOLDER, installs the other programs from PyPI (requirements.txt)
into FOLDER/peers-venv, and takes turns on these files:

* numbers: Vowpal Wabbit's text with values of six decimals; scikit-learn reads the same rows as svmlight text;
* words: the same rows as Vowpal Wabbit's text without values;
* cache: askfew's and Vowpal Wabbit's binary caches of the numbers.

Time is wall-clock time. askfew is measured as a whole process. Of the others only reading and learning count, not the start
of Python: Vowpal Wabbit reads and learns with its own C++ code, on two threads, as its command line does. River learns in a
loop in Python; it gets a tenth of the rows, which are in memory already. Prints medians over the turns.
"""

import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from cache_speed import write_rows  # noqa: E402
from peers import read_stream, run_in_venv  # noqa: E402

RIVER_PART = 10
VW = "--quiet --no_stdin --loss_function logistic -b 18"
VW_ACTIVE = f"{VW} --active --simulation --mellowness 0.01"


def write_files(folder, rows):
    """The rows as svmlight text, as Vowpal Wabbit's text with values, and without them."""
    paths = {name: os.path.join(folder, name) for name in ("rows.svm", "numbers.vw", "words.vw")}
    write_rows(paths["rows.svm"], rows)
    with open(paths["rows.svm"]) as lines, open(paths["numbers.vw"], "w") as numbers, open(paths["words.vw"], "w") as words:
        for line in lines:
            label, pairs = line.rstrip("\n").split(" ", 1)
            numbers.write(f"{int(label)} | {pairs}\n")
            words.write(f"{int(label)} | " + " ".join("w" + pair.split(":")[0] for pair in pairs.split()) + "\n")
    return paths


def seconds_of(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def askfew(program, *arguments):
    return lambda: seconds_of(lambda: subprocess.run([program, "run", *arguments, "--quiet"], check=True,
                                                     stdout=subprocess.DEVNULL))


def vowpal_wabbit(arguments):
    """The constructor reads the file and learns it."""
    from vowpalwabbit import Workspace

    return lambda: seconds_of(lambda: Workspace(arguments).finish())


def scikit_learn(path):
    from scipy.sparse import csr_matrix
    from sklearn.datasets import load_svmlight_file
    from sklearn.linear_model import SGDClassifier

    def work():
        read, y = load_svmlight_file(path)
        x = csr_matrix((read.data, read.indices.astype("int32"), read.indptr.astype("int32")), read.shape)  # it takes no other
        SGDClassifier(loss="log_loss", random_state=1).partial_fit(x, y, classes=[-1, 1])

    return lambda: seconds_of(work)


def river(rows):
    from river import linear_model, optim

    def work():
        model = linear_model.LogisticRegression(optimizer=optim.SGD(1.0))
        for label, x in rows:
            model.predict_one(x)
            model.learn_one(x, label)

    return lambda: RIVER_PART * seconds_of(work)


def contests(program, folder, rows):
    """For each kind of file: what is measured, askfew first."""
    paths = write_files(folder, rows)
    part = os.path.join(folder, "part.svm")
    with open(paths["rows.svm"]) as lines, open(part, "w") as first:
        first.writelines(line for _, line in zip(range(rows // RIVER_PART), lines))
    own_cache, vw_cache = os.path.join(folder, "rows.askcache"), os.path.join(folder, "rows.vwcache")
    for cache in (own_cache, vw_cache):
        if os.path.exists(cache):
            os.remove(cache)
    subprocess.run([program, "convert", paths["numbers.vw"], "-o", own_cache], check=True, stdout=subprocess.DEVNULL)
    vowpal_wabbit(f"{VW} -d {paths['numbers.vw']} --cache_file {vw_cache}")()
    every_label = ("--learner", "logistic", "--rule", "always")
    return {
        "numbers, every label": {
            "askfew, logistic": askfew(program, paths["numbers.vw"], *every_label),
            "Vowpal Wabbit": vowpal_wabbit(f"{VW} -d {paths['numbers.vw']}"),
            "scikit-learn, svmlight": scikit_learn(paths["rows.svm"]),
            "River": river(read_stream(part)),
        },
        "numbers, few labels": {
            "askfew, pa-log": askfew(program, paths["numbers.vw"], "--sampler", "pa-log"),
            "askfew, auto 5%": askfew(program, paths["numbers.vw"], "--budget", "5%"),
            "Vowpal Wabbit, active": vowpal_wabbit(f"{VW_ACTIVE} -d {paths['numbers.vw']}"),
        },
        "words, every label": {
            "askfew, logistic": askfew(program, paths["words.vw"], *every_label),
            "Vowpal Wabbit": vowpal_wabbit(f"{VW} -d {paths['words.vw']}"),
        },
        "cache, every label": {
            "askfew, logistic": askfew(program, own_cache, *every_label),
            "Vowpal Wabbit": vowpal_wabbit(f"{VW} -d {paths['numbers.vw']} --cache_file {vw_cache}"),
        },
    }


def measure(program, folder, rows, turns):
    from importlib import metadata

    print("Versions:", ", ".join(f"{name} {metadata.version(name)}" for name in ("vowpalwabbit", "scikit-learn", "river")))
    print(f"{rows} rows, {os.cpu_count()} processors; medians of {turns} turns\n")
    print("| file | program | seconds | rows per second | times askfew's time |\n| --- | --- | ---: | ---: | ---: |")
    for file, programs in contests(program, folder, rows).items():
        times = {name: [] for name in programs}
        for _ in range(turns):
            for name, run in programs.items():
                times[name].append(run())
        own = next(iter(times.values()))
        for name, of_turns in times.items():
            seconds = statistics.median(of_turns)
            ratio = statistics.median(other / one for other, one in zip(of_turns, own, strict=True))
            print(f"| {file} | {name} | {seconds:.2f} | {rows / seconds:,.0f} | {ratio:.1f} |", flush=True)


def main():
    installed = "--installed" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--installed"]
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    program, folder = arguments[0], os.path.abspath(arguments[1])
    os.makedirs(folder, exist_ok=True)
    if not installed:
        run_in_venv(os.path.join(folder, "peers-venv"), __file__)
    rows = int(arguments[2]) if len(arguments) > 2 else 100_000
    turns = int(arguments[3]) if len(arguments) > 3 else 7
    measure(program, folder, rows, turns)


if __name__ == "__main__":
    main()
