"""A person labels at the terminal: the tutorial's steps, replayed through a pseudo-terminal."""

import csv
import glob
import json
import os
import pty
import random
import re
import select
import subprocess
import time
import unittest

from harness import ASKFEW, CliTest

PATIENCE = 180  # seconds for what should take none
SIZE = 5574
BUDGET = 200


def made_up():
    """Short texts: an eighth of them is spam, and they share many words with the others."""
    rng = random.Random(7)
    common = [f"word{k}" for k in range(400)]
    spam = "free prize win cash claim urgent txt call mobile offer reply now".split()
    ham = "lol home later love sorry dinner work going sleep mum class ok".split()
    for _ in range(SIZE):
        is_spam = rng.random() < 0.13
        words = [rng.choice(common) for _ in range(rng.randrange(4, 14))]
        words += rng.sample(spam if is_spam else ham, 3) + [rng.choice(ham if is_spam else spam)] * (rng.random() < 0.2)
        rng.shuffle(words)
        yield " ".join(words), "spam" if is_spam else "ham"


def messages():
    """The SMS Spam Collection if ASKFEW_DATA has it, else texts that are made up."""
    for path in glob.glob(os.path.join(os.environ.get("ASKFEW_DATA", "none"), "sms_spam", "SMSSpamCollection*")):
        with open(path, encoding="utf-8") as file:
            pairs = [line.rstrip("\n").split("\t", 1) for line in file]
        return [(text, label) for label, text in pairs]
    return list(made_up())


def squeezed(text):
    return re.sub(r"\s", "", text)


