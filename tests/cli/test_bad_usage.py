"""Bad usage and impossible configurations: exit 2 and one line that says what would be accepted."""

import unittest

from harness import CliTest, binary_lines, sampler_of, text

BAD_SAMPLERS = [
    (["--sampler", "no-such-sampler"], ["'no-such-sampler'", "sel-p", "pa-log"]),
    (["--sampler", "sel-q"], ["'sel-q'", "'sel-p'"]),
    (["--sampler", "sel-p:bb=1"], ["'bb'", "'b'"]),
    (["--sampler", "sel-p:q=1"], ["'q'", "b", "rate"]),
    (["--sampler", "sel-p:b"], ["'b'", "parameter=value"]),
    (["--sampler", "sel-p:b="], ["b", "number"]),
    (["--sampler", "sel-p:b=much"], ["'much'", "number"]),
    (["--sampler", "sel-p:b=1e"], ["number"]),
    (["--sampler", "sel-p:b=0"], ["b = 0", "(0, inf)"]),
    (["--sampler", "sel-p:b=-1"], ["b = -1", "(0, inf)"]),
    (["--sampler", "sel-p:b=nan"], ["b = nan", "(0, inf)"]),
    (["--sampler", "sel-p:b=inf"], ["b = inf", "(0, inf)"]),
    (["--sampler", "sel-p:b=1e999"], ["b = ", "(0, inf)"]),
    (["--sampler", "rand-perc:q=1.5"], ["q = 1.5", "[0, 1]"]),
    (["--sampler", "rbp:B=1.5"], ["B = 1.5", "integer from 1"]),
    (["--sampler", "rbp:B=0"], ["B = 0", "integer from 1"]),
    (["--sampler", "dkm2:step=3"], ["step = 3", "(0, 2]"]),
    (["--sampler", "pa-log:next=2"], ["next = 2", "0 or 1"]),
    (["--learner", "nope", "--rule", "margin"], ["'nope'", "perceptron"]),
    (["--learner", "perceptron", "--rule", "nope"], ["'nope'", "margin"]),
    (["--learner", "perceptron:x=1", "--rule", "margin"], ["'x'", "rate"]),
    (["--learner", "pa:C=1", "--rule", "always"], ["pa", "'C'"]),
    (["--learner", "perceptron", "--rule", "margin:b=-1"], ["b = -1", "(0, inf)"]),
    (["--learner", "p-norm:p=1.9", "--rule", "always"], ["p = 1.9", "[2, inf)"]),
    (["--learner", "perceptron"], ["--learner", "--rule"]),
    (["--rule", "margin"], ["--learner", "--rule"]),
    (["--sampler", "sel-p", "--learner", "perceptron", "--rule", "margin"], ["--sampler", "--learner"]),
    (["--sampler", "sel-p", "--rule", "margin"], ["--sampler", "--rule"]),
    (["--update", "never"], ["'never'", "mistake", "asked", "margin"]),
    (["--sampler", "sel-p", "--update", "margin"], ["perceptron", "margin", "mistake", "asked"]),
    (["--sampler", "sel-winnow", "--update", "margin"], ["winnow", "margin", "mistake", "asked"]),
]

BAD_OPTIONS = [
    (["--format", "parquet"], ["csv", "svmlight", "idx", "packages"]),
    (["--positive", "1", "--labels", "1"], ["--positive", "--labels"]),
    (["--positive", "x"], ["'x'", "integer"]),
    (["--positive", "1,1"], ["--positive", "'1'", "twice"]),
    (["--labels", "1,1"], ["--labels", "'1'", "twice"]),
    (["--labels", "1,+1"], ["--labels", "twice"]),
    (["--labels", "1-3,2"], ["--labels", "'2'", "twice"]),
    (["--labels", "1,"], ["--labels", "empty"]),
    (["--labels", "3-1"], ["--labels", "'3-1'", "range"]),
    (["--labels", "1.5"], ["1.5", "integer"]),
    (["--label-field", "name"], ["--label-field", "name", "section", "tag"]),
    (["--seed", "-1"], ["--seed", "-1", "from 0"]),
    (["--seed", "one"], ["--seed", "one", "from 0"]),
    (["--seed", "1.5"], ["--seed", "1.5", "whole"]),
    (["--seed", ""], ["--seed"]),
    (["--seed", "18446744073709551616"], ["--seed", "18446744073709551616"]),
    (["--bits", "0"], ["--bits", "0", "1 to 27"]),
    (["--bits", "28"], ["--bits", "28", "1 to 27"]),
    (["--bits", "4294967314"], ["--bits", "4294967314", "1 to 27"]),
    (["--bits", "99999999999999999999"], ["--bits", "1 to 27"]),
    (["--dimension", "0"], ["--dimension", "0", "1 to 134217728"]),
    (["--dimension", "-5"], ["--dimension", "-5", "1 to 134217728"]),
    (["--dimension", "134217729"], ["--dimension", "134217729", "1 to 134217728"]),
    (["--dimension", "many"], ["--dimension", "many"]),
    (["--threads", "0"], ["--threads", "0", "1 to 1024"]),
    (["--threads", "-1"], ["--threads", "-1", "1 to 1024"]),
    (["--save-every", "0"], ["--save-every", "0", "1 to"]),
    (["--save-every", "-1"], ["--save-every", "-1", "whole"]),
    (["--save-every", "1e3"], ["--save-every", "1e3", "whole"]),
    (["--nonsense"], ["--nonsense", "--help"]),
    (["--nonsense", "3"], ["--nonsense", "--help"]),
    (["--seed"], ["--seed"]),
    (["--sampler", ""], ["--sampler"]),
    (["--labels", ""], ["--labels"]),
    (["--positive", ""], ["--positive"]),
    (["--resume", ""], ["--resume"]),
]

