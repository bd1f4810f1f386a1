"""`askfew stream --shard`: processes with a part of the topics each give together what one process gives."""

import os
import unittest

from live_stream import StreamTest, instance, lines
from test_topic_stream import tensors

TOPICS = ["rook", "stone", "king", "clock", "draw"]


def topics_of(k):
    return [topic for topic in TOPICS if topic in instance(k)["text"]]


def parts_of(answer):
    """What shards share: not the time, and not the text of an error, which names topics."""
    return {key: value for key, value in answer.items() if key not in ("latency", "error", "line")}


class ShardsTest(StreamTest):
    FLAGS = ["--labels", ",".join(TOPICS), "--sampler", "sel-p", "--normalize"]

    def lines_with_labels(self, *flags, rounds=120, late=7):
        """Instances, and late labels for those that one process asks: complete lists, some topics alone, declined ones."""
        given, asked = [], {}
        with self.live(*flags, "--quiet") as live:
            def say(line):
                given.append(line)
                return live(line)

            for k in range(rounds + late):
                if k < rounds and (ask := say(instance(k))["ask"]):
                    asked[k] = ask
                old = k - late
                if old not in asked:
                    continue
                if old % 5 == 0:
                    for topic in asked[old]:
                        say({"id": old, "labels": {topic: topic in topics_of(old)}})
                else:
                    say({"id": old, "labels": None if old % 7 == 0 else topics_of(old)})
                if old % 11 == 0:  # a correction, and a line that is sent again
                    say({"id": old, "labels": []})
                    say(instance(old))
        return given

    def stream(self, given, name, *flags):
        return self.answers(given, *flags, "--ledger", f"{name}.ledger", "--model", f"{name}.model")

    def expect_same(self, whole, parts):
        """The answers of the shards, side by side, are those of one process."""
        self.assertEqual({len(part) for part in parts}, {len(whole)})
        for one, *of_shards in zip(whole, *parts):
            joined = parts_of(of_shards[0])
            for other in of_shards[1:]:
                for key, value in parts_of(other).items():
                    if isinstance(value, list):
                        joined[key] = joined[key] + value
                    elif isinstance(value, dict):
                        joined[key] = {**joined[key], **value}
                    else:
                        self.assertEqual(joined[key], value)
            self.assertEqual(joined, parts_of(one))
            self.assertEqual(any("error" in answer for answer in of_shards), "error" in one)

    def test_shards_give_the_answers_and_the_model_of_one_process(self):
        for name, flags in {"plain": [], "audit": ["--audit", "10%", "--expire", "30"], "people": ["--overlap", "20%:2"]}.items():
            flags = [*self.FLAGS, *flags]
            given = self.lines_with_labels(*flags)
            self.assertGreater(sum("labels" in line for line in given), 20)
            whole = self.stream(given, "whole", *flags)
            for count in 2, 5:
                names = [f"{name}-{number}-{count}" for number in range(1, count + 1)]
                parts = [self.stream(given, part, *flags, "--shard", f"{number}/{count}") for number, part in enumerate(names, 1)]
                self.expect_same(whole, parts)
                ledgers = [f"{part}.ledger" for part in names]
                report = self.ok("replay", *ledgers, "--model", "joined.model").out
                self.assertEqual(self.read("joined.model"), self.read("whole.model"), (flags, count))
                self.assertEqual(report.count("every outcome as it was recorded"), count)
            os.remove(self.path("whole.ledger"))

    def test_shards_with_a_budget_give_the_model_of_one_process(self):
        flags = [*self.FLAGS[:2], "--budget", "30", "--horizon", "120"]
        given = self.lines_with_labels(*flags)
        whole = self.stream(given, "whole", *flags)
        parts = [self.stream(given, f"part{k}", *flags, "--shard", f"{k}/2") for k in (1, 2)]
        self.expect_same(whole, parts)
        self.ok("replay", "part1.ledger", "part2.ledger", "--model", "joined.model")
        found, expected = tensors(self.read("joined.model")), tensors(self.read("whole.model"))
        self.assertEqual({name for name in found if not name.endswith(".plan.time")},
                         {name for name in expected if not name.endswith(".plan.time")})
        # A stream knows the time, and these ran one after the other.
        self.assertEqual([name for name in found if found[name] != expected[name] and not name.endswith(".plan.time")], [])

    def test_a_shard_goes_on_from_its_ledger_and_refuses_another_shard(self):
        given = self.lines_with_labels(*self.FLAGS)
        flags = [*self.FLAGS, "--shard", "2/2"]
        self.stream(given, "at once", *flags)
        self.ok("stream", *flags, "--ledger", "l", stdin=lines(given[:60]))
        ledger = self.read("l")
        for other in ["--shard", "1/2"], ["--shard", "3/5"], []:
            self.assertIn("the ledger was begun with the topics 'clock', 'draw', not ", self.complaint(self.askfew("stream", *self.FLAGS, *other, "--ledger", "l"), 2))
        self.assertEqual(self.read("l"), ledger)
        self.ok("stream", "--ledger", "l", "--model", "m", "--quiet", stdin=lines(given[60:]))
        self.assertEqual(self.read("m"), self.read("at once.model"))

    def test_labels_of_other_shards_are_no_errors_and_unknown_labels_are(self):
        given = [instance(1), {"id": 1, "labels": {"draw": True}}, {"id": 1, "labels": ["draw", "rook"]}, {"id": 1, "labels": ["drew"]},
                 {"id": 2, "labels": ["draw"]}]
        answers = self.answers(given, "--labels", ",".join(TOPICS), "--sampler", "perc", "--shard", "1/2")
        self.assertEqual(answers[0]["ask"], TOPICS[:3])
        self.assertEqual(answers[1], {"id": 1, "outcomes": {}, "updated": []})
        self.assertEqual(answers[2]["outcomes"], dict.fromkeys(TOPICS[:3], "learned"))
        self.assertIn("label 'drew' is not one of 'rook', 'stone', 'king', 'clock', 'draw': did you mean 'draw'?", answers[3]["error"])
        self.assertEqual(answers[4]["outcomes"], dict.fromkeys(TOPICS[:3], "unknown"))

    def test_an_instance_is_a_round_in_all_shards_or_in_none(self):
        # One process waits for the first label of id 1; a shard that did not ask would take the second instance.
        changed = {**instance(2), "id": 1}
        for number in 1, 2:
            answers = self.answers([instance(1), instance(1), changed, {"report": True}], *self.FLAGS[:2], "--sampler",
                                   "rand-perc:q=1e-9", "--shard", f"{number}/2")
            self.assertEqual(answers[0]["ask"], [])
            self.assertTrue(answers[1]["repeated"])
            self.assertIn("needs a new id", answers[2]["error"])
            self.assertEqual(answers[3]["report"]["rounds"], 1)

    def test_what_a_shard_cannot_know_is_refused(self):
        self.write("seeds.jsonl", lines([{"id": 1, "text": "a", "labels": ["rook"]}]))
        for flags, words in [(["--ask", "together"], "a shard of the topics cannot make it"),
                             (["--volunteered", "learn"], "volunteered labels are not for a shard"),
                             (["--volunteered", "keep"], "volunteered labels are not for a shard"),
                             (["--seed-labels", "seeds.jsonl"], "not for a shard"),
                             (["--multiclass"], "a shard is a part of several topics")]:
            for number in 1, 2:
                self.assertIn(words, self.complaint(self.askfew("stream", *self.FLAGS, *flags, "--shard", f"{number}/2"), 2))
        for shard in "6/5", "0/2", "1", "a/b":
            self.assertIn("accepted: 1/8, 2/8", self.complaint(self.askfew("stream", *self.FLAGS, "--shard", shard), 2))
        self.assertIn("every shard needs at least one topic", self.complaint(self.askfew("stream", *self.FLAGS, "--shard", "1/6"), 2))
        self.assertIn("a part of several topics", self.complaint(self.askfew("stream", "--shard", "1/2"), 2))
        self.assertIn("named twice", self.complaint(self.askfew("stream", "--labels", "a,b,a", "--shard", "2/3"), 2))
        answers = self.answers([{"settings": {"labels": [*TOPICS[:3], "new"]}}, {"settings": {"volunteered": "learn"}}],
                               *self.FLAGS, "--shard", "1/2")
        self.assertIn("topics cannot be added to a shard", answers[0]["error"])
        self.assertIn("not for a shard", answers[1]["error"])

    def test_only_the_ledgers_of_all_shards_give_one_model(self):
        given = [instance(k) for k in range(20)]
        for number in 1, 2, 3:
            self.stream(given if number < 3 else given[:10], f"s{number}", *self.FLAGS, "--shard", f"{number}/3")
        for ledgers, words in [(["s1", "s2"], "have 4 of 5 topics"), (["s2", "s1"], "its topics do not follow"),
                               (["s1", "s2", "s3"], "it saw other instances")]:
            said = self.complaint(self.askfew("replay", *(f"{name}.ledger" for name in ledgers), "--model", "none"), 2)
            self.assertIn(words, said)
        self.assertFalse(os.path.exists(self.path("none")))
        self.assertIn("one by one", self.complaint(self.askfew("replay", "s1.ledger", "s2.ledger", "--trace", "t"), 2))


if __name__ == "__main__":
    unittest.main()
