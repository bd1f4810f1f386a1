"""A run that is saved and resumed gives the trace and the model of the whole run, byte for byte."""

import unittest

from harness import (CliTest, binary_lines, catalog, every_preset, idx_files, sampler_of, text, topic_lines,
                     without_header)

PACKAGES = [f"Package: p{k}\nSection: {['games', 'libs', 'web'][k % 3]}\nDescription: {w} tool number {k % 7}\n and {v}\n\n"
            for k, (w, v) in enumerate((w, v) for w in ("chess", "socket", "browser", "puzzle", "parser")
                                       for v in ("fun", "fast", "safe", "small", "old", "new"))]


class Resume(CliTest):
    def pieces(self, examples, cuts, arguments):
        """Runs the examples in one go and in pieces, and compares trace, model and results."""
        self.write("whole", "".join(examples))
        report = self.report("whole", *arguments, "--trace", "t", "--model", "m")
        traces = b""
        start = arguments
        for begin, end in zip([0, *cuts], [*cuts, len(examples)]):
            self.write("part", "".join(examples[begin:end]))
            last = self.report("part", *start, "--trace", "pt", "--model", "pm")
            traces += without_header(self.read("pt")) if traces else self.read("pt")
            start = ["--resume", "pm"]
        self.assertTrue(traces == self.read("t"), "the traces differ")
        self.assertTrue(self.read("pm") == self.read("m"), "the models differ")
        self.assertEqual(untimed(last), untimed(report))

    def lines_in_pieces(self, lines, cuts, arguments):
        self.pieces([line + "\n" for line in lines], cuts, arguments)

    def test_every_preset_can_be_resumed(self):
        lines = binary_lines(400)
        for name, arguments in every_preset():
            with self.subTest(name):
                self.lines_in_pieces(lines, [217], arguments)

    def test_every_learner_can_be_resumed_with_rules_that_have_a_state(self):
        """The next-label rule and the counter of halving continue after the resume."""
        lines = binary_lines(300, seed=5)
        for learner in catalog()["learners"]:
            normalize = ["--normalize"] if learner["unit_norm"] else []
            name = learner["name"] + (":B=7" if learner["name"] == "budget" else "")
            for rule in ("log-threshold:c=0.3,next=1", "halving:R=3"):
                with self.subTest(learner=name, rule=rule):
                    self.lines_in_pieces(lines, [101], ["--learner", name, "--rule", rule, "--seed", "9", "--dimension",
                                                        "30", *normalize])

    def test_a_run_can_be_resumed_many_times(self):
        lines = binary_lines(700)
        for sampler in ("sel-ada", "dkm2", "rbp:B=20", "pa-log:next=1", "sel-winnow"):
            with self.subTest(sampler):
                self.lines_in_pieces(lines, [1, 2, 3, 64, 511, 512, 513, 699],
                                     ["--sampler", sampler, "--normalize", "--dimension", "30"])

    def test_many_tasks_can_be_resumed(self):
        lines = topic_lines(300)
        for sampler in ("sel-p", "rbp:B=10", "pa-log"):
            with self.subTest(sampler):
                self.lines_in_pieces(lines, [50, 51, 200], ["--sampler", sampler, "--labels", "0-4"])

    def test_a_task_of_classes_can_be_resumed(self):
        lines = [line.replace("-1", str(k % 3), 1).replace("+1", "7", 1) for k, line in enumerate(binary_lines(200))]
        self.lines_in_pieces(lines, [99], ["--sampler", "sel-p", "--positive", "1,7"])

    def test_a_run_over_packages_can_be_resumed(self):
        for arguments in (["--labels", "games,libs"], ["--positive", "web", "--bits", "10", "--normalize"]):
            with self.subTest(sampler_of(arguments)):
                self.pieces(PACKAGES, [11], ["--sampler", "sel-p", *arguments])

    def test_a_run_over_digits_can_be_resumed(self):
        images, labels, pixels, digits = idx_files(100)
        def write(name, begin, end):
            count = (end - begin).to_bytes(4, "big")
            self.write(f"{name}-images", images[:4] + count + images[8:16] + pixels[begin:end].tobytes())
            self.write(f"{name}-labels", labels[:4] + count + digits[begin:end].tobytes())
            return f"{name}-images"
        for sampler in ("sel-p", "sel-winnow", "alma"):
            with self.subTest(sampler):
                options = ["--sampler", sampler, "--positive", "1,4,7", "--normalize"]
                whole = self.trace(write("all", 0, 100), *options, "--model", "m")
                first = self.trace(write("first", 0, 41), *options, "--model", "half")
                second = self.trace(write("second", 41, 100), "--resume", "half", "--model", "pm")
                self.assertEqual(first + without_header(second), whole)
                self.assertEqual(self.read("pm"), self.read("m"))

    def test_a_model_can_be_resumed_in_place_and_from_a_pipe(self):
        lines = binary_lines(200)
        whole = self.trace(self.write("whole", text(lines)), "--model", "m")
        first = self.trace("-", "--model", "here", stdin=text(lines[:77]).encode())
        second = self.trace("-", "--resume", "here", "--model", "here", stdin=text(lines[77:]).encode())
        self.assertEqual(first + without_header(second), whole)
        self.assertEqual(self.read("here"), self.read("m"))

    def test_a_run_can_be_resumed_with_another_number_of_threads(self):
        lines = topic_lines(200)
        whole = self.trace(self.write("whole", text(lines)), "--sampler", "sel-p", "--labels", "0-4")
        first = self.trace(self.write("a", text(lines[:70])), "--sampler", "sel-p", "--labels", "0-4", "--threads", "3",
                           "--model", "m")
        second = self.trace(self.write("b", text(lines[70:])), "--resume", "m", "--threads", "2")
        self.assertEqual(first + without_header(second), whole)

    def test_resume_does_not_change_its_model(self):
        self.write("a", text(binary_lines(50)))
        self.ok("run", "a", "--model", "m", "--quiet")
        before = self.read("m")
        self.ok("run", "a", "--resume", "m", "--model", "other", "--quiet")
        self.assertEqual(self.read("m"), before)
        self.assertNotEqual(self.read("other"), before)

    def test_the_model_knows_its_dimension(self):
        self.write("a", "+1 1:1\n-1 3:1\n")
        self.write("b", "+1 1:1\n-1 4:1\n")
        for arguments in (["--sampler", "sel-winnow"], ["--sampler", "sel-p", "--dimension", "3"]):
            with self.subTest(sampler_of(arguments)):
                self.ok("run", "a", *arguments, "--model", "m", "--quiet")
                self.refused(3, "run", "b", "--resume", "m", place="b:2:4", says="1 to 3")
                self.refused(3, "predict", "m", "b", "-o", "new", outputs=False, place="b:2:4", says="1 to 3")

    def test_data_of_another_size_is_refused(self):
        """A Winnow over 16 pixels cannot read images of 64, nor hashed text."""
        for side in (4, 8):
            images, labels, _, _ = idx_files(side=side)
            self.write(f"{side}-images", images)
            self.write(f"{side}-labels", labels)
        self.write("list", "".join(PACKAGES))
        self.ok("run", "4-images", "--sampler", "sel-winnow", "--positive", "1", "--model", "m", "--quiet")
        for data in ("8-images", "list"):
            for command in (["run", data, "--resume", "m", "--quiet", "--model", "n"], ["predict", "m", data, "-o", "n"]):
                with self.subTest(sampler_of(command)):
                    before = self.files()
                    done = self.askfew(*command)
                    self.assertIn(done.code, (2, 3), "the program read beyond its weights or made something up")
                    self.complaint(done, done.code)
                    self.unchanged(before)


def untimed(report):
    return {key: value for key, value in report.items() if key not in ("seconds", "examples_per_second")}


if __name__ == "__main__":
    unittest.main()
