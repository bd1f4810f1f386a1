"""Forty wrong uses of new users: each is refused with one line that names the file or option and the remedy.

None may end with exit code 0 and a figure.
"""

import json
import unittest
from collections import namedtuple

from harness import CliTest

SPAM = "free prize winner click offer cash now".split()
HAM = "meeting report lunch project draft budget soon".split()


def messages(count=60):
    """Short texts with their labels."""
    for k in range(count):
        words = SPAM if k % 3 == 0 else HAM
        yield f"{words[k % 7]} {words[k * 3 % 7]} today {words[k * 5 % 7]} please", "spam" if k % 3 == 0 else "ham"


def csv_of(rows, header="text,label"):
    return header + "\n" + "".join(f"{text},{label}\n" for text, label in rows)


def json_of(objects):
    return "".join(json.dumps(o) + "\n" for o in objects)


def files():
    rows = list(messages())
    objects = [{"id": f"m{k}", "text": text, "label": label} for k, (text, label) in enumerate(rows)]
    return {
        "sms.csv": csv_of(rows),
        "strings.csv": csv_of(rows, "message,category"),
        "many.csv": csv_of([(f"{text} number {k}", label) for k, (text, label) in enumerate(rows * 40)]),
        "texts.csv": "text\n" + "".join(f"{text}\n" for text, _ in rows),
        "ids.csv": csv_of([(k, text) for k, (text, _) in enumerate(rows)], "id,text"),
        "sms.tsv": "".join(f"{label}\t{text}\n" for text, label in rows),
        "sms.jsonl": json_of(objects),
        "body.jsonl": json_of({"body": o["text"], "kind": o["label"]} for o in objects),
        "news.csv": "".join(f'"{1 + k % 4}","{text}, they say","{text} {k}"\n' for k, (text, _) in enumerate(rows)),
        "titles.csv": "".join(f'"{1 + k % 4}","title {k}","{text} {k}"\n' for k, (text, _) in enumerate(rows)),
        "joined.csv": csv_of(rows) * 2,
        "joined-with-marks.csv": "\ufeff" + csv_of(rows) + "\ufeff" + csv_of(rows),
        "half.csv": csv_of([(text, label if k % 2 else "") for k, (text, label) in enumerate(rows)]),
        "half.jsonl": json_of({**o, "label": o["label"] if k % 2 else None} for k, o in enumerate(objects)),
        "no-labels.jsonl": json_of({"id": o["id"], "text": o["text"]} for o in objects),
        "topics.svm": "3,17 1:1 4:0.5\n17 2:0.5\n3 1:0.2 2:-1\n 4:1\n",
        "data.svm": "".join(f"{'+1' if k % 2 else '-1'} 1:{k % 7} 2:{k % 5}\n" for k in range(60)),
        "prose.txt": "It was the best of times.\nIt was the worst of times.\n",
        "reuters.tar.xz": b"\xfd7zXZ\x00\x00\x04" + bytes(range(256)),
        "data.zip": b"PK\x03\x04" + bytes(range(200)),
        "photo.bin": b"\x89PNG\r\n\x1a\n" + bytes(range(200)),
        "numbers.csv": "age,height,label\n" + "".join(f"{k % 60},{k % 7},{k % 2}\n" for k in range(60)),
        "prices.csv": "age,price\n" + "".join(f"{k % 60},{k}.95\n" for k in range(60)),
        "one-typo.csv": "age,label\n" + "".join(f"{'4o' if k == 40 else k % 9},{k % 2}\n" for k in range(60)),
        "commas.csv": "age;label\n" + "".join(f"{k % 9},5;{k % 2}\n" for k in range(60)),
        "thousands.csv": "age,label\n" + "".join(f'"{k % 9},000.5",{k % 2}\n' for k in range(60)),
        "twice.csv": "label,age,label\n" + "".join(f"{k % 9},{k % 7},{k % 2}\n" for k in range(60)),
        "old-mac.csv": csv_of(rows).replace("\n", "\r"),
        "empty.txt": "",
        "excel.csv": "sep=;\n" + csv_of(rows).replace(",", ";"),
        "kaggle.csv": csv_of(((label, f'"{text}",,') for text, label in rows), "v1,v2,,"),
        "torn.zst": bytes.fromhex("28b52ffd2480"),
        "array.json": json.dumps(objects, indent=1),
        "header.csv": "text,label\n",
        "wide.csv": ("\ufeff" + csv_of(rows)).encode("utf-32-le"),
        "half.vw": "".join(f"{'' if k % 2 else '1'} | {text}\n" for k, (text, _) in enumerate(rows)),
        "commas-in-texts.csv": "text\n" + "".join(f"well, {text}\n" for text, _ in rows),
        "names.txt": "".join(f"{label} {text}\n" for text, label in rows),
    }


