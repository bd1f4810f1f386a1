"""The binary cache: askfew convert, and --cache, which keeps a cache next to the data."""

import os
import unittest

from harness import CliTest, binary_lines, text, topic_lines

CSV = "id,colour,size,kind\n" + "".join(
    f"{k},{'red' if k % 3 else 'blue'},{k % 7 / 4},{'yes' if k % 3 else 'no'}\n" for k in range(300))
JSONL = "".join(f'{{"text": "word{k % 5} and word{k % 3}", "label": "{"ham" if k % 2 else "spam"}"}}\n'
                for k in range(300))


class Convert(CliTest):
    def same_run(self, *arguments, data, cache="data.askcache"):
        """A run over the cache decides as the run over the data does, to the bit."""
        self.assertTrue(self.trace(data, *arguments) == self.trace(cache, *arguments), "the traces differ")

    def test_a_run_over_the_cache_of_svmlight_text_is_the_same(self):
        self.write("data", text(binary_lines(900)))
        self.ok("convert", "data", "-o", "data.askcache")
        self.same_run(data="data")
        self.same_run("--normalize", "--bias", "0.5", data="data")
        self.same_run("--sampler", "sel-winnow", data="data")

    def test_a_run_over_the_cache_of_topics_is_the_same(self):
        self.write("data", text(topic_lines(900)))
        self.ok("convert", "data", "-o", "data.askcache")
        self.same_run("--topics", "2", data="data")

    def test_a_run_over_the_cache_of_labels_1_and_2_is_the_same(self):
        self.write("data", "".join(f"{1 + k % 2} 1:{k % 2} 2:{k % 5}\n" for k in range(200)))
        self.ok("convert", "data", "-o", "data.askcache")
        self.same_run(data="data")

    def test_a_table_and_its_cache_give_the_same_run_and_predictions(self):
        self.write("data.csv", CSV)
        options = "--label-column", "kind", "--ignore-columns", "id", "--positive", "yes"
        self.ok("convert", "data.csv", "-o", "data.askcache", *options[:4])
        self.same_run(*options, data="data.csv")
        self.ok("run", "data.askcache", *options, "--quiet", "--model", "m")
        self.assertEqual(self.ok("predict", "m", "data.csv").out, self.ok("predict", "m", "data.askcache").out)

    def test_a_run_over_the_cache_of_text_with_a_dictionary_and_tf_idf_is_the_same(self):
        self.write("data.jsonl", JSONL)
        self.ok("convert", "data.jsonl", "-o", "data.askcache", "--dictionary")
        self.same_run("--dictionary", "--tf-idf", "--normalize", "--bias", "1", "--positive", "spam", data="data.jsonl")

    def test_several_files_become_one_cache(self):
        lines = binary_lines(600)
        self.write("a", text(lines[:200]))
        self.write("b", text(lines[200:]))
        self.write("whole", text(lines))
        self.ok("convert", "a", "b", "-o", "data.askcache")
        self.same_run(data="whole")

    def test_convert_reads_from_and_writes_to_pipes(self):
        lines = text(binary_lines(300)).encode()
        self.write("data", lines)
        with open(self.path("data.askcache"), "wb") as file:
            done = self.askfew("convert", "-", "-o", "-", stdin=lines, stdout=file)
        self.assertEqual(done.code, 0, done.err)
        self.same_run(data="data")
        piped = self.ok("run", "-", "--quiet", "--json", "r", stdin=self.read("data.askcache"))
        self.assertIn("rounds     300", piped.out)

    def test_a_cache_can_be_converted_back_to_svmlight_text(self):
        lines = text(binary_lines(300))
        self.write("data", lines)
        self.ok("convert", "data", "-o", "data.askcache")
        self.ok("convert", "data.askcache", "--to", "svmlight", "-o", "again")
        self.same_run(data="data", cache="again")

    def test_malformed_examples_can_be_skipped(self):
        self.write("data", "+1 1:1\n-1 1:x\n-1 2:1\n")
        self.refused(3, "convert", "data", "-o", "data.askcache", place="data:2:6", says="not a number", outputs=False)
        done = self.ok("convert", "data", "-o", "data.askcache", "--on-error", "skip")
        self.assertIn("skipped data:2:6", done.err)
        self.assertIn("rounds     2", self.ok("run", "data.askcache", "--quiet").out)

    def test_an_input_is_not_replaced(self):
        self.write("data", text(binary_lines(30)))
        os.symlink(self.path("data"), self.path("link"))
        self.refused(2, "convert", "data", "-o", "link", says="write to another file", outputs=False)

    def test_convert_refuses_options_that_apply_after_the_cache(self):
        self.write("data", text(binary_lines(30)))
        for option in (["--normalize"], ["--bias", "1"], ["--tf-idf"], ["--order", "time"]):
            self.refused(2, "convert", "data", "-o", "c", *option, says=option[0], outputs=False)


