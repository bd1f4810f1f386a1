"""Help that fits two screens, one entry of the list, and shell completion."""

import json
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

    def test_everyday_options_and_commands_come_first(self):
        shown = self.ok("run", "--help").out
        places = [shown.index(f"\n{heading}:\n") for heading in ("Labels", "Spending", "Output", "Data", "Learning")]
        self.assertEqual(places, sorted(places))
        commands = self.ok("--help").out
        self.assertLess(commands.index("\nBegin here:\n"), commands.index("\nExperiments:\n"))
        listed = self.ok("completion", "bash").out
        for name in ("run", "label", "whatif", "completion"):
            self.assertIn(name, listed)
            self.assertIn(f"\n  {name} ", commands)

    def test_help_and_version_are_also_words(self):
        self.assertEqual(self.ok("help").out, self.ok("--help").out)
        self.assertEqual(self.ok("help", "run").out, self.ok("run", "--help").out)
        for word in ("version", "-V"):
            self.assertEqual(self.ok(word).out, self.ok("--version").out)
        self.assertIn("no command 'runn': did you mean 'run'", self.complaint(self.askfew("help", "runn"), 2))

    def test_a_share_that_is_wrong_is_told_with_its_option(self):
        data = "synthetic:linear-noise:n=200"
        self.assertIn("--audit '200%' is not a share", self.complaint(self.askfew("run", data, "--audit", "200%"), 2))
        self.assertIn("--rates '5' is not a share", self.complaint(self.askfew("compare", data, "--rates", "5"), 2))

    def test_rare_options_are_behind_help_all(self):
        few, every = self.ok("run", "--help").out, self.ok("run", "--help-all").out
        for option in ("--idx-labels", "--split", "--index-base", "--char-ngrams", "--delta"):
            self.assertNotIn(option, few)
            self.assertIn(option, every)

    def test_a_report_names_an_unchanged_preset_and_writes_out_any_other_sampler(self):
        def sampler(*options):
            return self.ok("run", "synthetic:linear-noise:n=200", "--quiet", *options).out.splitlines()[0][11:]

        self.assertEqual(sampler("--budget", "20"), "auto (scaled-logistic + threshold), seed 1")
        self.assertEqual(sampler("--sampler", "sel-2nd"), "sel-2nd (second-order + margin), seed 1")
        self.assertEqual(sampler("--sampler", "sole"), "sole (second-order + margin), seed 1")  # the same under another name
        self.assertEqual(sampler("--sampler", "sel-p:b=0.5"), "perceptron:rate=1 + margin:b=0.5, update on mistake, seed 1")
        self.assertEqual(sampler("--sampler", "sel-p", "--update", "asked"), "perceptron:rate=1 + margin:b=1, update on asked, seed 1")
        self.ok("run", "synthetic:linear-noise:n=200", "--quiet", "--budget", "20", "--model", "m", "--json", "r")
        self.assertIn("scaled-logistic:constant=", self.ok("inspect", "m").out)
        self.assertIn("scaled-logistic:constant=", json.loads(self.read("r"))["sampler"]["learner"])

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
