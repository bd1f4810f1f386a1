"""No output may be the same file as an input or another output, under any name: exit 2, and every file is unchanged."""

import json
import os
import unittest

from harness import CliTest, binary_lines, idx_files, text


class SameFiles(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data.svm", text(binary_lines(50)))
        self.ok("run", "data.svm", "--model", "model", "--quiet")
        lines = "".join(json.dumps({"id": k, "x": [k, 1]}) + "\n" for k in range(3))
        self.write("lines", lines)
        self.ok("stream", "--ledger", "ledger", "--dimension", "2", stdin=lines.encode())

    def refused_as_same(self, *arguments, says=(), stdin=b"", **popen):
        before = self.files()
        line = self.complaint(self.askfew(*arguments, stdin=stdin, **popen), 2)
        for words in says or ["is the same file as"]:
            self.assertIn(words, line)
        self.unchanged(before)

    def test_data_is_not_overwritten(self):
        for option in ("--model", "--trace", "--json"):
            with self.subTest(option):
                self.refused_as_same("run", "data.svm", "--quiet", option, "data.svm")
        for arguments in (["predict", "model", "data.svm", "-o", "data.svm"], ["convert", "data.svm", "-o", "data.svm"],
                          ["bound", "data.svm", "--json", "data.svm", "--sampler", "sel-p"],
                          ["compare", "data.svm", "--quiet", "--csv", "data.svm"],
                          ["compare", "data.svm", "--quiet", "--svg", "data.svm"]):
            with self.subTest(arguments):
                self.refused_as_same(*arguments)

    def test_a_model_is_not_overwritten_by_predictions(self):
        self.refused_as_same("predict", "model", "data.svm", "-o", "model")

    def test_a_ledger_is_not_overwritten(self):
        for arguments in (["replay", "ledger", "--model", "ledger"], ["replay", "ledger", "--trace", "./ledger"],
                          ["replay", "ledger", "--json", "ledger"],
                          ["whatif", "ledger", "--sampler", "sel-p", "--json", "ledger"]):
            with self.subTest(arguments):
                self.refused_as_same(*arguments)
        self.refused_as_same("stream", "--ledger", "ledger", "--model", "ledger", says=["--ledger and --model"])

    def test_a_new_ledger_cannot_have_the_path_of_the_model(self):
        for model in ("new", "./new", os.path.join(self.folder, "new")):
            with self.subTest(model):
                self.refused_as_same("stream", "--ledger", "new", "--model", model, says=["--ledger and --model"])

    def test_a_link_counts_as_the_file_that_it_points_to(self):
        os.symlink("data.svm", self.path("soft"))
        os.symlink("soft", self.path("softer"))
        os.link(self.path("data.svm"), self.path("hard"))
        os.symlink(".", self.path("here"))
        for name in ("soft", "softer", "hard", "here/data.svm", "here/here/soft"):
            with self.subTest(name):
                self.refused_as_same("run", "data.svm", "--quiet", "--model", name)
                self.refused_as_same("run", name, "--quiet", "--model", "data.svm")

    def test_two_new_outputs_with_the_same_place_are_refused(self):
        os.mkdir(self.path("folder"))
        os.symlink("folder", self.path("link"))
        os.symlink("nowhere", self.path("first"))
        os.symlink("nowhere", self.path("second"))
        for one, other in (("folder/new", "link/new"), ("first", "second"), ("first", "nowhere"), ("link/../new", "new")):
            with self.subTest((one, other)):
                self.refused_as_same("run", "data.svm", "--quiet", "--json", one, "--trace", other,
                                     says=["--trace and --json"])

    def test_a_dangling_link_creates_the_file_that_it_points_to(self):
        os.symlink("target", self.path("link"))
        self.ok("run", "data.svm", "--quiet", "--json", "link")
        self.assertTrue(os.path.islink(self.path("link")))
        json.loads(self.read("target"))

    def test_standard_input_and_output_are_compared_with_other_files(self):
        with open(self.path("data.svm"), "rb") as data:
            self.refused_as_same("run", "-", "--quiet", "--model", "data.svm", stdin=data)
        with open(self.path("lines"), "rb") as lines:
            self.refused_as_same("stream", "--model", "lines", stdin=lines)
        with open(self.path("ledger"), "rb") as ledger:
            self.refused_as_same("stream", "--ledger", "ledger", stdin=ledger)
        with open(self.path("lines"), "rb") as lines, open(self.path("lines"), "ab") as out:
            self.refused_as_same("stream", stdin=lines, stdout=out)
        with open(self.path("ledger"), "ab") as out:
            self.refused_as_same("replay", "ledger", stdout=out)
        with open(self.path("report"), "ab") as out:
            self.refused_as_same("run", "data.svm", "--quiet", "--json", "report", stdout=out,
                                 says=["--json and standard output"])

    def test_other_input_files_are_not_overwritten(self):
        images, labels, _, _ = idx_files()
        self.write("images-idx3", images)
        self.write("labels-idx1", labels)
        self.write("words", "the of and\n")
        self.ok("run", "data.svm", "--cache", "--quiet")
        for arguments in (["run", "images-idx3", "--positive", "1", "--trace", "labels-idx1"],
                          ["run", "images-idx3", "--positive", "1", "--idx-labels", "labels-idx1", "--json", "labels-idx1"],
                          ["run", "data.svm", "--stop-words", "words", "--json", "words"],
                          ["run", "data.svm", "--cache", "--model", "data.svm.askcache"],
                          ["run", "data.svm", "--resume", "model", "--trace", "model"]):
            with self.subTest(arguments):
                self.refused_as_same(*arguments, "--quiet")

    def test_a_resumed_model_can_be_replaced(self):
        before = self.read("model")
        self.ok("run", "data.svm", "--quiet", "--resume", "model", "--model", "model")
        self.assertNotEqual(self.read("model"), before)

    def test_devices_can_be_shared(self):
        self.ok("run", "data.svm", "--quiet", "--json", "/dev/null", "--trace", "/dev/null")


if __name__ == "__main__":
    unittest.main()
