"""Stories of Reuters-21578 in SGML, their split, and streams in the order of time."""

import json
import unittest

from harness import CliTest, rows

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()


def story(k, day, topics, words, split="TRAIN", has="YES"):
    tags = "".join(f"<D>{t}</D>" for t in topics)
    return (f'<REUTERS TOPICS="{has}" LEWISSPLIT="{split}" OLDID="{k}" NEWID="{k}">\n'
            f"<DATE>{day % 28 + 1:2}-{MONTHS[day // 28]}-1987 15:01:{k % 60:02}.79</DATE>\n<TOPICS>{tags}</TOPICS>\n"
            f"<PLACES><D>usa</D></PLACES>\n<TEXT>&#2;\n<TITLE>STORY &lt;{words}></TITLE>\n<BODY>{words}\n Reuter\n&#3;"
            f"</BODY></TEXT>\n</REUTERS>\n")


def stories(count=120):
    """Stories, written from the last day to the first."""
    kinds = [(["earn"], "profit dividend"), (["acq", "earn"], "merger bid profit"), ([], "weather rain"), (["acq"], "merger stake")]
    return [story(k, (count - k) // 2, *kinds[k % 4], split=["TRAIN", "TRAIN", "TEST", "NOT-USED"][k % 4 if k % 8 else 2],
                  has="NO" if k % 16 == 9 else "YES") for k in range(count)]


DOCTYPE = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'


class Stories(CliTest):
    def setUp(self):
        super().setUp()
        self.stories = stories()
        self.sgml = DOCTYPE + "".join(self.stories)
        self.write("reut2-000.sgm", self.sgml)

    def rounds(self, *arguments, **options):
        return self.report(*arguments, "--labels", "earn", **options)["macro"]["rounds"]

    def test_topics_are_tasks(self):
        report = self.report("reut2-000.sgm", "--sampler", "perc")
        self.assertEqual({task["task"] for task in report["tasks"]}, {"earn", "acq"})
        self.assertGreater(report["macro"]["accuracy"], 0.9)

    def test_files_pipes_and_line_ends_change_nothing(self):
        expected = self.trace("reut2-000.sgm", "--labels", "earn,acq")
        self.assertTrue(self.trace("-", "--labels", "earn,acq", stdin=self.sgml.encode()) == expected)
        self.write("a", DOCTYPE + "".join(self.stories[:50]))
        self.write("b", DOCTYPE + "".join(self.stories[50:]))
        self.assertTrue(self.trace("a", "b", "--labels", "earn,acq") == expected)
        joined = self.read("a") + self.read("b")
        self.assertTrue(self.trace("-", "--labels", "earn,acq", stdin=joined) == expected)
        self.assertTrue(self.trace(self.write("crlf", self.sgml.replace("\n", "\r\n")), "--labels", "earn,acq") == expected)

    def test_the_split_selects_its_stories(self):
        train = sum('TOPICS="YES" LEWISSPLIT="TRAIN"' in s for s in self.stories)
        test = sum('TOPICS="YES" LEWISSPLIT="TEST"' in s for s in self.stories)
        self.assertEqual(self.rounds("reut2-000.sgm"), 120)
        self.assertEqual(self.rounds("reut2-000.sgm", "--with-topics"), 90)
        self.assertEqual(self.rounds("reut2-000.sgm", "--split", "modapte-train"), train)
        self.assertEqual(self.rounds("reut2-000.sgm", "--split", "modapte-test"), test)
        self.assertEqual(self.rounds("reut2-000.sgm", "--split", "modapte"), train + test)
        self.ok("run", "reut2-000.sgm", "--split", "modapte-train", "--labels", "earn", "--model", "m", "--quiet")
        self.assertEqual(self.ok("predict", "m", "reut2-000.sgm", "--split", "modapte-test").out.count("\n"), test)
        self.refused(2, "run", "reut2-000.sgm", "--split", "lewis", says=["--split", "modapte-test"])

    def test_malformed_stories_are_refused_with_their_place_or_skipped(self):
        bad = DOCTYPE + self.stories[0] + self.stories[1].replace("</DATE>", "") + "junk\n" + self.stories[2] + self.stories[3][:200]
        self.write("bad", bad)
        self.refused(3, "run", "bad", "--labels", "earn", place="bad:13:1", says="a <DATE> without </DATE>")
        done = self.ok("run", "bad", "--labels", "earn", "--quiet", "--on-error", "skip")
        self.assertIn("rounds     2", done.out)
        self.assertRegex(done.err, r"\Askipped bad:13:1: .*\nskipped bad:22:1: expected <REUTERS.*\n"
                                   r"skipped bad:33:1: a story without </REUTERS>\n\Z")


class OrderOfTime(CliTest):
    def setUp(self):
        super().setUp()
        self.objects = [{"x": [k, 1], "label": 1 if k % 3 else -1, "time": 1000 * (k * 7 % 10)} for k in range(40)]

    def write_objects(self, name, objects):
        return self.write(name, "".join(json.dumps(o) + "\n" for o in objects))

    def test_examples_are_sorted_by_time_and_equal_times_stay_in_order(self):
        expected = self.trace(self.write_objects("ordered", sorted(self.objects, key=lambda o: o["time"])))
        self.write_objects("all", self.objects)
        self.assertFalse(self.trace("all") == expected)
        self.assertTrue(self.trace("all", "--order", "time") == expected)
        self.assertTrue(self.trace("-", "--order", "time", stdin=self.read("all")) == expected)
        self.write_objects("a", self.objects[:13])
        self.write_objects("b", self.objects[13:])
        self.assertTrue(self.trace("a", "b", "--order", "time") == expected)

    def test_stories_are_sorted_by_their_dates(self):
        self.write("reversed", DOCTYPE + "".join(stories()))
        self.write("by date", DOCTYPE + "".join(sorted(stories(), key=lambda s: (
            MONTHS.index(s.split("<DATE>")[1][3:6]), int(s.split("<DATE>")[1][:2]), s.split("<DATE>")[1][12:20]))))
        options = ["--labels", "earn,acq"]
        self.assertTrue(self.trace("reversed", "--order", "time", *options) == self.trace("by date", *options))
        self.assertFalse(self.trace("reversed", *options) == self.trace("by date", *options))

    def test_errors_have_the_place_in_their_file(self):
        self.write_objects("a", self.objects[:13])
        self.write_objects("b", self.objects[13:] + [{"x": [1, 1], "label": 7, "time": -5}])
        self.refused(3, "run", "a", "b", "--order", "time", place="b:28:1", says="label 7 is not -1, 0 or +1")
        self.write_objects("b", [*self.objects[13:15], {"x": [1, 2], "label": 1}])
        self.refused(3, "run", "a", "b", "--order", "time", place="b:3:1", says="no time to sort by")
        done = self.ok("run", "a", "b", "--order", "time", "--on-error", "skip", "--quiet")
        self.assertIn("rounds     15", done.out)
        self.assertRegex(done.err, r"\Askipped b:3:1: .*\n\Z")

    def test_formats_without_times_are_refused(self):
        self.refused(3, "run", self.write("data.svm", "+1 1:1\n"), "--order", "time", place="data.svm:1:1", says="no time")

    def test_predictions_come_in_the_order_of_time_too(self):
        self.write_objects("all", self.objects)
        self.ok("run", "all", "--model", "m", "--quiet")
        self.write_objects("ordered", sorted(self.objects, key=lambda o: o["time"]))
        self.assertEqual(self.ok("predict", "m", "all", "--order", "time").out, self.ok("predict", "m", "ordered").out)


if __name__ == "__main__":
    unittest.main()