class Refused(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(900)))
        self.ok("convert", "data", "-o", "data.askcache")

    def test_a_cache_whose_source_has_changed_is_refused(self):
        self.write("data", text(binary_lines(901)))
        self.refused(3, "run", "data.askcache", place="data.askcache", says="data has changed since: convert it again")

    def test_a_cache_whose_source_is_gone_is_accepted(self):
        os.remove(self.path("data"))
        self.ok("run", "data.askcache", "--quiet")

    def test_a_cache_with_a_changed_byte_is_refused(self):
        content = bytearray(self.read("data.askcache"))
        content[len(content) // 2] ^= 4
        self.write("data.askcache", bytes(content))
        self.refused(3, "run", "data.askcache", place="data.askcache", says="damaged")

    def test_a_truncated_cache_is_refused(self):
        content = self.read("data.askcache")
        self.write("data.askcache", content[:len(content) - 9])
        self.refused(3, "run", "data.askcache", place="data.askcache", says="truncated")

    def test_a_cache_with_another_first_index_is_refused(self):
        self.refused(3, "run", "data.askcache", "--index-base", "0", place="data.askcache", says="index-base")


class Kept(CliTest):
    def setUp(self):
        super().setUp()
        self.write("data", text(binary_lines(900)))

    def test_the_cache_is_written_once_and_read_afterwards(self):
        plain = self.trace("data")
        first = self.ok("run", "data", "--cache", "--quiet", "--trace", "first")
        self.assertIn("making data.askcache\n", first.err)
        made = os.stat(self.path("data.askcache")).st_mtime_ns
        second = self.ok("run", "data", "--cache", "--quiet", "--trace", "second")
        self.assertEqual(second.err, "")
        self.assertEqual(made, os.stat(self.path("data.askcache")).st_mtime_ns)
        self.assertTrue(plain == self.read("first") == self.read("second"), "the traces differ")

    def remade(self, *arguments):
        return "making" in self.ok("run", *arguments, "--cache", "--quiet").err

    def test_a_cache_that_does_not_match_is_written_again(self):
        self.assertTrue(self.remade("data"))
        self.write("data", text(binary_lines(901)))
        self.assertTrue(self.remade("data"), "the data has changed")
        self.write("more", text(binary_lines(10)))
        self.assertTrue(self.remade("data", "more"), "there is one more file")
        self.assertTrue(self.remade("data"), "there is one fewer")
        cache = self.read("data.askcache")
        self.write("data.askcache", cache[:20])
        self.assertTrue(self.remade("data"), "it is damaged")
        self.assertFalse(self.remade("data", "--normalize", "--bias", "1", "--sampler", "sel-winnow"))

    def test_a_table_has_the_same_model_and_predictions_with_a_cache(self):
        self.write("data.csv", CSV)
        options = "--label-column", "kind", "--ignore-columns", "id", "--positive", "yes", "--quiet"
        self.ok("run", "data.csv", *options, "--model", "plain")
        for _ in range(2):
            self.ok("run", "data.csv", *options, "--cache", "--model", "cached")
            self.assertEqual(self.read("plain"), self.read("cached"))
        plain = self.ok("predict", "plain", "data.csv").out
        for _ in range(2):
            self.assertEqual(plain, self.ok("predict", "plain", "data.csv", "--cache").out)

    def test_malformed_data_leaves_no_cache(self):
        self.write("data", "+1 1:1\n-1 1:x\n")
        done = self.askfew("run", "data", "--cache", "--quiet")
        self.assertEqual(done.code, 3)
        self.assertIn("data:2:6", done.err)
        self.assertEqual(sorted(self.files()), ["data"])

    def test_another_treatment_of_examples_without_labels_is_told_by_its_option(self):
        self.write("data.csv", CSV)
        options = "--label-column", "kind", "--ignore-columns", "id", "--positive", "yes", "--quiet"
        self.ok("run", "data.csv", *options, "--model", "m")
        self.ok("convert", "data.csv", *options[:4], "--unlabelled", "skip", "-o", "skipped")
        line = self.complaint(self.askfew("predict", "m", "skipped"), 3)
        self.assertIn("skipped: data.csv was read with --unlabelled 'skip', and now it is 'accept'", line)
        self.write("texts", "yes\ta few words\nno\tother few words\n" * 5)
        self.ok("convert", "texts", "-o", "texts.cache")
        line = self.complaint(self.askfew("predict", "m", "texts.cache"), 3)
        self.assertIn("texts.cache: it is not a table with the columns", line)

    def test_data_that_cannot_be_cached_is_refused(self):
        self.refused(2, "run", "-", "--cache", says="no file on a disk", stdin=b"+1 1:1\n")
        self.refused(2, "run", "nowhere", "--cache", says="No such file")
        self.refused(2, "run", "data", "--cache", "--on-error", "skip", says="askfew convert")
        self.ok("convert", "data", "-o", "c")
        self.refused(2, "run", "c", "--cache", says="a cache already")

    def test_a_file_with_the_name_of_the_cache_is_not_replaced(self):
        self.write("data.askcache", "something of mine")
        self.refused(2, "run", "data", "--cache", says="move it away")


if __name__ == "__main__":
    unittest.main()