# What is wrong, the arguments, the exit code, the words of the message, and standard input.
Wrong = namedtuple("Wrong", "what arguments code says stdin", defaults=("",))

STREAM = '{"id": 1, "text": "free prize"}\n'

WRONG = [
    Wrong("another case", "run sms.csv --positive Spam", 2, "--positive 'Spam' sms.csv 'spam' 'ham'"),
    Wrong("a column of thousands of labels", "run many.csv --label-column text --positive spam", 2,
          "--positive 'spam' many.csv more"),
    Wrong("a typing mistake", "run sms.csv --positive spma", 2, "--positive 'spma' sms.csv 'spam'"),
    Wrong("a blank more", ["run", "sms.csv", "--positive", "spam "], 2, "--positive 'spam ' space"),
    Wrong("one of several labels", "run sms.csv --labels spam,hm", 2, "--labels 'hm' 'ham' sms.csv"),
    Wrong("a label of other data", "run sms.tsv --positive junk", 2, "--positive 'junk' sms.tsv 'ham' 'spam'"),
    Wrong("another case in JSON lines", "run sms.jsonl --positive SPAM", 2, "--positive 'SPAM' sms.jsonl 'spam'"),
    Wrong("a topic that no line has", "run topics.svm --labels 3,18", 2, "--labels '18' topics.svm '17'"),
    Wrong("more topics than there are", "run topics.svm --topics 5", 2, "--topics 5 topics.svm 2 --labels"),
    Wrong("a class that no example has", "run sms.csv --multiclass --labels spam,ham,eggs", 2, "--labels 'eggs' sms.csv"),
    Wrong("a negative label that no example has", "run sms.csv --positive spam --negative Ham", 3, "'Ham' sms.csv:3 'ham'"),
    Wrong("a label of a comparison", "compare sms.csv --positive Spam --rates 50% --runs 1", 2, "--positive 'Spam' 'spam'"),
    Wrong("a label of a search", "tune sms.csv --positive Spam --runs 1 --rate 20%", 2, "--positive 'Spam' 'spam'"),
    Wrong("labels that are null", "run half.jsonl --positive spam", 3, "half.jsonl:1 label --unlabelled label stream"),
    Wrong("no labels at all", "run no-labels.jsonl --positive spam", 3, "no-labels.jsonl:1 label --unlabelled"),
    Wrong("labels that are empty", "run half.csv --positive spam", 3, "half.csv:2 label --unlabelled"),
    Wrong("nothing is left", "run no-labels.jsonl --positive spam --unlabelled skip", 3, "no-labels.jsonl no example label"),
    Wrong("a label that nobody declared", "stream --positive spam --negative ham --quiet", 3, "'I do not know' 'spam' 'ham'",
          STREAM + '{"id": 1, "label": "I do not know"}\n'),
    Wrong("a label with a blank", "stream --labels spam,ham --quiet", 3, "'Spam ' 'spam'",
          STREAM + '{"id": 1, "label": "Spam "}\n'),
    Wrong("a class that nobody declared", "stream --multiclass --labels spam,ham,eggs --quiet", 3, "'hm' 'ham'",
          STREAM + '{"id": 1, "label": "hm"}\n'),
    Wrong("a table for a model of text", "predict text.model numbers.csv", 3, "numbers.csv text.model text CSV --format"),
    Wrong("prose for a model of text", "predict text.model prose.txt", 3, "prose.txt text.model svmlight --format"),
    Wrong("text for a model of numbers", "predict numbers.model sms.jsonl", 3, "sms.jsonl numbers.model"),
    Wrong("JSON lines for a model of a table", "predict table.model sms.jsonl", 3, "sms.jsonl table.model column"),
    Wrong("going on with other data", "run sms.jsonl --resume numbers.model", 3, "sms.jsonl numbers.model"),
    Wrong("a column that is not there", "run sms.csv --positive spam --label-column lable", 2,
          "sms.csv --label-column 'lable' 'label'"),
    Wrong("a text column that is not there", "run strings.csv --positive spam --text-columns body", 2,
          "strings.csv --text-columns 'body' 'message' 'category'"),
    Wrong("a key that no line has", "run body.jsonl --positive spam --label-column kind --text-columns boddy", 3,
          "body.jsonl:1 'boddy' 'body'"),
    Wrong("other keys", "run body.jsonl --positive spam", 3, "body.jsonl:1 text --text-columns"),
    Wrong("a column of a file without columns", "run data.svm --label-column label", 2, "--label-column data.svm svmlight"),
    Wrong("an option of another format", "run sms.csv --positive spam --split modapte", 2, "--split sms.csv csv"),
    Wrong("an option of another format for a model", "predict text.model sms.jsonl --split modapte", 2, "--split sms.jsonl jsonl"),
    Wrong("an option of files for synthetic data", "run synthetic:separable --header no", 2, "--header synthetic file"),
    Wrong("an option of texts for numbers", "run data.svm --ngrams 2", 2, "--ngrams data.svm numbers texts"),
    Wrong("prices that would be the classes", "run prices.csv --multiclass", 2, "prices.csv 60 '0.95' --label-column"),
    Wrong("prices that would be the labels", "run prices.csv --labels all", 2, "prices.csv 60 --label-column"),
    Wrong("prices that are not two labels", "run prices.csv", 2, "'0.95' --positive --labels --multiclass"),
    Wrong("a share with a blank", "run data.svm --budget 5 %", 2, "'%' --budget 5%"),
    Wrong("a misspelt option", "run sms.csv --positve spam", 2, "--positve --positive run --help"),
    Wrong("a misspelt command", "predcit text.model sms.jsonl", 2, "'predcit' 'predict'"),
    Wrong("a misspelt sampler", "run data.svm --sampler sel-pp", 2, "'sel-pp' 'sel-p'"),
    Wrong("a folder", "run .", 2, ".: folder"),
    Wrong("a folder whose labels are to be found", "run . --multiclass", 2, ".: folder"),
    Wrong("an option of another name", "run sms.csv --text text", 2, "--text --text-columns"),
    Wrong("two options of nearly this name", "run sms.csv --label label", 2, "--label --labels --label-column"),
    Wrong("swapped letters", "rnu sms.csv", 2, "'rnu' mean 'run'?"),
    Wrong("no command of a command", "data fetch mnist", 2, "list get required"),
    Wrong("blanks between labels", ["run", "sms.csv", "--labels", "spam, ham"], 2, "--labels space"),
    Wrong("JSON lines whose label has another name", "run body.jsonl --text-columns body --positive spam", 3,
          "body.jsonl:1 'kind' --label-column"),
    Wrong("a table without labels to evaluate", "evaluate text.model strings.csv", 3, "strings.csv label called target"),
    Wrong("texts that would be the labels", "run news.csv --labels all", 2, "news.csv '3' different --label-column '1'"),
    Wrong("texts that would be the classes", "run news.csv --multiclass", 2, "news.csv '3' different --label-column '1'"),
    Wrong("titles that would be the labels", "run titles.csv --labels all", 2, "titles.csv '2' different --label-column '1'"),
    Wrong("texts that would be the labels of a cache", "convert news.csv -o news.cache", 2, "news.csv '3' --label-column"),
    Wrong("two files with their headers", "run joined.csv --positive spam", 3, "joined.csv:62 header again"),
    Wrong("two files of a spreadsheet", "run joined-with-marks.csv --positive spam", 3, "joined-with-marks.csv:62 header again"),
    Wrong("two files with their headers, to evaluate", "evaluate csv.model joined.csv", 3, "joined.csv:62 header again"),
    Wrong("two files with their headers, for a person", "label joined.csv --out out.csv --labels a,b --text-column text", 3,
          "joined.csv header again"),
    Wrong("a first line for Excel", "run excel.csv --positive spam", 3, "excel.csv sep= tail"),
    Wrong("a first line for Excel, for a person", "label excel.csv --out out.csv --labels a,b", 3, "excel.csv sep= tail"),
    Wrong("empty columns at the end", "run kaggle.csv --positive spam", 2, "kaggle.csv '4' empty --label-column 'v1'"),
    Wrong("an empty pipe", "run - --positive spam", 3, "<stdin> no example"),
    Wrong("an empty file", "run empty.txt --positive spam", 3, "empty.txt no example"),
    Wrong("the first bytes of a packed file", "run torn.zst --positive spam", 3, "torn.zst truncated zstd"),
    Wrong("a raw text", "run prose.txt", 3, "prose.txt:1 svmlight --format"),
    Wrong("an archive of xz", "run reuters.tar.xz", 3, "reuters.tar.xz xz unpack"),
    Wrong("an archive of zip", "run data.zip", 3, "data.zip zip unpack"),
    Wrong("bytes that are no text", "run photo.bin", 3, "photo.bin --format"),
    Wrong("a table of texts alone", "run texts.csv --positive spam", 2, "texts.csv column --label-column askfew label"),
    Wrong("a table of ids and texts", "run ids.csv --multiclass", 2, "ids.csv 'text' --label-column askfew label"),
    Wrong("one label for a person", "label texts.csv --out out.csv --labels spam", 2, "--labels 'spam' other --positive"),
    Wrong("one positive label for a person", "label texts.csv --out out.csv --positive spam", 2, "--labels --negative"),
    Wrong("one label of a stream", "stream --labels spam", 2, "--labels 'spam' other --positive"),
    Wrong("a column of numbers with a typing mistake", "run one-typo.csv", 2, "one-typo.csv 'age' '4o' --categorical-columns"),
    Wrong("numbers with a decimal comma", "run commas.csv", 2, "commas.csv 'age' '0,5' point"),
    Wrong("numbers with marks of thousands", "run thousands.csv", 2, "thousands.csv 'age' '0,000.5' point"),
    Wrong("a header that is said to be a row", "run numbers.csv --header no --positive 1", 2, "numbers.csv 'age' --header"),
    Wrong("two columns of labels", "run twice.csv", 2, "twice.csv 'label' --label-column"),
    Wrong("lines of an old Macintosh", "run old-mac.csv --positive spam", 3, "old-mac.csv carriage tr"),
    Wrong("an array of JSON", "run array.json --positive spam", 3, "array.json array line jq"),
    Wrong("labels that the format cannot have", "run names.txt --positive spam", 2,
          "names.txt svmlight 'spam' integer --format"),
    Wrong("seeds that are the data", "run sms.csv --positive spam --seed-labels sms.csv", 2, "--seed-labels 'sms.csv' data"),
    Wrong("seeds that are not there", "run sms.csv --positive spam --seed-labels none.csv", 2, "--seed-labels 'none.csv' no file"),
    Wrong("a header alone", "run header.csv --positive spam", 3, "header.csv no example"),
    Wrong("UTF-32", "run wide.csv --positive spam", 3, "wide.csv UTF-32 iconv"),
    Wrong("lines of vw without labels", "run half.vw", 3, "half.vw:2 label none --on-error"),
    Wrong("an option that vw does not use", "run half.vw --unlabelled skip", 2, "--unlabelled nothing half.vw vw csv"),
    Wrong("a dash of a word processor", "run sms.csv \u2014positive spam", 2, "'\u2014positive' two hyphens"),
    Wrong("labels to predict", "predict text.model sms.jsonl --unlabelled skip", 2, "--unlabelled predict --help"),
    Wrong("an option of texts for a table of numbers", "run numbers.csv --stem english", 2,
          "--stem nothing numbers.csv column texts --text-columns"),
    Wrong("standard input twice", "run - - --positive spam", 2, "'-' twice standard input", "x"),
    Wrong("a rule as a sampler", "run data.svm --sampler margin:b=2", 2, "'margin' rule --rule --learner"),
    Wrong("a learner as a sampler", "run data.svm --sampler perceptron", 2, "'perceptron' learner --learner --rule"),
    Wrong("a share with a decimal comma", "run data.svm --audit 0,5%", 2, "--audit '0,5%' decimal point"),
    Wrong("a rate for a rule that asks always", "tune data.svm --sampler perc --rate 5%", 2, "always scale --rate"),
    Wrong("less than nothing", "tune data.svm --rate 5% --holdout -5", 2, "--holdout '-5' from 0"),
    Wrong("a number of models without keys", "stream --open-models 5", 2, "--open-models --model-per"),
    Wrong("reports into a file", "reproduce slides --quick --output sms.csv", 2, "sms.csv cannot make folder"),
    Wrong("the name of a machine", "serve team --address localhost", 2, "localhost 127.0.0.1"),
    Wrong("a ledger instead of a model", "inspect some.ledger", 3, "some.ledger ledger model replay"),
    Wrong("texts with commas and without quotes", "label commas-in-texts.csv --out out.csv --labels a,b --text-column text", 3,
          "commas-in-texts.csv 2 fields quotes"),
    Wrong("answers into a folder", "label sms.tsv --out . --labels a,b", 2, ".: cannot write directory"),
    Wrong("a model into a folder that is not there", "label texts.csv --out out.csv --labels a,b --model no/m", 2, "no/m: cannot write"),
    Wrong("labels of two columns of strings", "run strings.csv --positive category", 2, "--positive 'category' 'spam'"),
]