FRESH = [["--seed", "1"], ["--sampler", "sel-p"], ["--learner", "pa"], ["--rule", "always"], ["--update", "asked"],
         ["--dimension", "9"], ["--positive", "1"], ["--labels", "1"], ["--normalize"], ["--label-field", "tag"],
         ["--bits", "9"], ["--dictionary"], ["--fold"], ["--stop-words", "english"], ["--stem", "english"],
         ["--ngrams", "1-2"], ["--char-ngrams", "3"], ["--tf", "once"], ["--tf-idf"], ["--bias", "1"]]


class BadUsage(CliTest):
    def setUp(self):
        super().setUp()
        self.lines = binary_lines(40)
        self.write("good.svm", text(self.lines))

    def test_bad_samplers_are_refused(self):
        for arguments, says in BAD_SAMPLERS:
            with self.subTest(sampler_of(arguments)):
                self.refused(2, "run", "good.svm", *arguments, says=says)

    def test_bad_options_are_refused(self):
        for arguments, says in BAD_OPTIONS:
            with self.subTest(sampler_of(arguments)):
                self.refused(2, "run", "good.svm", *arguments, says=says)

    def test_the_message_about_an_integer_out_of_range_has_the_true_range(self):
        """The range in the message does not contain the refused value."""
        line = self.refused(2, "run", "good.svm", "--sampler", "rbp:B=1e17", says="B = ")
        self.assertNotRegex(line, r"accepted: integer >= 1\Z")

    def test_wrong_values_of_options_have_the_words_of_this_program(self):
        for arguments, says in [
                (("run", "good.svm", "--threads", "0"), "--threads: '0' is not a whole number from 1 to 1024"),
                (("run", "good.svm", "--threads", "many"), "--threads: 'many' is not a whole number from 1 to 1024"),
                (("run", "good.svm", "--threads", "0x2"), "--threads: '0x2' is not a whole number from 1 to 1024"),
                (("compare", "good.svm", "--runs", "-2"), "--runs: '-2' is not a whole number from 1 to 1000"),
                (("serve", "p", "--port", "99999"), "--port: '99999' is not a whole number from 0 to 65535"),
                (("run", "good.svm", "--final", "last", "--delta", "2"), "--delta: '2' is not a number from 1e-12 to 0.999"),
                (("run", "good.svm", "--final", "best"), "--final: 'best' is not one of: last, average, penalized"),
                (("run", "good.svm", "--quiet=maybe"), "--quiet: 'maybe' is not accepted"),
                (("run", "good.svm", "--threads"), "--threads needs a value"),
                (("run", "good.svm", "--nothing", "0"), "no option --nothing"),
                (("compare", "good.svm", "--folds", "3"), "no option --folds: did you mean --fold?"),
                (("inspect", "a", "b"), "'b' is an argument too many"),
                ((), "no command: askfew --help lists them")]:
            with self.subTest(" ".join(arguments)):
                self.assertIn(f"askfew: {says}", self.complaint(self.askfew(*arguments), 2))

    def test_a_seed_with_a_leading_zero_is_decimal(self):
        done = self.askfew("run", "good.svm", "--seed", "010", "--quiet")
        if done.code == 0:
            self.assertIn("seed 10\n", done.out)

    def test_resume_refuses_options_that_the_model_fixes(self):
        self.ok("run", "good.svm", "--model", "m")
        for option in [*FRESH, ["--baseline"]]:
            with self.subTest(sampler_of(option)):
                self.refused(2, "run", "good.svm", "--resume", "m", *option, says=["--resume", option[0]])

    def test_options_that_need_two_passes_are_refused_for_a_pipe(self):
        stdin = text(self.lines).encode()
        self.refused(2, "run", "-", "--sampler", "sel-winnow", stdin=stdin, says=["pipe", "--dimension"])
        self.refused(2, "run", "-", "--learner", "winnow-balanced", "--rule", "always", stdin=stdin, says="--dimension")
        self.refused(2, "run", "-", "--labels", "all", stdin=stdin, says=["pipe", "--labels"])

    def test_topics_from_a_pipe_must_be_named(self):
        self.refused(2, "run", "-", stdin=b"3,17 1:1\n 2:1\n", says=["--positive", "--labels"])

    def test_bad_commands_and_arguments_are_refused(self):
        self.ok("run", "good.svm", "--model", "m")
        for arguments, says in (([], ["--help"]),
                                (["learn"], ["'learn'", "run", "predict", "list", "inspect"]),
                                (["learn", "good.svm", "--seed", "1"], ["'learn'", "run", "predict"]),
                                (["--nonsense"], ["--nonsense"]),
                                (["run"], ["DATA"]),
                                (["predict"], ["MODEL"]),
                                (["predict", "m"], ["DATA"]),
                                (["inspect"], ["MODEL"]),
                                (["list", "everything"], ["everything"]),
                                (["list", "--yaml"], ["--yaml"]),
                                (["inspect", "m", "--seed", "1"], ["--seed"]),
                                (["predict", "m", "good.svm", "--seed", "1"], ["--seed"]),
                                (["predict", "m", "good.svm", "--format", "parquet"], ["csv", "svmlight"])):
            with self.subTest(sampler_of(arguments)):
                self.refused(2, *arguments, outputs=False, says=says)

    def test_an_option_given_twice_is_refused(self):
        """Otherwise the second value would silently win."""
        for arguments in (["--seed", "1", "--seed", "2"], ["--sampler", "perc", "--sampler", "alma"]):
            with self.subTest(sampler_of(arguments)):
                self.refused(2, "run", "good.svm", *arguments, says=arguments[0])


if __name__ == "__main__":
    unittest.main()
