"""`askfew stream` with topics: a decision and a label for each topic of a document."""

import json
import struct
import unittest

from live_stream import StreamTest, instance, lines, numbers

TOPICS = ["chess", "go", "time"]
WORDS = {"chess": ("rook", "king", "pawn"), "go": ("stone", "black"), "time": ("clock",)}


def topics_of(k):
    text = instance(k)["text"]
    return [topic for topic in TOPICS if any(word in text for word in WORDS[topic])]


def labels(k):
    return {"id": k, "labels": topics_of(k)}


def tensors(model):
    """All tensors of a model but the counts of true labels, which only a run sees."""
    size = struct.unpack("<Q", model[:8])[0]
    header = json.loads(model[8:8 + size])
    data = model[8 + size:]
    return {name: data[slice(*tensor["data_offsets"])] for name, tensor in header.items()
            if name != "__metadata__" and ".confusion" not in name}


class TopicStreamTest(StreamTest):
    FLAGS = ["--labels", ",".join(TOPICS), "--sampler", "sel-p", "--normalize"]

    def answer_at_once(self, rounds, *flags):
        """The answers to instances; every asked label is answered at once."""
        answers, receipts = [], []
        with self.live(*flags, "--model", "m", "--quiet") as live:
            for k in range(rounds):
                answers.append(live(instance(k)))
                if answers[-1]["ask"]:
                    receipts.append(live(labels(k)))
            self.assertEqual(live.end(), (0, ""))
        return answers, receipts

    def test_immediate_labels_give_the_decisions_and_the_model_of_a_run(self):
        data = [{**instance(k), "labels": topics_of(k)} for k in range(150)]
        self.write("data", lines(data))
        for flags in ([], ["--ask", "together"],
                      ["--ask", "together", "--budget", "40", "--horizon", "150", "--audit", "5%"],
                      ["--budget", "40", "--horizon", "150"]):
            flags = [*self.FLAGS, *flags] if "--budget" not in flags else [*self.FLAGS[:2], *flags]
            answers, receipts = self.answer_at_once(150, *flags)
            self.ok("run", "data", "--format", "jsonl", *flags, "--quiet", "--trace", "t", "--model", "r")
            rows = [line.split(",") for line in self.read("t").decode().splitlines()[1:]]
            self.assertEqual(len(rows), 150 * len(TOPICS))
            asked = 0
            for n, row in enumerate(rows):
                topic = answers[n // len(TOPICS)]["topics"][TOPICS[n % len(TOPICS)]]
                self.assertEqual(float(row[2]), topic["margin"], (flags, row))
                self.assertEqual(row[5] == "1", topic["ask"], (flags, row))
                asked += topic["ask"]
            self.assertGreater(asked, 30)
            updated = sum(row[8] == "1" for row in rows)
            self.assertEqual(sum(len(r["updated"]) for r in receipts), updated)
            found, expected = tensors(self.read("m")), tensors(self.read("r"))
            # A stream knows the time; sums of estimates have another order if labels come after their rounds.
            different = {name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)
                         and ".watch." not in name and not name.endswith(".plan.time")}
            self.assertEqual(different, set(), flags)

    def test_a_ledger_of_topics_replays_and_goes_on(self):
        given = [o for k in range(60) for o in (instance(k), *([labels(k - 7)] if k >= 7 else []))]
        for ask in "apart", "together":
            whole, halves = f"whole {ask}", f"halves {ask}"
            flags = [*self.FLAGS, "--ask", ask, "--audit", "10%", "--expire", "20"]
            self.ok("stream", *flags, "--ledger", whole, "--model", "m", stdin=lines(given))
            self.ok("stream", *flags, "--ledger", halves, stdin=lines(given[:50]))
            self.ok("stream", "--ledger", halves, "--quiet", "--model", "n", stdin=lines(given[50:]))
            self.assertEqual(self.read("m"), self.read("n"))
            report = self.ok("replay", whole, "--model", "p", "--trace", "t").out
            self.assertEqual(self.read("m"), self.read("p"))
            for topic in TOPICS:
                self.assertIn(f"topic      {topic}:", report)
            rows = self.read("t").decode().splitlines()
            self.assertTrue(rows[0].endswith(",topic"))
            self.assertTrue(all(row.split(",")[-1] in TOPICS for row in rows[1:]))
            self.assertIn("outcome", self.ok("ledger", "check", whole).out)

    def test_what_if_compares_each_topic(self):
        given = [o for k in range(120) for o in (instance(k), labels(k))]
        for ask in "apart", "together":
            self.ok("stream", *self.FLAGS, "--ask", ask, "--audit", "20%", "--ledger", ask, stdin=lines(given))
            same = json.loads(self.ok("whatif", ask, "--json", "-").out)["topics"]
            self.assertEqual(list(same), sorted(TOPICS))
            for topic in TOPICS:
                self.assertEqual(same[topic]["coverage"]["coverage"], 1)
                self.assertEqual(same[topic]["recorded"]["asked"], same[topic]["what_if"]["asked"])
                self.assertEqual(same[topic]["recorded"]["error"], same[topic]["what_if"]["error"])
            other = self.ok("whatif", ask, "--sampler", "perc").out
            self.assertTrue(all(f"\n{topic} " in other for topic in TOPICS), other)

    def test_two_labels_are_topics_if_a_flag_says_how_they_are_asked(self):
        flags = ["--labels", "chess,go", "--sampler", "perc"]
        self.assertIn("prediction", self.answers([instance(1)], *flags)[0])
        self.assertEqual(self.answers([instance(1)], *flags, "--ask", "apart")[0]["ask"], ["chess", "go"])
        self.assertEqual(self.answers([instance(1)], "--labels", "chess", "--sampler", "perc", "--ask", "together")[0]["ask"],
                         ["chess"])
        self.assertIn("several topics", self.complaint(self.askfew("stream", *flags, "--multiclass", "--ask", "together"), 2))

    def test_a_change_names_its_topic(self):
        def line(o):
            return {"id": o["id"], "labels": ["up"] if o["label"] > 0 else []} if "label" in o else o

        given = [line(o) for o in numbers(4000, 0)]
        answers = self.answers(given, "--labels", "up,never", "--ask", "apart", "--sampler", "sel-p", "--audit", "20%")
        changes = [a["change"] for a in answers if "change" in a]
        self.assertEqual({c["topic"] for c in changes}, {"up"})
        self.assertEqual(changes[0]["kind"], "error_up")


if __name__ == "__main__":
    unittest.main()
