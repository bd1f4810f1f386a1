"""Many labels: the most frequent of them, and tasks that run together."""

import unittest

from harness import CliTest, binary_lines, catalog, rows, text, topic_lines


def counted(lines):
    """How many lines have each label."""
    counts = {}
    for line in lines:
        for label in filter(None, line.partition(" ")[0].split(",")):
            counts[label] = counts.get(label, 0) + 1
    return counts


class Topics(CliTest):
    def test_the_most_frequent_labels_are_kept(self):
        lines = topic_lines(300, topics=9)
        self.write("data", text(lines))
        counts = counted(lines)
        by_count = sorted(counts, key=lambda label: (-counts[label], int(label)))
        for most in (1, 3, 9):
            report = self.report("data", "--topics", str(most))
            self.assertEqual([task["task"] for task in report["tasks"]], by_count[:most])
        self.refused(2, "run", "data", "--topics", "50", says=["--topics 50", "only 9 labels", "--labels all"])

    def test_equally_frequent_labels_are_sorted_by_number(self):
        self.write("data", "7,10 1:1\n10,7 2:1\n9 1:1\n9,3 3:1\n3 1:1\n5 1:1\n")
        self.assertEqual([task["task"] for task in self.report("data", "--topics", "3")["tasks"]], ["3", "7", "9"])

    def test_a_run_with_topics_equals_a_run_with_these_labels(self):
        self.write("data", text(topic_lines(400, topics=6)))
        names = [task["task"] for task in self.report("data", "--topics", "4")["tasks"]]
        self.assertEqual(self.trace("data", "--topics", "4", "--model", "a"),
                         self.trace("data", "--labels", ",".join(names), "--model", "b"))
        self.assertEqual(self.read("a"), self.read("b"))

    def test_labels_all_changes_nothing_with_topics(self):
        self.write("data", text(topic_lines(100)))
        self.assertEqual(self.trace("data", "--topics", "2"), self.trace("data", "--topics", "2", "--labels", "all"))

    def test_contradictory_options_are_refused(self):
        self.write("data", text(topic_lines(20)))
        for extra, says in ((["--labels", "1,2"], "--topics finds the labels itself"),
                            (["--positive", "1"], "--topics finds the labels itself"),
                            (["--multiclass"], "--topics and --multiclass exclude each other")):
            self.refused(2, "run", "data", "--topics", "2", *extra, says=says)
        for number in ("0", "-1", "x", "1.5"):
            self.refused(2, "run", "data", "--topics", number, says="--topics")
        self.refused(2, "run", "missing", "--topics", "2", says="missing: cannot open")
        self.refused(2, "run", "-", "--topics", "2", says="a pipe is read only once: name the labels with --labels",
                     stdin=text(topic_lines(20)).encode())
        self.ok("run", "data", "--topics", "2", "--model", "m", "--quiet")
        self.refused(2, "run", "data", "--resume", "m", "--topics", "2", says="--topics cannot be given with --resume")


class Together(CliTest):
    """Tasks share memory if their learner permits it; each task behaves as if it ran alone."""

    def setUp(self):
        super().setUp()
        self.write("data", text(topic_lines(500, topics=20)))

    def test_each_task_behaves_as_if_it_ran_alone(self):
        for learner in ("perceptron", "pa-1:C=0.1", "shifting"):
            together = rows(self.trace("data", "--learner", learner, "--rule", "log-threshold:c=0.2", "--labels", "0-19"))
            for label in (0, 7, 19):
                alone = rows(self.trace("data", "--learner", learner, "--rule", "log-threshold:c=0.2",
                                        "--labels", str(label)))
                mine = [row for row in together if row.task == label]
                self.assertEqual([(row.margin, row.probability, row.asked) for row in mine],
                                 [(row.margin, row.probability, row.asked) for row in alone], (learner, label))

    def test_threads_change_neither_baseline_nor_models(self):
        """Threads also decide which tasks share memory."""
        learners = [entry["name"] for entry in catalog()["learners"]
                    if entry["name"] in ("perceptron", "reflect", "shifting", "pa", "pa-1", "pa-2", "alma")]
        self.assertEqual(len(learners), 7)
        for learner in learners:
            outputs = set()
            for threads in ("1", "2", "3", "8", "40"):
                trace = self.trace("data", "--learner", learner, "--rule", "margin:b=0.2", "--normalize", "--labels",
                                   "0-19", "--threads", threads, "--baseline", "--model", "m", "--json", "j")
                report = [line for line in self.read("j").splitlines() if b"second" not in line]
                outputs.add((trace, self.read("m"), b"\n".join(report)))
            self.assertEqual(len(outputs), 1, learner)

    def test_an_error_names_the_same_round_and_task_on_any_number_of_threads(self):
        lines = topic_lines(300, topics=20)
        lines[150] = "3,12 1:1e150 2:1e150"
        lines[151:] = [line + " 40:1" for line in lines[151:]]
        self.write("data", text(lines))
        said = {self.refused(3, "run", "data", "--learner", "perceptron", "--rule", "always", "--labels", "0-19",
                             "--threads", threads, says=["round 151", "finite"]) for threads in ("1", "2", "5", "20")}
        self.assertEqual(len(said), 1, said)

    def test_threads_change_nothing_with_one_task(self):
        self.write("one", text(binary_lines(50)))
        self.assertEqual(self.trace("one", "--threads", "1"), self.trace("one", "--threads", "4"))


if __name__ == "__main__":
    unittest.main()