def shown(text):
    """As the terminal shows it: control characters as numbers."""
    return re.sub("[\x80-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)


class Person:
    """Answers the questions at a terminal of 80 columns."""

    def __init__(self, folder, arguments, truth):
        self.truth = truth
        self.screen = ""
        self.all = ""  # that was ever on it
        master, slave = pty.openpty()
        self.terminal = master
        self.process = subprocess.Popen([ASKFEW, *arguments], cwd=folder, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)

    def wait(self):
        """Reads until a question is on the screen; None at the end. Returns its text."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = re.search(r"-{80}\n(.*?)\n-{80}\n[^\n]*q quit\n", self.screen, re.S)
            if found:
                self.screen = self.screen[found.end():]
                return found[1]
            if not select.select([self.terminal], [], [], 0.1)[0]:
                continue
            try:
                part = os.read(self.terminal, 65536)
            except OSError:
                part = b""
            if not part:
                return None
            part = part.decode(errors="replace").replace("\r\n", "\n")
            self.screen += part
            self.all += part
        raise AssertionError(f"no question: {self.screen[-500:]}")

    def press(self, key):
        os.write(self.terminal, key.encode())

    def label(self, most):
        """Answers so many questions, or all; returns how many."""
        for count in range(most):
            text = self.wait()
            if text is None:
                return count
            self.press(self.truth[squeezed(text)][0])
        return most

    def close(self):
        os.close(self.terminal)
        self.process.wait(timeout=PATIENCE)


class Terminal(CliTest):
    def setUp(self):
        super().setUp()
        self.messages = messages()
        self.truth = {squeezed(shown(text)): label for text, label in self.messages}
        self.table("pool.csv", ["id", "text"], [[k, text] for k, (text, _) in enumerate(self.messages)])
        self.table("truth.csv", ["id", "text", "label"], [[k, *pair] for k, pair in enumerate(self.messages)])
        self.arguments = ["label", "pool.csv", "--out", "labels.csv", "--labels", "spam,ham", "--budget", str(BUDGET),
                          "--model", "spam.model"]

    def table(self, name, header, rows):
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])

    def rows(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def person(self):
        return Person(self.folder, self.arguments, self.truth)

    def test_200_answers_make_a_model_with_f_above_08(self):
        person = self.person()
        answered = person.label(BUDGET + 1)
        person.close()
        self.assertEqual(person.process.returncode, 0)
        self.assertLessEqual(answered, BUDGET)
        rows = self.rows("labels.csv")
        self.assertEqual(len(rows), answered)
        self.assertTrue(all(self.truth[squeezed(shown(row["text"]))] == row["label"] for row in rows))
        result = json.loads(self.ok("evaluate", "spam.model", "truth.csv", "--json", "-").out)
        self.assertGreater(result["tasks"][0]["f1"]["value"], 0.8)

    def test_it_goes_on_where_it_was_killed(self):
        person = self.person()
        person.label(25)
        person.wait()
        person.process.kill()
        person.close()
        self.assertEqual(len(self.rows("labels.csv")), 25)
        before = self.rows("labels.csv")
        person = self.person()
        person.label(10)
        person.wait()
        person.press("q")
        person.process.wait(timeout=PATIENCE)
        after = self.rows("labels.csv")
        self.assertEqual(after[:25], before)
        self.assertEqual(len({row["id"] for row in after}), 35)

    def test_at_first_one_answer_can_be_undone_and_after_80_answers_two(self):
        person = self.person()
        first = person.wait()
        person.press("h")
        person.wait()
        person.press("u")
        self.assertEqual(person.wait(), first)
        person.press("u")  # nothing is left to undo
        person.press("k")
        person.label(81)
        person.wait()
        for _ in range(2):
            person.press("u")
            self.assertIsNotNone(person.wait())
        person.press("u")
        person.press("q")
        person.process.wait(timeout=PATIENCE)
        self.assertIn("nothing to undo", person.all)  # at the first question
        self.assertEqual(len(self.rows("labels.csv")), 80)

    def test_why_is_behind_a_key_and_lines_fit_80_columns(self):
        person = self.person()
        person.wait()
        person.press("w")
        person.press("s")
        person.wait()
        person.press("q")
        person.process.wait(timeout=PATIENCE)
        self.assertEqual(person.process.returncode, 0)
        self.assertRegex(person.all, r"predicted (spam|ham); rule \S+, scale")
        self.assertLessEqual(max(map(len, person.all.split("\n"))), 80)


class Batches(CliTest):
    def test_a_file_of_something_else_is_not_taken_for_answers(self):
        self.write("pool.csv", "text\na first text\na second text\n")
        self.write("other.csv", "name,age\nann,34\n")
        before = self.files()
        done = self.askfew("label", "pool.csv", "--labels", "spam,ham", "--out", "other.csv")
        self.assertIn("other.csv: it is there already", self.complaint(done, 3))
        self.unchanged(before)

    def test_a_spreadsheet_is_told(self):
        pairs = list(made_up())[:400]
        with open(self.path("pool.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["id", "text"], *([k, text] for k, (text, _) in enumerate(pairs))])
        for _ in range(2):
            self.ok("label", "pool.csv", "--labels", "spam,ham", "--budget", "60", "--batch", "20", "--ledger", "l", "--out",
                    "questions.csv")
            with open(self.path("questions.csv"), newline="", encoding="utf-8") as file:
                questions = list(csv.DictReader(file))
            self.assertEqual(len(questions), 20)
            with open(self.path("answers.csv"), "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([["id", "label"], *([q["id"], pairs[int(q["id"])][1]] for q in questions)])
            done = self.ok("tell", "l", "answers.csv", "--model", "m")
            self.assertIn("learned      20\n", done.out)
        self.write("wrong.csv", f"id,label\n{questions[0]['id']},Spam\n")
        done = self.askfew("tell", "l", "wrong.csv")
        self.assertEqual(done.code, 3)
        self.assertIn("did you mean 'spam'?", done.err)

    def test_a_table_answers_questions_whose_ids_are_numbers(self):
        ids = [7, "8", 1.5, "a", 9, "9", "07"]
        lines = "".join(json.dumps({"id": name, "text": f"some words of {name}"}) + "\n" for name in ids)
        self.ok("stream", "--labels", "spam,ham", "--sampler", "perc", "--ledger", "l", "--quiet", stdin=lines.encode())
        self.write("answers.csv", "id,label\n7,spam\n8,ham\n1.5,spam\na,ham\n9,spam\n07,ham\n")
        self.assertEqual(self.ok("tell", "l", "answers.csv").out, "learned      6\n")
        self.write("answers.csv", "id,label\n3,spam\n")
        self.assertIn("refused 3: no instance with this id", self.askfew("tell", "l", "answers.csv").err)

    def batch(self, *arguments):
        """The ids of the questions, all answered with spam."""
        self.ok("label", *arguments, "--labels", "spam,ham", "--batch", "10", "--ledger", "l", "--out", "q.csv")
        with open(self.path("q.csv"), newline="", encoding="utf-8") as file:
            ids = [row["id"] for row in csv.DictReader(file)]
        self.write("answers.csv", "id,label\n" + "".join(f"{name},spam\n" for name in ids))
        self.ok("tell", "l", "answers.csv")
        return ids

    def test_texts_can_be_added_to_the_pool_later(self):
        texts = [f"k{k},some words of number {k} here\n" for k in range(700)]
        asked = []
        for pool in (texts[:50], texts[:90], texts, texts[600:] + texts[:600], texts[20:300]):
            self.write("pool.csv", "id,text\n" + "".join(pool))
            asked += self.batch("pool.csv")
        self.assertEqual(len(set(asked)), 50)
        self.write("pool.csv", "id,text\n" + "".join(texts))
        done = self.askfew("label", "pool.csv", "--labels", "spam,ham", "--batch", "10", "--ledger", "l", "--out", "q.csv",
                           "--horizon", "700")
        self.assertIn("horizon 50, not 700", self.complaint(done, 2))

    def pool_of(self, count):
        self.write("pool.csv", "id,text\n" + "".join(f"k{k},some words of number {k} here\n" for k in range(count)))

    def test_a_share_is_one_of_the_texts_however_often_they_are_looked_at(self):
        self.pool_of(40)
        done = self.ok("label", "pool.csv", "--labels", "spam,ham", "--budget", "25%", "--out", "labels.csv", stdin=b"s" * 99)
        self.assertIn("[0 of 10 labels]", done.out)
        self.assertIn("10 labels in labels.csv; the budget is spent", done.out)
        self.ok("label", "pool.csv", "--labels", "spam,ham", "--budget", "25%", "--batch", "99", "--out", "q.csv")
        self.assertEqual(len(self.read("q.csv").splitlines()), 11)

    def test_a_batch_asks_about_a_text_once(self):
        self.pool_of(20)
        self.assertEqual(len(set(self.batch("pool.csv"))), 10)
        self.assertEqual(len(set(self.batch("pool.csv"))), 10)
        done = self.ok("label", "pool.csv", "--labels", "spam,ham", "--batch", "10", "--ledger", "l", "--out", "q.csv")
        self.assertEqual(done.err, "no question: every text was asked or is not worth a label\n")
        self.assertEqual(len(self.read("q.csv").splitlines()), 11)

    def test_answers_that_are_not_told_yet_are_not_replaced_by_questions(self):
        self.pool_of(20)
        command = "label", "pool.csv", "--labels", "spam,ham", "--batch", "2", "--ledger", "l", "--out", "q.csv"
        self.ok(*command)
        header, first, second = self.read("q.csv").decode().splitlines()
        self.write("q.csv", f"{header}\n{first}ham\n{second}\n")
        before = self.files()
        line = self.complaint(self.askfew(*command), 2)
        self.assertRegex(line, r"q\.csv has an answer to 'k\d+' that the ledger does not know: askfew tell l q\.csv")
        self.unchanged(before)
        self.ok("tell", "l", "q.csv")
        self.ok(*command)
        self.write("other.csv", "name,age\nann,34\n")
        before = self.files()
        line = self.complaint(self.askfew(*command[:-1], "other.csv"), 3)
        self.assertIn("other.csv: it is there already", line)
        self.unchanged(before)

    def test_it_goes_on_after_the_only_answer_was_taken_back(self):
        self.pool_of(20)
        command = "label", "pool.csv", "--labels", "spam,ham", "--out", "labels.csv"
        self.ok(*command, stdin=b"suq")
        self.ok(*command, stdin=b"sq")
        self.assertEqual(len(self.read("labels.csv").splitlines()), 2)

    def test_labels_and_budgets_that_a_pool_cannot_have(self):
        self.pool_of(20)
        before = self.files()
        for options, said in ((("--labels", "all"), "a person needs the names of all labels"),
                              (("--labels", "spam, ham"), "--labels 'spam, ham' has a label with a space"),
                              (("--labels", "spam,ham", "--budget", "5/day"), "budget '5/day' is for texts that arrive over")):
            line = self.complaint(self.askfew("label", "pool.csv", *options, "--out", "labels.csv"), 2)
            self.assertIn(said, line)
            self.unchanged(before)

    def test_a_table_of_numbers_has_no_texts_to_label(self):
        self.write("pool.csv", "id,amount,n\n" + "".join(f"{k},{3 * k},7\n" for k in range(20)))
        command = "label", "pool.csv", "--labels", "spam,ham", "--out", "labels.csv"
        line = self.complaint(self.askfew(*command), 2)
        self.assertIn("pool.csv: no column has texts: --text-columns names one of 'id', 'amount', 'n'", line)
        self.ok(*command, "--text-columns", "n", stdin=b"ssq")
        self.write("pool.csv", "id,n,name\n" + "".join(f"{k},7,name{k}\n" for k in range(20)))
        done = self.ok(*command[:-1], "names.csv", stdin=b"ssq")
        self.assertRegex(done.out, r"  name\d+\n")

    def test_answers_to_other_texts_are_refused(self):
        """Without a column of ids, a line that is put before the others moves all ids."""
        lines = [f"some words of number {k} here\n" for k in range(30)]
        self.write("pool.txt", "".join(lines))
        command = "label", "pool.txt", "--labels", "spam,ham", "--out", "labels.csv"
        self.ok(*command, stdin=b"shshshq")
        self.write("pool.txt", "".join([*lines, "a line at the end\n"]))
        self.ok(*command, stdin=b"shq")
        self.assertEqual(len(self.read("labels.csv").splitlines()), 9)
        self.write("pool.txt", "".join(["a line before\n", *lines]))
        before = self.files()
        line = self.complaint(self.askfew(*command, stdin=b"shq"), 3)
        self.assertRegex(line, "pool.txt: the text of '[0-9]+' is 'some words .*labels.csv has an answer to 'some words")
        self.assertIn("column of ids", line)
        self.unchanged(before)

    def test_a_column_called_id_shows_a_header(self):
        rows = [["id", "title", "text"], *([f"n{k}", f"a title {k}", f"some words of number {k} here"] for k in range(9))]
        with open(self.path("pool.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        self.assertEqual(set(self.batch("pool.csv")), {f"n{k}" for k in range(9)})

    def test_a_column_called_text_has_a_header_however_few_and_short_its_texts_are(self):
        self.write("pool.csv", "Text\nfree cash\nhello\n")
        self.assertEqual(set(self.batch("pool.csv")), {"1", "2"})

    def test_a_table_of_one_column_has_a_header_and_quotes(self):
        with open(self.path("pool.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["message"], *([f'he said "{k}", and went home'] for k in range(9))])
        self.ok("label", "pool.csv", "--labels", "spam,ham", "--batch", "20", "--ledger", "l", "--out", "questions.csv")
        with open(self.path("questions.csv"), newline="", encoding="utf-8") as file:
            texts = {row["text"] for row in csv.DictReader(file)}
        self.assertEqual(texts, {f'he said "{k}", and went home' for k in range(9)})


if __name__ == "__main__":
    unittest.main()
