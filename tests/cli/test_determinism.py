"""The same seed gives the same bytes: in two runs, on any number of threads, with and without other outputs."""

import unittest

from harness import CliTest, binary_lines, every_preset, rows, sampler_of, text, topic_lines


class Determinism(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(600)))
        self.write("topics", text(topic_lines(1200, topics=7)))

    def test_every_preset_gives_the_same_trace_twice(self):
        for name, arguments in every_preset():
            with self.subTest(name):
                first = self.trace("data", *arguments, "--seed", "3", "--model", "a")
                second = self.trace("data", *arguments, "--seed", "3", "--model", "b")
                self.assertTrue(first == second, "the traces differ")
                self.assertTrue(self.read("a") == self.read("b"), "the models differ")

    def test_another_seed_gives_another_trace(self):
        coins = []
        for seed in ("0", "1", "2", "18446744073709551615"):
            coins.append([row.coin for row in rows(self.trace("data", "--sampler", "sel-p", "--seed", seed))])
        for k, coin in enumerate(coins):
            for other in coins[:k]:
                self.assertFalse(set(coin) & set(other))

    def test_coins_are_uniform(self):
        coins = sorted(row.coin for row in rows(self.trace("topics", "--sampler", "sel-p", "--labels", "0-6")))
        self.assertEqual(len(coins), 1200 * 7)
        self.assertTrue(all(0 <= coin < 1 for coin in coins))
        distance = max(abs(coin - (k + 0.5) / len(coins)) for k, coin in enumerate(coins))
        self.assertLess(distance, 2 / len(coins) ** 0.5, "Kolmogorov-Smirnov, beyond one in a thousand")

    def test_coins_do_not_depend_on_the_sampler_or_the_data(self):
        def coins(*arguments):
            return [row.coin for row in rows(self.trace(*arguments, "--seed", "5"))]
        once = coins("data", "--sampler", "sel-p")
        self.assertEqual(coins("data", "--sampler", "pa-log"), once)
        self.write("other", text(binary_lines(600, seed=9)))
        self.assertEqual(coins("other", "--sampler", "dkm2", "--normalize"), once)

    def test_the_number_of_threads_changes_nothing(self):
        for arguments in (["--sampler", "sel-p"], ["--sampler", "rbp:B=20"], ["--sampler", "pa-log:next=1", "--baseline"],
                          ["--sampler", "dkm2", "--normalize"], ["--sampler", "sel-winnow", "--dimension", "30"],
                          ["--sampler", "sel-2nd"], ["--sampler", "ss", "--baseline"],
                          ["--learner", "lasec:form=dual", "--rule", "margin:b=0.1"],
                          ["--learner", "kernel-second-order:gamma=0.1", "--rule", "dgs:alpha=0.01"]):
            with self.subTest(sampler_of(arguments)):
                outputs = [(self.trace("topics", *arguments, "--threads", threads, "--model", "m"), self.read("m"))
                           for threads in ("1", "2", "3", "8")]
                for trace, model in outputs[1:]:
                    self.assertTrue(trace == outputs[0][0], "the traces differ")
                    self.assertTrue(model == outputs[0][1], "the models differ")

    def test_the_number_of_threads_changes_nothing_if_bounds_decide_rounds(self):
        """Without a trace the spread is computed only if the decision needs it."""
        for sampler in ("sel-2nd", "lasec-ss", "dgs", "margin-ss"):
            models = []
            for threads in ("1", "2", "8"):
                self.ok("run", "topics", "--sampler", sampler, "--threads", threads, "--model", "m", "--quiet")
                models.append(self.read("m"))
            self.assertTrue(models[0] == models[1] == models[2], sampler)

    def test_more_threads_than_tasks_change_nothing(self):
        self.assertEqual(self.trace("data", "--threads", "1"), self.trace("data", "--threads", "64"))

    def test_other_outputs_change_nothing(self):
        for arguments in (["--sampler", "sel-p"], ["--sampler", "pa-log"], ["--sampler", "dkm2", "--normalize"]):
            with self.subTest(sampler_of(arguments)):
                trace = self.trace("data", *arguments)
                self.assertEqual(self.trace("data", *arguments, "--model", "m", "--json", "j", "--baseline"), trace)
                plain = self.ok("run", "data", *arguments, "--quiet", "--model", "n").out
                self.assertEqual(self.ok("run", "data", *arguments, "--trace", "t").out, plain)
                self.assertEqual(self.read("m"), self.read("n"))

    def test_a_preset_equals_its_pair_of_learner_and_rule(self):
        """`--sampler sel-p:b=0.5` is `--learner perceptron --rule margin:b=0.5`."""
        for sampler, learner, rule in (("sel-p:b=0.5", "perceptron", "margin:b=0.5"), ("perc", "perceptron", "always"),
                                       ("pa-log:C=0.1,c=2", "pa-1:C=0.1", "log-threshold:c=2"),
                                       ("rbp:B=9", "budget:B=9", "always")):
            with self.subTest(sampler):
                self.assertEqual(self.trace("data", "--sampler", sampler),
                                 self.trace("data", "--learner", learner, "--rule", rule))

    def test_the_default_sampler_is_pa_log(self):
        self.assertEqual(self.trace("data"), self.trace("data", "--sampler", "pa-log", "--seed", "1"))


if __name__ == "__main__":
    unittest.main()
