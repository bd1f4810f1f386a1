"""`predict` gives the margins that a run from the same model shows, and uses no label."""

import csv
import gzip
import io
import json
import os
import pty
import select
import subprocess
import unittest

from harness import ASKFEW, CliTest, binary_lines, catalog, idx_files, rows, text, topic_lines, without_header


class Predict(CliTest):
    def predictions(self, model, data, **options):
        return [line.split("\t") for line in self.ok("predict", model, data, **options).out.splitlines()]

    def test_ids_of_data_are_used_although_the_model_was_trained_without_ids(self):
        rows = [(f"m{k}", "free prize" if k % 3 == 0 else "see you", "spam" if k % 3 == 0 else "ham") for k in range(30)]
        self.write("train.csv", "text,label\n" + "".join(f"{words},{label}\n" for _, words, label in rows))
        self.write("data.csv", "Id,text\n" + "".join(f"{name},{words}\n" for name, words, _ in rows))
        self.ok("run", "train.csv", "--positive", "spam", "--text-columns", "text", "--model", "m", "--quiet")
        out = self.ok("predict", "m", "data.csv", "--output-format", "csv").out
        self.assertEqual([row["id"] for row in csv.DictReader(io.StringIO(out))], [name for name, _, _ in rows])

    def test_every_learner_predicts_as_a_run_does(self):
        """With the predictions as labels and updates on mistakes, a run learns nothing, and its margins equal those of
        the model."""
        train = self.write("train", text(binary_lines(300)))
        fresh = binary_lines(150, seed=8)
        self.write("fresh", text(fresh))
        for learner in catalog()["learners"]:
            if "instances" in learner["offers"]:
                continue  # a run changes its margins with every instance
            for normalize in ([], ["--normalize"]):
                if learner["unit_norm"] and not normalize:
                    continue
                with self.subTest(learner=learner["name"], normalize=normalize):
                    self.ok("run", train, "--learner", learner["name"], "--rule", "always", "--update", "mistake",
                            "--dimension", "30", *normalize, "--model", "m")
                    told = self.predictions("m", "fresh")
                    relabelled = [f"{sign} {line.partition(' ')[2]}" for (sign, _), line in zip(told, fresh)]
                    trace = self.trace(self.write("relabelled", text(relabelled)), "--resume", "m")
                    shown = [line.split(",")[2] for line in without_header(trace).decode().splitlines()]
                    self.assertEqual([margin for _, margin in told], shown)
                    self.assertFalse(any(row.updated for row in rows(trace)))
                    self.assertGreater(len(set(shown)), 100, "the margins are all alike")

    def test_a_learner_that_sees_instances_predicts_nearly_as_a_run_does(self):
        """A run has seen the instance before it predicts it."""
        train = self.write("train", text(binary_lines(300)))
        fresh = self.write("fresh", text(binary_lines(1, seed=8)))
        seeing = [learner["name"] for learner in catalog()["learners"] if "instances" in learner["offers"]]
        self.assertTrue(seeing)
        for learner in seeing:
            with self.subTest(learner=learner):
                self.ok("run", train, "--learner", learner, "--rule", "always", "--dimension", "30", "--model", "m")
                (_, told), = self.predictions("m", fresh)
                row, = rows(self.trace(fresh, "--resume", "m"))
                self.assertAlmostEqual(float(told), row.margin, delta=0.1 * (1 + abs(row.margin)))

    def test_a_line_has_the_labels_with_positive_margins_the_largest_first(self):
        train = self.write("train", text(topic_lines(300)))
        fresh = topic_lines(100, seed=9)
        self.ok("run", train, "--learner", "pa", "--rule", "always", "--update", "mistake", "--labels", "0-4",
                "--model", "m")
        told = self.predictions("m", self.write("fresh", text(fresh)))
        relabelled = [f"{names} {line.partition(' ')[2]}" for (names, _), line in zip(told, fresh)]
        trace = rows(self.trace(self.write("relabelled", text(relabelled)), "--resume", "m"))
        for k, (names, margins) in enumerate(told):
            positive = sorted((row for row in trace[5 * k:5 * k + 5] if row.margin > 0), key=lambda row: -row.margin)
            self.assertEqual(names, ",".join(str(row.task) for row in positive))
            self.assertEqual([float(m) for m in margins.split(",") if m], [row.margin for row in positive])
        self.assertTrue(any("," in names for names, _ in told))
        self.assertTrue(any(names == "" for names, _ in told))

    def test_labels_in_the_data_change_no_prediction(self):
        lines = binary_lines(200)
        self.ok("run", self.write("train", text(lines)), "--model", "m")
        bare = [line.partition(" ")[2] for line in lines]
        told = self.predictions("m", "train")
        for label in ("+1", "-1", "5", "3,17", ""):
            with self.subTest(label):
                self.write("other", text(f"{label} {line}" for line in bare))
                self.assertEqual(self.predictions("m", "other"), told)

    def test_the_prediction_is_the_sign_of_the_margin(self):
        self.ok("run", self.write("train", text(binary_lines(200))), "--model", "m")
        told = self.predictions("m", self.write("fresh", text(binary_lines(100, seed=4)) + "+1 # no features\n"))
        for sign, margin in told:
            self.assertEqual(sign, "+1" if float(margin) > 0 else "-1")
        self.assertEqual(told[-1], ["-1", "0"])

    def test_files_pipes_and_gzip_give_the_same_predictions(self):
        lines = text(binary_lines(300)).encode()
        self.ok("run", self.write("train", lines), "--model", "m")
        told = self.ok("predict", "m", "train").out
        self.assertEqual(self.ok("predict", "m", "-", stdin=lines).out, told)
        self.assertEqual(self.ok("predict", "m", "-", stdin=gzip.compress(lines)).out, told)
        self.assertEqual(self.ok("predict", "m", self.write("packed", gzip.compress(lines))).out, told)
        self.assertEqual(self.ok("predict", "m", "train", "-o", "out").out, "")
        self.assertEqual(self.read("out").decode(), told)
        self.assertEqual(self.ok("predict", "m", "train", "-o", "-").out, told)
        self.assertEqual(told.count("\n"), 300)

    def test_long_data_has_the_same_predictions_as_its_pieces(self):
        """Instances are read in blocks, which must not change the predictions."""
        lines = topic_lines(1300)
        self.ok("run", self.write("train", text(lines)), "--labels", "0-4", "--normalize", "--model", "m")
        told = self.ok("predict", "m", "train").out
        pieces = [self.ok("predict", "m", "-", stdin=text(lines[a:b]).encode()).out
                  for a, b in ((0, 1), (1, 512), (512, 1025), (1025, 1300))]
        self.assertEqual(told, "".join(pieces))

    def test_instances_before_a_bad_line_are_predicted(self):
        self.ok("run", self.write("train", text(binary_lines(700))), "--model", "m")
        self.write("bad", text(binary_lines(700)) + "+1 oops\n")
        done = self.askfew("predict", "m", "bad")
        self.assertEqual((done.code, done.out), (3, self.ok("predict", "m", "train").out))
        self.assertIn("bad:701:", done.err)
        self.refused(3, "predict", "m", "bad", "-o", "new", outputs=False, place="bad:701:4", says="oops")

    def test_on_a_terminal_each_line_is_answered_at_once(self):
        self.ok("run", self.write("train", text(binary_lines(50))), "--model", "m")
        expected = self.ok("predict", "m", "train").out.splitlines()
        ours, theirs = pty.openpty()
        process = subprocess.Popen([ASKFEW, "predict", "m", "-"], cwd=self.folder, stdin=subprocess.PIPE, stdout=theirs)
        os.close(theirs)
        try:
            process.stdin.write(text(binary_lines(50)[:1]).encode())
            process.stdin.flush()
            self.assertTrue(select.select([ours], [], [], 30)[0], "no answer while the stream is open")
            self.assertEqual(os.read(ours, 4096).decode().splitlines(), expected[:1])
        finally:
            process.kill()
            process.communicate()
            os.close(ours)

    def test_predict_changes_no_model(self):
        self.ok("run", self.write("train", text(binary_lines(100))), "--model", "m")
        before = self.read("m")
        self.ok("predict", "m", "train")
        self.assertEqual(self.read("m"), before)

    def test_digits_are_predicted_by_name(self):
        images, labels, _, digits = idx_files(80)
        self.write("d-images", images)
        self.write("d-labels", labels)
        self.ok("run", "d-images", "--labels", "all", "--sampler", "perc", "--model", "m")
        told = self.predictions("m", "d-images")
        self.assertEqual(len(told), 80)
        known = {str(digit) for digit in digits}
        for names, _ in told:
            self.assertLessEqual(set(filter(None, names.split(","))), known)

    def test_packages_are_predicted_by_section(self):
        games = "Package: chess\nSection: games\nDescription: a funny game\n\n"
        libs = "Package: zlib\nSection: libs\nDescription: packs bytes\n\n"
        self.write("list", (games + libs) * 5)
        self.ok("run", "list", "--labels", "games,libs", "--sampler", "perc", "--model", "m")
        self.assertEqual([names for names, _ in self.predictions("m", "list")], ["games", "libs"] * 5)
        self.write("unlabelled", "Package: x\nDescription: funny game\n\n")
        self.assertEqual(self.predictions("m", "unlabelled")[0][0], "games")