class WrongUses(CliTest):
    def setUp(self):
        super().setUp()
        for name, content in files().items():
            self.write(name, content)
        self.ok("run", "sms.jsonl", "--positive", "spam", "--sampler", "perc", "--model", "text.model", "--quiet")
        self.ok("run", "sms.csv", "--positive", "spam", "--sampler", "perc", "--model", "csv.model", "--quiet")
        self.ok("run", "data.svm", "--sampler", "perc", "--model", "numbers.model", "--quiet")
        self.ok("run", "numbers.csv", "--sampler", "perc", "--model", "table.model", "--quiet")
        self.ok("stream", "--ledger", "some.ledger", stdin=STREAM.encode())

    def test_there_are_more_than_forty(self):
        self.assertGreater(len({str(wrong.arguments) for wrong in WRONG}), 40)

    def test_each_is_refused_with_the_remedy(self):
        for wrong in WRONG:
            arguments = wrong.arguments.split(" ") if isinstance(wrong.arguments, str) else wrong.arguments
            if arguments[0] == "run":
                arguments = [*arguments, "--quiet"]
            with self.subTest(wrong.what, command=" ".join(arguments)):
                done = self.askfew(*arguments, stdin=wrong.stdin.encode())
                if arguments[0] == "stream" and wrong.stdin:  # it goes on: the line is refused
                    self.assertEqual(done.code, 0, done)
                    message = json.loads(done.out.splitlines()[-1])["error"]
                else:
                    message = self.complaint(done, wrong.code)
                for words in wrong.says.replace("'I do not know'", "'I~do~not~know'").replace("'Spam '", "'Spam~'").split():
                    self.assertIn(words.replace("~", " "), message)


