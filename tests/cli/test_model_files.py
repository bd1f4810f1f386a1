"""Model files: safetensors, shown by inspect, refused with a reason if damaged, truncated or foreign."""

import gzip
import json
import math
import random
import struct
import unittest

from harness import CliTest, binary_lines, every_preset, sampler_of, text, topic_lines

SIZES = {"F64": 8, "U64": 8, "U32": 4, "U8": 1}


class ModelTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(30, dimension=5)))
        self.write("topics", text(topic_lines(40)))

    def model(self, *arguments, data="data"):
        self.ok("run", data, *arguments, "--quiet", "--model", "m")
        return self.read("m")

    def no_model(self, content, says=""):
        """Checks that the bytes are refused as a model, with a reason after the name of the file."""
        self.write("bad", content)
        line = self.refused(3, "inspect", "bad", outputs=False, place="bad", says=says)
        self.assertGreater(len(line.split(": ", 2)[2].split()), 1, "no reason")
        return line


class Damaged(ModelTest):
    def test_flipped_bits_are_detected(self):
        good = self.model("--sampler", "sel-p")
        rng = random.Random(7)
        positions = {*range(24), *range(len(good) - 8, len(good)), *rng.sample(range(len(good)), 200)}
        for at in sorted(positions):
            bit = 1 << rng.randrange(8)
            with self.subTest(at=at, bit=bit):
                self.no_model(good[:at] + bytes([good[at] ^ bit]) + good[at + 1:])

    def test_changed_metadata_and_numbers_are_detected(self):
        good = self.model("--sampler", "sel-p", "--seed", "5")
        header = struct.unpack("<Q", good[:8])[0]
        for old, new in ((b'\\"seed\\":5', b'\\"seed\\":6'), (b"margin:b=1", b"margin:b=2"), (b'"F64"', b'"U64"')):
            with self.subTest(new):
                self.assertIn(old, good)
                self.no_model(good.replace(old, new, 1), "checksum")
        self.no_model(good[:8 + header] + bytes(len(good) - 8 - header), "checksum")

    def test_truncated_models_are_refused(self):
        good = self.model("--sampler", "sel-p")
        header = struct.unpack("<Q", good[:8])[0]
        lengths = [0, 1, 7, 8, 9, 8 + header // 2, 8 + header - 1, 8 + header, 8 + header + 1,
                   (8 + header + len(good)) // 2, len(good) - 8, len(good) - 1]
        for length in lengths:
            with self.subTest(length=length, header=header, whole=len(good)):
                self.no_model(good[:length])

    def test_bytes_after_the_end_are_refused(self):
        good = self.model("--sampler", "sel-p")
        for extra in (b"\0", b"\n", bytes(8), good):
            with self.subTest(extra=len(extra)):
                self.no_model(good + extra)

    def test_other_files_are_refused_as_not_askfew_models(self):
        good = self.model("--sampler", "sel-p")
        torch = safetensors({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, bytes(8))
        told = safetensors({"__metadata__": {"format": "pt"}, "w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}},
                           bytes(8))
        for name, content in (("text", b"+1 1:1\n" * 100), ("zeros", bytes(1000)), ("gzip", gzip.compress(good)),
                              ("gzip of text", gzip.compress(b"x" * 999)), ("torch", torch), ("told", told),
                              ("empty header", safetensors({}, b"")), ("list", struct.pack("<Q", 2) + b"[]"),
                              ("no JSON", struct.pack("<Q", 8) + b"{{{{{{{{"), ("huge", b"\xff" * 64),
                              ("metadata", safetensors({"__metadata__": 3}, b"")), ("JSON", json.dumps({}).encode() * 9)):
            with self.subTest(name):
                self.no_model(content, "not an askfew model")

    def test_another_version_of_the_format_is_refused(self):
        good = self.model("--sampler", "sel-p")
        self.assertIn(b'"askfew.format":"4"', good)
        self.no_model(good.replace(b'"askfew.format":"4"', b'"askfew.format":"9"', 1))

    def test_every_command_refuses_a_damaged_model(self):
        good = self.model("--sampler", "sel-p")
        for content in (b"", good[:-1], b"text", good[:50] + b"X" + good[51:]):
            with self.subTest(content[:20]):
                self.write("bad", content)
                self.refused(3, "run", "data", "--resume", "bad", place="bad", says="")
                self.refused(3, "predict", "bad", "data", "-o", "new", outputs=False, place="bad", says="")


class Safetensors(ModelTest):
    def check(self, content):
        """Checks that every safetensors reader would accept the file; returns its tensors by name."""
        length = struct.unpack("<Q", content[:8])[0]
        self.assertEqual(length % 8, 0, "the tensors are not aligned")
        header = json.loads(content[8:8 + length])
        self.assertEqual(content[8:9], b"{")
        metadata = header.pop("__metadata__")
        for key, value in metadata.items():
            self.assertIsInstance(value, str, key)
        offset = 0
        tensors = {}
        for name, tensor in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            self.assertEqual(set(tensor), {"dtype", "shape", "data_offsets"}, name)
            begin, end = tensor["data_offsets"]
            self.assertEqual(begin, offset, f"{name} leaves a gap or overlaps")
            self.assertEqual(end - begin, SIZES[tensor["dtype"]] * math.prod(tensor["shape"]), name)
            tensors[name] = tensor["dtype"], content[8 + length + begin:8 + length + end]
            offset = end
        self.assertEqual(8 + length + offset, len(content))
        return metadata, tensors

    def test_the_model_of_every_preset_is_a_valid_safetensors_file(self):
        for name, arguments in every_preset():
            with self.subTest(name):
                metadata, tensors = self.check(self.model(*arguments))
                self.assertIn("askfew.checksum", metadata)
                self.assertIn("askfew.version", metadata)
                self.assertTrue(any(dtype == "F64" for dtype, _ in tensors.values()))

    def test_the_model_of_many_tasks_is_a_valid_safetensors_file(self):
        _, tensors = self.check(self.model("--labels", "0-4", data="topics"))
        self.assertEqual({name.split(".")[0] for name in tensors}, {"opened", *(f"task{k}" for k in range(5))})

    def test_all_numbers_in_a_model_are_finite(self):
        for name, arguments in every_preset():
            with self.subTest(name):
                for tensor, (dtype, raw) in self.check(self.model(*arguments))[1].items():
                    if dtype == "F64":
                        values = struct.unpack(f"<{len(raw) // 8}d", raw)
                        self.assertTrue(all(map(math.isfinite, values)), tensor)


class Inspect(ModelTest):
    def test_inspect_shows_the_report_of_the_run_and_every_tensor(self):
        for data, arguments in (("data", ["--sampler", "sel-p:b=0.25", "--seed", "77"]),
                                ("topics", ["--labels", "0-4", "--seed", "3"]),
                                ("topics", ["--positive", "0,3"])):
            with self.subTest(sampler_of(arguments)):
                report = self.ok("run", data, *arguments, "--quiet", "--model", "m").out
                shown = self.ok("inspect", "m").out
                # A preset is named in the report; a model shows all parameters.
                self.assertIn(report.split("\n", 1)[1], shown)
                for name in self.tensors(self.read("m")):
                    self.assertIn(name, shown)

    def test_inspect_shows_the_sampler(self):
        self.model("--sampler", "sel-p:b=0.25", "--seed", "77")
        shown = self.ok("inspect", "m").out
        for words in ("perceptron:rate=1", "margin:b=0.25", "update on mistake", "seed 77", "rounds     30"):
            self.assertIn(words, shown)

    def tensors(self, content):
        header = json.loads(content[8:8 + struct.unpack("<Q", content[:8])[0]])
        return header.keys() - {"__metadata__"}


def safetensors(header, payload):
    encoded = json.dumps(header).encode()
    return struct.pack("<Q", len(encoded)) + encoded + payload


if __name__ == "__main__":
    unittest.main()
