"""Help that fits two screens, one entry of the list, and shell completion."""

import subprocess
import unittest

from harness import CliTest

SCREENS = 2 * 50  # lines


class Help(CliTest):
    def test_the_help_of_run_is_grouped_has_three_examples_and_fits_two_screens(self):
        shown = self.ok("run", "--help").out
        for heading in ("Data", "Labels", "Spending", "Learning", "Output"):
            self.assertIn(f"\n{heading}:\n", shown)
        self.assertEqual(shown.split("Examples:\n")[1].count(" askfew run "), 3)
        self.assertLessEqual(len(shown.splitlines()), SCREENS)
        self.assertTrue(all(c.isprintable() or c == "\n" for c in shown))

    def test_rare_options_are_behind_help_all(self):
        few, every = self.ok("run", "--help").out, self.ok("run", "--help-all").out
        for option in ("--idx-labels", "--split", "--index-base", "--char-ngrams", "--delta"):
            self.assertNotIn(option, few)
            self.assertIn(option, every)

    def test_list_shows_one_entry(self):
        shown = self.ok("list", "sel-p").out
        self.assertIn("perceptron", shown)
        self.assertNotIn("sel-2nd", shown)
        self.assertIn("rule", self.ok("list", "margin").out)
        self.assertIn("'sel-p'", self.complaint(self.askfew("list", "sel-pp"), 2))

    def test_completion_is_a_script_that_bash_accepts(self):
        for shell in ("bash", "zsh"):
            self.assertIn("--positive", self.ok("completion", shell).out)
        script = self.ok("completion", "bash").out
        asked = 'COMP_WORDS=(askfew run --posi); COMP_CWORD=2; _askfew; echo "${COMPREPLY[*]}"'
        done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "--positive\n")
        asked = 'COMP_WORDS=(askfew pred); COMP_CWORD=1; _askfew; echo "${COMPREPLY[*]}"'
        done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "predict\n")


if __name__ == "__main__":
    unittest.main()
