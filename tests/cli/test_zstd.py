"""zstd is recognized by content, in files and pipes, and damage is reported."""

import ctypes
import unittest

from harness import CliTest, binary_lines, text

LIBRARY = ctypes.CDLL("libzstd.so.1")
LIBRARY.ZSTD_compress.restype = LIBRARY.ZSTD_compressBound.restype = ctypes.c_size_t
LIBRARY.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
LIBRARY.ZSTD_compressBound.argtypes = [ctypes.c_size_t]


def compress(content):
    packed = ctypes.create_string_buffer(LIBRARY.ZSTD_compressBound(len(content)))
    size = LIBRARY.ZSTD_compress(packed, len(packed), content, len(content), 3)
    return packed.raw[:size]


class Zstd(CliTest):
    def setUp(self):
        super().setUp()
        self.text = text(binary_lines(3000)).encode()
        self.expected = self.trace(self.write("plain", self.text))

    def test_zstd_files_and_pipes_give_the_same_trace(self):
        half = self.text.index(b"\n", len(self.text) // 2) + 1
        for packed in (compress(self.text), compress(self.text[:half]) + compress(self.text[half:])):
            self.assertEqual(self.trace(self.write("data.zst", packed)), self.expected)
            self.assertEqual(self.trace("-", stdin=packed), self.expected)

    def test_truncated_and_damaged_files_are_refused(self):
        packed = compress(self.text)
        self.refused(3, "run", self.write("data", packed[:-20]), place=r"data:\d+:1", says="truncated zstd")
        self.refused(3, "run", self.write("data", packed + b"no frame"), place=r"data:\d+:1", says="damaged zstd")


if __name__ == "__main__":
    unittest.main()
