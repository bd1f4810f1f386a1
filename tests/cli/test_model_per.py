"""`askfew stream --model-per FIELD`: each key has the session that it would have alone, open or not."""

import glob
import json
import os
import unittest

from live_stream import StreamTest, instance, label, lines

SAMPLER = ["--sampler", "sel-p", "--bits", "12"]


def with_key(record, key):
    return {**record, "customer": key}


class ModelPer(StreamTest):
    def keyed(self, objects, *arguments, folder="models"):
        done = self.ok("stream", "--model-per", "customer", "--ledger", folder, *SAMPLER, *arguments, stdin=lines(objects))
        return [json.loads(line) for line in done.out.splitlines()]

    def ledgers(self, folder="models"):
        return sorted(glob.glob(self.path(folder) + "/*/*.ledger"))

    def test_a_key_has_the_answers_and_the_model_that_it_has_alone_however_few_are_open(self):
        keys = ["ann", "bob", 7, "7", "../../x", "Ann", "é", ""]
        objects = []
        for k in range(60):
            objects += [with_key(instance(k), key) for key in keys]
            objects += [with_key(label(k), key) for key in keys[::2]]
        for few in ("1", "3", "100"):
            folder = f"models-{few}"
            answers = self.keyed(objects, "--open-models", few, folder=folder)
            self.assertEqual([a["customer"] for a in answers], [o["customer"] for o in objects])
            self.assertEqual(len(self.ledgers(folder)), len(keys))
            for key in keys:
                own = [o for o in objects if o["customer"] == key and type(o["customer"]) is type(key)]
                alone = self.answers(own, *SAMPLER)
                got = [{n: v for n, v in a.items() if n not in ("customer", "latency")} for a in answers
                       if a["customer"] == key and type(a["customer"]) is type(key)]
                self.assertEqual([{**g, "line": 0} if "line" in g else g for g in got],
                                 [{**{n: v for n, v in a.items() if n != "latency"}, **({"line": 0} if "line" in a else {})} for a in alone])
        self.assertFalse([name for name in os.listdir(self.folder) if not name.startswith("models-")], "a key became a path")

    def test_a_stream_goes_on_with_the_models_of_the_stream_before(self):
        first = [with_key(instance(k), k % 5) for k in range(50)]
        second = [with_key(label(k), k % 5) for k in range(50)] + [with_key(instance(k), k % 5) for k in range(50, 100)]
        together = self.keyed(first + second, folder="one")
        apart = self.keyed(first, folder="two") + self.keyed(second, folder="two")
        strip = [{n: v for n, v in a.items() if n not in ("latency", "line")} for a in together]
        self.assertEqual([{n: v for n, v in a.items() if n not in ("latency", "line")} for a in apart], strip)
        for ledger in self.ledgers("two"):
            self.ok("replay", ledger)

    def test_lines_without_a_key_are_refused_with_their_number(self):
        objects = [with_key(instance(1), "a"), instance(2), {"customer": ["a"], **instance(3)}, with_key(instance(4), "x" * 81),
                   with_key({"id": 5}, "a"), with_key(instance(6), "a")]
        answers = self.keyed(objects)
        self.assertEqual([a.get("line") for a in answers], [None, 2, 3, 4, 5, None])
        self.assertIn("the field 'customer'", answers[1]["error"])
        self.assertIn("more than 80 bytes", answers[3]["error"])
        self.assertEqual(len(self.ledgers()), 1)

    def test_wrong_uses_are_told(self):
        for flags, words in [(["--model-per", "customer"], "--model-per needs --ledger, a folder"),
                             (["--model-per", "customer", "--ledger", "f", "--model", "m"], "--model is not for --model-per"),
                             (["--model-per", "customer", "--ledger", "f", "--open-models", "0"], "--open-models")]:
            self.assertIn(words, self.complaint(self.askfew("stream", *flags), 2))


if __name__ == "__main__":
    unittest.main()
