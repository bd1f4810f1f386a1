"""What the groups of streams need to write CSV files."""

import csv
import os
import random
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_ROWS = 5000


def shuffled(rows):
    return random.Random(1).sample(rows, len(rows))


def write_texts(folder, name, rows):
    """Rows of (is it positive?, text), as they are."""
    with open(os.path.join(folder, f"{name}.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("text", "label"))
        writer.writerows((text, "yes" if positive else "no") for positive, text in rows)


def write_table(folder, name, table, is_positive, dropped):
    """A table of pandas without the columns that are the class or tell it."""
    labels = is_positive.map({True: "yes", False: "no"})
    table.drop(columns=dropped).assign(label=labels).to_csv(os.path.join(folder, f"{name}.csv"), index=False)


def write_tables_of_r(folder, group):
    subprocess.run(["Rscript", os.path.join(HERE, "tables.R"), group, folder], check=True, stdout=subprocess.DEVNULL)


def shuffle_and_cut(folder):
    """At most 5,000 rows of every table in the folder, shuffled unless they are in the order of time."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path, newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        rows = rows if "in_time" in name else shuffled(rows)
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows[:MAX_ROWS]])
