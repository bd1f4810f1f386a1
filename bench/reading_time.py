"""Is the reading time linear in the number of bytes? Reads hostile files (tests/cli/hostile.py), each twice as large as the
one before, and prints the exponent e of time = c * bytes^e: 1 is linear, 2 is quadratic.

    ASKFEW=build/release/apps/cli/askfew python3 bench/reading_time.py [FORMAT ...]

The time of a nearly empty file, which is the time to start the program, is subtracted.
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
SIZES = [15 << k for k in range(17, 21)]  # a line may have 16 MiB
REPETITIONS = 3
LARGEST_EXPONENT = 1.1
PATIENCE = 60  # seconds per file


def seconds(path, arguments, feed=None):
    """Processor time of the fastest of several readings; with `feed` the file comes through a pipe, `feed` bytes at a time."""
    best = PATIENCE
    for _ in range(REPETITIONS):
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
        if best > PATIENCE / 10:
            break
    return best


def exponent(sizes, times):
    """The slope of a straight line through the logarithms of the sizes and times."""
    times = np.maximum(times, 1e-4)
    return np.polyfit(np.log(sizes), np.log(times), 1)[0]


def measure(name, make, arguments, folder, feed=None):
    path = os.path.join(folder, name)
    sizes, times = [], []
    for size in [1, *SIZES]:
        with open(path, "wb") as file:
            file.write(make(size))
        if make is hostile.idx_images:
            with open(path.replace("images", "labels"), "wb") as file:
                file.write(hostile.idx_labels(size))
        sizes.append(os.path.getsize(path))
        times.append(seconds(path, arguments, feed))
    net = np.array(times[1:]) - times[0]
    found = exponent(np.array(sizes[1:]), net) if times[-1] < PATIENCE else 99
    print(f"{name:28} {found:5.2f}   " + " ".join(f"{t:7.3f}" for t in times[1:]) + " s", flush=True)
    return found


def main(wanted):
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
