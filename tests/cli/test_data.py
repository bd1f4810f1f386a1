"""askfew data list and get, as far as they need no network."""

import os
import unittest

from harness import CliTest


class Data(CliTest):
    def test_an_empty_folder_has_none_of_them(self):
        out = self.ok("data", "list", "--data", "nowhere").out
        for name in ("mnist", "usps", "reuters21578", "rcv1", "a9a"):
            self.assertRegex(out, rf"(?m)^{name} +missing ")

    def test_other_content_is_told(self):
        os.mkdir(self.path("sms_spam"))
        self.write("sms_spam/SMSSpamCollection", "ham\thello\n")
        self.assertRegex(self.ok("data", "list", "--data", ".").out, r"(?m)^sms_spam +other content ")

    def test_a_set_without_a_package_says_where_to_put_it(self):
        self.refused(2, "data", "get", "usps", says=["no public package", "zip.train, zip.test into data/usps"], outputs=False)

    def test_an_unknown_set_is_refused(self):
        self.refused(2, "data", "get", "minst", says="mnist", outputs=False)

    def test_an_experiment_says_which_file_it_misses(self):
        done = self.askfew("reproduce", "monteleoni-2007", "--data", "nowhere", "--quick", "--quiet")
        self.assertEqual(done.code, 2)
        self.assertIn("nowhere/mnist/train-images-idx3-ubyte: not there: askfew data get mnist", done.err)

    def test_an_unknown_experiment_is_refused(self):
        self.refused(2, "reproduce", "nobody-1900", says="known: all", outputs=False)


if __name__ == "__main__":
    unittest.main()