class Names(CliTest):
    """Labels can contain any text: an output line is never ambiguous and never controls a terminal."""

    LABELS = ["plain", "two words", "a,b", 'say "x"', "tab\there", "\x1b[31mred", "back\\slash", "\u202eturned", "j\u00e4ger"]

    def setUp(self):
        super().setUp()
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["x", "y", "label"])
        for k in range(200):
            label = self.LABELS[k % len(self.LABELS)]
            writer.writerow([self.LABELS.index(label), k % 3, label])
        self.write("data.csv", out.getvalue())

    @staticmethod
    def meaning(field):
        """The labels that a reader of the output gets."""
        names, rest = [], field
        while rest:
            if rest.startswith('"'):
                name, end = json.JSONDecoder().raw_decode(rest)
            else:
                name, end = rest.split(",", 1)[0], len(rest.split(",", 1)[0])
            names.append(name)
            rest = rest[end + 1:]
        return names

    def test_a_class_can_be_read_back_unchanged(self):
        self.ok("run", "data.csv", "--multiclass", "--sampler", "perc", "--model", "m", "--quiet")
        seen = set()
        for line in self.ok("predict", "m", "data.csv").out.split("\n")[:-1]:
            self.assertTrue(line.replace("\t", "").isprintable(), repr(line))
            field, margin = line.split("\t")
            float(margin)
            name, = self.meaning(field)
            self.assertIn(name, self.LABELS)
            seen.add(name)
        self.assertGreater(len(seen), 1)

    def test_labels_can_be_read_back_unchanged(self):
        self.ok("run", "data.csv", "--labels", "all", "--sampler", "perc", "--model", "m", "--quiet")
        for line in self.ok("predict", "m", "data.csv").out.split("\n")[:-1]:
            field, margins = line.split("\t")
            names = self.meaning(field)
            self.assertEqual(len(names), len(margins.split(",")) if margins else 0, line)
            self.assertLessEqual(set(names), set(self.LABELS))

    def test_reports_contain_no_control_sequences(self):
        for options in (["--multiclass"], ["--labels", "all"]):
            out = self.ok("run", "data.csv", *options, "--sampler", "perc", "--model", "m", "--quiet").out
            out += self.ok("inspect", "m").out
            for line in out.split("\n"):
                self.assertTrue(line.isprintable(), repr(line))

    def test_a_message_about_a_file_contains_no_control_sequences(self):
        self.refused(2, "run", "\x1b[31mnone", says="\\x1b[31mnone", outputs=False)


if __name__ == "__main__":
    unittest.main()
