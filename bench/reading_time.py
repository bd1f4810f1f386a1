"""Is the reading time linear in the number of bytes? Reads hostile files (tests/cli/hostile.py), each twice as large as the
one before, and prints the exponent e of time = start + c * bytes^e: 1 is linear, 2 is quadratic.

    ASKFEW=build/release/apps/cli/askfew python3 bench/reading_time.py [FORMAT ...]

"start" is the time to start the program, which every file takes. It is fitted together with c and e.
"""

import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
import hostile  # noqa: E402

ASKFEW = os.path.join(ROOT, os.environ.get("ASKFEW", "build/release/apps/cli/askfew"))
SIZES = [15 << k for k in range(15, 21)]  # a line may have 16 MiB
REPETITIONS = 5
LEAST = 1  # seconds for all repetitions: short times need more of them
EXPONENTS = np.arange(0, 3, 0.005)
LARGEST_EXPONENT = 1.1
PATIENCE = 60  # seconds per file


def seconds(path, arguments, feed=None):
    """Processor time of the fastest of several readings; with `feed` the file comes through a pipe, `feed` bytes at a time."""
    best, spent, times = PATIENCE, 0, 0
    while times < REPETITIONS or spent < LEAST:
        process = subprocess.Popen([ASKFEW, "convert", "-" if feed else path, "-o", "/dev/null", "--on-error", "skip",
                                    "--threads", "1", *arguments], stdin=subprocess.PIPE if feed else None,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
        if feed:
            with open(path, "rb", buffering=0) as file:
                try:
                    while piece := file.read(feed):
                        process.stdin.write(piece)
                        process.stdin.flush()
                    process.stdin.close()
                except BrokenPipeError:
                    pass
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        best = min(best, usage.ru_utime + usage.ru_stime)
        spent += usage.ru_utime + usage.ru_stime
        times += 1
        if best > PATIENCE / 10:
            break
    return best


def exponent(sizes, times):
    """The e of the best fit of start + c * bytes^e, where start and c are not negative; errors count relative to the times. 0 if
    the largest file takes hardly longer than the smallest: then the times say nothing about e."""
    if times[-1] < 1.5 * times[0]:
        return 0
    def error(e):
        terms = np.column_stack([np.ones(len(sizes)), (sizes / sizes[-1]) ** e]) / times[:, None]
        fits = [np.linalg.lstsq(terms[:, columns], np.ones(len(times)), rcond=None)[0] for columns in ([0, 1], [0], [1])]
        both, start, growth = fits[0], np.array([*fits[1], 0]), np.array([0, *fits[2]])
        return min(np.sum((terms @ fit - 1) ** 2) for fit in (both, start, growth) if (fit >= 0).all())
    return min(EXPONENTS, key=error)


def measure(name, make, arguments, folder, feed=None):
    path = os.path.join(folder, name)
    sizes, times = [], []
    for size in SIZES:
        with open(path, "wb") as file:
            file.write(make(size))
        if make is hostile.idx_images:
            with open(path.replace("images", "labels"), "wb") as file:
                file.write(hostile.idx_labels(size))
        sizes.append(os.path.getsize(path))
        times.append(seconds(path, arguments, feed))
    found = exponent(np.array(sizes), np.array(times)) if times[-1] < PATIENCE else 99
    print(f"{name:28} {found:5.2f}   " + " ".join(f"{t:7.3f}" for t in times) + " s", flush=True)
    return found


def main(wanted):
    known = [*hostile.FILES, "packed", "pipe"]
    if unknown := [name for name in wanted if name not in known]:
        print(f"{unknown[0]} is not one of {', '.join(known)}", file=sys.stderr)
        return 2
    print(f"{'':28} {'e':>5}   " + " ".join(f"{size / 2**20:4.1f}MiB" for size in SIZES))
    found = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        for form, files in hostile.FILES.items():
            if wanted and form not in wanted:
                continue
            for make in files:
                found.append(measure(make.__name__, make, ["--format", form], folder))
        if not wanted or "packed" in wanted:
            for make in hostile.PACKED:
                found.append(measure(make.__name__, make, ["--format", "svmlight"], folder))
        if not wanted or "pipe" in wanted:
            for form, make in (("svmlight", hostile.svmlight_long_line), ("csv", hostile.csv_quoted_lines),
                               ("jsonl", hostile.jsonl_long_text), ("packages", hostile.packages_long_stanza),
                               ("reuters", hostile.reuters_long_story)):
                found.append(measure(f"pipe_{make.__name__}", make, ["--format", form], folder, feed=4096))
    print(f"the largest exponent is {max(found):.2f}; up to {LARGEST_EXPONENT} counts as linear")
    return 0 if max(found) <= LARGEST_EXPONENT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