class Doubts(CliTest):
    """What may be right is told beside the figures, in the report for programs as well."""

    def notes(self, content, *arguments):
        self.write("data.csv", content)
        done = self.ok("run", "data.csv", "--positive", "spam", *arguments, "--quiet", "--json", "report.json")
        notes = json.loads(self.read("report.json"))["notes"]
        self.assertEqual([f"note: {note}" for note in notes], done.err.splitlines())
        return notes

    def test_good_labels_make_no_note(self):
        self.assertEqual(self.notes(csv_of(messages())), [])

    def test_an_index_of_the_rows_is_told(self):
        lines = csv_of(messages()).splitlines()
        indexed = "".join(f"{k - 1 if k > 0 else ''},{line}\n" for k, line in enumerate(lines))
        (note,) = self.notes(indexed)
        self.assertIn("data.csv: the first column has no name and counts the rows", note)
        self.assertEqual(self.notes(indexed, "--ignore-columns", "1"), [])
        self.assertEqual(self.notes(indexed, "--numeric-columns", "1"), [])
        self.assertEqual(self.notes(indexed.replace("\n7,", "\n70,")), [])
        (note,) = self.notes("nr" + indexed)
        self.assertIn("data.csv: the first column, 'nr', counts the rows", note)
        self.assertEqual(self.notes("nr" + indexed, "--id-column", "nr"), [])

    def test_a_column_called_text_has_words_however_short_it_is(self):
        rows = "".join(f"{'free prize' if k % 3 else 'staff lunch'},{'spam' if k % 3 else 'ham'}\n" for k in range(60))
        for name, role in (("text", "text 'text'"), ("Text", "text 'Text'"), ("tag", "1 categorical")):
            self.write("data.csv", f"{name},label\n{rows}")
            done = self.ok("run", "data.csv", "--positive", "spam", "--quiet")
            self.assertIn(role, done.out)
        self.write("data.csv", "text,label\n" + "".join(f"{k % 7},{k % 2}\n" for k in range(60)))
        self.assertIn("1 numeric", self.ok("run", "data.csv", "--quiet").out)

    def test_a_label_in_other_letters_is_told(self):
        (note,) = self.notes(csv_of(messages()) + "a last text please,Spam\n")
        self.assertIn("'Spam' is not 'spam'", note)

    def test_a_rare_label_with_a_typing_mistake_is_told_and_a_frequent_one_like_it_is_not(self):
        (note,) = self.notes(csv_of(list(messages()) * 3) + "a last text please,spma\n")
        self.assertIn("'spma' is not 'spam'", note)
        self.assertEqual(self.notes(csv_of((text, label.replace("ham", "spams")) for text, label in messages())), [])

    def test_a_label_that_stands_for_a_missing_one_is_told(self):
        (note,) = self.notes(csv_of(messages()) + "a last text please,N/A\n")
        self.assertIn("'N/A'", note)

    DOORS = (("compare", "--samplers", "sel-p", "--rates", "20%", "--runs", "1"), ("tune", "--rate", "20%", "--runs", "1"),
             ("coverage", "--runs", "2"), ("bound", "--sampler", "sel-p", "--seeds", "1"))

    def test_every_command_that_reads_labels_tells_doubts(self):
        self.write("data.csv", csv_of(list(messages()) * 3) + "one text,spma\ntwo texts,SPAM\nthree texts,NA\n")
        for command, *options in self.DOORS:
            with self.subTest(command):
                quiet = [] if command == "bound" else ["--quiet"]
                notes = self.ok(command, "data.csv", "--positive", "spam", *options, *quiet).err.splitlines()
                self.assertEqual(len(notes), 3, notes)
                for words in ("'SPAM' is not 'spam'", "'spma' is not 'spam'", "'NA' is read as a label"):
                    self.assertEqual(sum(words in note for note in notes), 1, notes)

    def test_every_command_that_reads_labels_refuses_one_that_no_example_has(self):
        self.write("data.csv", csv_of(messages()))
        for command, *options in self.DOORS:
            with self.subTest(command):
                done = self.askfew(command, "data.csv", "--positive", "spma", *options)
                message = self.complaint(done, 2)
                self.assertIn("no example has the label 'spma' of --positive: did you mean 'spam'?", message)

    def test_an_evaluation_tells_doubts(self):
        self.write("data.csv", csv_of(messages()))
        self.ok("run", "data.csv", "--positive", "spam", "--model", "m", "--quiet")
        self.write("data.csv", csv_of(messages()) + "a last text please,Spam\n")
        self.assertIn("'Spam' is not 'spam'", self.ok("evaluate", "m", "data.csv").err)

    def test_names_with_digits_and_systems_of_names_are_not_taken_for_typing_mistakes(self):
        rows = list(messages()) * 5
        self.assertEqual(self.notes(csv_of(rows) + "a last text please,spam2\n"), [])
        self.assertEqual(self.notes(csv_of(rows) + "".join(f"some text,spa{letter}\n" for letter in "bcde")), [])

    def test_examples_of_one_label_are_told(self):
        (note,) = self.notes(csv_of((text, "spam") for text, _ in messages()))
        self.assertIn("every example is positive", note)

    def test_codes_with_and_without_letters_are_names(self):
        codes = [f"{k}A" if k % 5 == 0 else str(k) for k in range(100)]
        self.write("data.csv", "ticket,label\n" + "".join(f"{code},{k % 2}\n" for k, code in enumerate(codes)))
        self.ok("run", "data.csv", "--quiet")

    def test_numbers_that_are_said_to_be_names_are_accepted(self):
        self.write("data.csv", files()["one-typo.csv"])
        self.ok("run", "data.csv", "--categorical-columns", "age", "--quiet")
        self.ok("run", "data.csv", "--numeric-columns", "age", "--on-error", "skip", "--quiet")


if __name__ == "__main__":
    unittest.main()
