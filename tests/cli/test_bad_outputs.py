"""Outputs that cannot be written: exit 2, one line that names them, and no other output is left."""

import os
import resource
import subprocess
import unittest

from harness import ASKFEW, CliTest, binary_lines, text

OUTPUTS = ["--model", "--json", "--trace"]


class BadOutputs(CliTest):
    def setUp(self):
        super().setUp()
        self.write("good.svm", text(binary_lines(2000)))
        os.mkdir(self.path("dir"))

    def others(self, option):
        """The other outputs, one of which exists already."""
        self.write("new0", "an older file")
        return [word for k, other in enumerate(OUTPUTS) if other != option for word in (other, f"new{k}")]

    def test_paths_that_cannot_be_written_are_refused(self):
        for option in OUTPUTS:
            for path, says in (("missing/file", "No such file"), ("dir", "directory"), ("dir/", "directory"),
                               ("good.svm/file", "Not a directory"), ("/dev/full", "cannot write: No space left on device"),
                               ("/proc/nowhere", "cannot write")):
                with self.subTest(option=option, path=path):
                    self.refused(2, "run", "good.svm", "--quiet", option, path, *self.others(option), outputs=False,
                                 place=path, says=says)
        self.assertEqual(os.listdir(self.path("dir")), [])

    def test_a_path_of_predictions_that_cannot_be_written_is_refused(self):
        self.ok("run", "good.svm", "--model", "m")
        for path, says in (("missing/file", "No such file"), ("dir", "directory"), ("/dev/full", "No space left")):
            with self.subTest(path):
                self.refused(2, "predict", "m", "good.svm", "-o", path, outputs=False, place=path, says=says)

    def test_an_output_with_an_empty_name_is_refused(self):
        """`--model "$UNSET"` must not run for an hour and then write nothing."""
        for option in OUTPUTS:
            with self.subTest(option):
                self.refused(2, "run", "good.svm", "--quiet", option, "", outputs=False, says=option)

    def test_bad_outputs_are_detected_before_the_data_is_read(self):
        self.write("bad.svm", "oops\n")
        for option in OUTPUTS:
            with self.subTest(option):
                self.refused(2, "run", "bad.svm", "--quiet", option, "missing/file", outputs=False, says="missing/file")

    def test_two_outputs_with_the_same_path_are_refused(self):
        for place in ("-", "same"):
            for first, second in (("--json", "--trace"), ("--model", "--json"), ("--trace", "--model")):
                with self.subTest(place=place, outputs=(first, second)):
                    self.refused(2, "run", "good.svm", "--quiet", first, place, second, place, outputs=False,
                                 says=[first, second])

    def test_a_model_on_standard_output_is_the_only_output_or_refused(self):
        done = subprocess.run([ASKFEW, "run", "good.svm", "--quiet", "--model", "-"], cwd=self.folder, timeout=60,
                              capture_output=True)
        if done.returncode == 0:
            self.ok("run", "good.svm", "--quiet", "--model", "m")
            self.assertEqual(done.stdout, self.read("m"))
        else:
            self.refused(2, "run", "good.svm", "--quiet", "--model", "-", outputs=False, says="--model")

    def test_a_disk_that_fills_up_is_reported_and_leaves_the_old_files(self):
        """The disk fills up while the files are written."""
        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.write("m", "an older file")
        self.ok("run", "good.svm", "--model", "small.model")
        for arguments in (["run", "good.svm", "--quiet", "--trace", "t", "--model", "m", "--json", "j"],
                          ["run", "good.svm", "--quiet", "--model", "m", "--json", "j"],
                          ["predict", "small.model", "good.svm", "-o", "p"]):
            with self.subTest(arguments):
                before = self.files()
                done = self.askfew(*arguments, preexec_fn=little_room)
                self.assertIn("cannot write: File too large", self.complaint(done, 2))
                self.unchanged(before)

    def test_a_full_standard_output_is_reported(self):
        self.ok("run", "good.svm", "--model", "m")
        for arguments in (["list"], ["list", "--json"], ["inspect", "m"], ["predict", "m", "good.svm"],
                          ["run", "good.svm", "--quiet"], ["run", "good.svm", "--quiet", "--trace", "-"],
                          ["run", "good.svm", "--quiet", "--json", "-"], ["--help"], ["run", "--help"], ["--version"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                self.assertIn("standard output: No space left on device",
                              self.complaint(self.askfew(*arguments, stdout=full), 2))

    def test_with_a_closed_standard_output_the_report_goes_into_no_file(self):
        """The next opened file would get the descriptor of standard output, and with it the report."""
        self.ok("run", "good.svm", "--quiet", "--model", "expected")
        done = self.askfew("run", "good.svm", "--quiet", "--model", "m", stdout=None, preexec_fn=lambda: os.close(1))
        self.assertIn("cannot write to standard output", self.complaint(done, 2))
        self.assertEqual(self.read("m"), self.read("expected"))

    def test_an_existing_file_is_replaced_only_by_a_complete_file(self):
        self.write("m", "an older file")
        self.ok("run", "good.svm", "--quiet", "--model", "m")
        self.ok("inspect", "m")
        self.assertEqual(sorted(os.listdir(self.folder)), ["dir", "good.svm", "m"])

    def test_a_new_file_has_the_usual_permissions(self):
        os.umask(mask := os.umask(0))
        self.ok("run", "good.svm", "--quiet", "--model", "m", "--json", "j", "--trace", "t")
        for name in "mjt":
            self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, 0o666 & ~mask)

    def test_a_replaced_file_keeps_its_permissions(self):
        for rights in (0o600, 0o640, 0o664):
            with self.subTest(oct(rights)):
                for name in "mjt":
                    self.write(name, "an older file")
                    os.chmod(self.path(name), rights)
                self.ok("run", "good.svm", "--quiet", "--model", "m", "--json", "j", "--trace", "t")
                for name in "mjt":
                    self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, rights)


if __name__ == "__main__":
    unittest.main()
