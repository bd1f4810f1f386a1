"""A ledger in PostgreSQL: the same records, the same replay, one writer, and clear answers while it is gone."""

import json
import os
import random
import signal
import sys
import threading
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "cli"), os.path.join(ROOT, "tests", "faults"), os.path.join(ROOT, "bench")]
import kill_stream  # noqa: E402
from live_stream import StreamTest, instance, label  # noqa: E402
from parsed_ledger import ParsedLedger  # noqa: E402
from postgres import PASSWORD, Postgres  # noqa: E402

KILLS = int(os.environ.get("ASKFEW_KILLS", "20"))
kill_stream.LONGEST = 0.5  # seconds that a stream lives: it connects first

database: Postgres


def setUpModule():
    global database
    database = Postgres()


def tearDownModule():
    database.remove()


class PostgresTest(StreamTest):
    names = 0

    def url(self):
        """A new ledger."""
        PostgresTest.names += 1
        return database.url(f"ledger {PostgresTest.names}"), f"ledger {PostgresTest.names}"


class Records(PostgresTest):
    def test_the_same_stream_gives_the_same_records_and_model_as_in_a_file(self):
        url, name = self.url()
        given = [instance(k) for k in range(150)] + [label(k) for k in range(150)] + [instance(k) for k in range(150, 200)]
        in_file = self.answers(given, "--sampler", "sel-p", "--ledger", "l", "--model", "m")
        in_base = self.answers(given, "--sampler", "sel-p", "--ledger", url, "--model", "n")
        without_time = [[{k: v for k, v in answer.items() if k != "latency"} for answer in one] for one in (in_file, in_base)]
        self.assertEqual(*without_time)
        self.assertEqual(self.read("m"), self.read("n"))
        self.write("dumped", database.ledger(name))
        self.assertEqual(len(self.read("dumped")), len(self.read("l")))
        self.ok("replay", "dumped", "--model", "rebuilt")
        self.assertEqual(self.read("rebuilt"), self.read("m"))
        one, other = ParsedLedger(self.read("l")), ParsedLedger(self.read("dumped"))
        self.assertEqual([line[1] for line in one.lines], [line[1] for line in other.lines])
        shown = url.replace(":" + url.split(":")[2].split("@")[0], "")
        checked = self.ok("ledger", "check", url).out
        self.assertEqual(checked.replace(shown, "l"), self.ok("ledger", "check", "l").out)
        self.ok("replay", url, "--model", "replayed")
        self.assertEqual(self.read("replayed"), self.read("m"))

    def test_a_restart_continues_and_settings_stay(self):
        url, _ = self.url()
        given = [instance(k) for k in range(100)] + [label(k) for k in range(100)]
        self.answers(given, "--sampler", "sel-p", "--ledger", "whole", "--model", "m")
        for begin in range(0, len(given), 60):
            self.answers(given[begin:begin + 60], *(["--sampler", "sel-p"] if begin == 0 else []), "--ledger", url, "--model", "n")
        self.assertEqual(self.read("m"), self.read("n"))
        line = self.complaint(self.askfew("stream", "--ledger", url, "--sampler", "sel-p", "--seed", "2"), 2)
        self.assertIn("begun with seed 1, not 2", line)

    def test_large_records_are_written_in_rows_and_read_back(self):
        url, _ = self.url()
        long = {"id": 1, "text": "word " * 2_000_000}
        self.answers([long, instance(2)], "--sampler", "sel-p", "--ledger", url, "--model", "m")
        self.ok("replay", url, "--model", "n")
        self.assertEqual(self.read("m"), self.read("n"))

    def test_a_name_may_have_quotes_and_backslashes(self):
        for name in ("it's", 'a "name"', "back\\slash", "'; DROP TABLE askfew_ledgers; --", "100%", "ünïcödé", "%s %1$s"):
            with self.subTest(name):
                url = database.url(name)
                self.answers([instance(1), label(1)], "--sampler", "sel-p", "--ledger", url)
                self.assertEqual(len(ParsedLedger(database.ledger(name)).lines), 2)
                self.ok("replay", url)

    def test_a_line_can_be_set_aside_and_other_samplers_tried(self):
        url, _ = self.url()
        self.answers([instance(k) for k in range(20)] + [label(k) for k in range(20)], "--sampler", "sel-p", "--ledger", url)
        self.assertIn("only a line without an outcome", self.complaint(self.askfew("ledger", "skip", url, "3"), 2))
        self.assertIn("in a file is repaired", self.complaint(self.askfew("ledger", "repair", url), 2))
        self.ok("whatif", url, "--sampler", "sel-2nd")


class Writers(PostgresTest):
    def test_a_second_writer_is_refused_and_a_reader_is_not(self):
        url, _ = self.url()
        with self.live("--sampler", "sel-p", "--ledger", url) as live:
            live(instance(1))
            self.assertIn("another process writes this ledger", self.complaint(self.askfew("stream", "--ledger", url), 2))
            self.ok("replay", url)
            live(label(1))
            self.assertEqual(live.end()[0], 0)

    def test_a_second_writer_takes_over_from_one_that_died(self):
        url, _ = self.url()
        with self.live("--sampler", "sel-p", "--ledger", url) as live:
            live(instance(1))
            live.process.send_signal(signal.SIGKILL)
            self.assertEqual(self.answers([instance(1)], "--ledger", url)[0]["repeated"], True)

    def test_a_writer_whose_ledger_another_one_has_continued_adds_nothing(self):
        url, name = self.url()
        with self.live("--sampler", "sel-p", "--ledger", url, "--quiet") as live:
            live(instance(1))
            live.process.send_signal(signal.SIGSTOP)  # as a machine that hangs; the server drops its connection
            database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'askfew'")
            self.answers([label(1), instance(2)], "--ledger", url, "--quiet")
            live.process.send_signal(signal.SIGCONT)
            for k in (3, 4):
                self.assertIn("another process has written this ledger", live(instance(k))["error"])
        self.assertEqual(len(ParsedLedger(database.ledger(name)).lines), 3)

    def test_kills_at_any_moment_lose_nothing(self):
        rng, killed, done, heard = random.Random(1), 0, 0, 0
        while done < KILLS:
            url, _ = self.url()
            witness = kill_stream.Witness()
            for _ in range(min(10, KILLS - done)):
                killed += kill_stream.live_and_die(rng, self.folder, witness, url)
                done += 1
            heard += sum(kill_stream.check(self.folder, witness, url))
        self.assertGreater(heard, 0)
        self.assertGreater(killed, KILLS / 2)
        print(f"{killed} kills, {heard} decisions and labels were acknowledged, and none is lost")


class Outages(PostgresTest):
    def test_lines_are_refused_while_the_database_is_gone_and_taken_when_it_is_back(self):
        url, name = self.url()
        with self.live("--sampler", "perc", "--ledger", url, "--quiet") as live:
            self.assertTrue(live(instance(1))["ask"])
            database.stop()
            try:
                for k in (2, 3, 4):
                    answer = live(instance(k))
                    self.assertIn("error", answer)
                    self.assertNotIn(PASSWORD, json.dumps(answer))
            finally:
                database.start()
            for _ in range(100):
                answer = live(instance(5))
                if "error" not in answer:
                    break
                time.sleep(0.1)
            self.assertTrue(answer["ask"])
            self.assertTrue(live(instance(2))["ask"])
            self.assertEqual(live(label(1))["outcome"], "learned")
            self.assertEqual(live.end()[0], 0)
        self.ok("replay", url)
        found = [json.loads(line[1]).get("id") for line in ParsedLedger(database.ledger(name)).lines]
        self.assertEqual([k for k in found if k in (1, 5)], [1, 5, 1])

    def test_an_idle_stream_does_not_notice_a_restart(self):
        url, _ = self.url()
        with self.live("--sampler", "perc", "--ledger", url, "--quiet") as live:
            live(instance(1))
            database.stop("fast")
            database.start()
            self.assertEqual(live(label(1))["outcome"], "learned")

    def test_restarts_under_load_lose_nothing(self):
        url, _ = self.url()
        stop = threading.Event()

        def restart():
            while not stop.wait(0.3):
                database.stop()
                database.start()

        acknowledged, refused = {}, 0
        thread = threading.Thread(target=restart)
        thread.start()
        try:
            with self.live("--sampler", "sel-p", "--ledger", url, "--quiet", "--model", "m") as live:
                end, k = time.monotonic() + 4, 0
                while time.monotonic() < end:
                    k += 1
                    answer = live(instance(k))
                    if "error" in answer:
                        refused += 1
                        time.sleep(0.01)
                    else:
                        acknowledged[k] = answer
                stop.set()
                thread.join()
                self.assertEqual(live.end()[0], 0)
        finally:
            stop.set()
            thread.join()
        self.assertGreater(len(acknowledged), 10)
        self.ok("replay", url, "--trace", "t", "--model", "n")
        self.assertEqual(self.read("m"), self.read("n"))
        replayed = {row.split(",")[1]: row for row in self.read("t").decode().splitlines()[1:]}
        for k in acknowledged:
            self.assertIn(str(k), replayed)


class Refusals(PostgresTest):
    def refused(self, url, *what, code=2):
        done = self.askfew("stream", "--ledger", url, "--sampler", "sel-p")
        line = self.complaint(done, code)
        for text in what:
            self.assertIn(text, line)
        self.assertNotIn(PASSWORD, line)
        self.assertNotIn(url.split(":")[2].split("@")[0], line.replace("127.0.0.1", "") if "@" in url else "")
        return line

    def test_a_wrong_address_is_refused_in_one_line_without_the_password(self):
        self.refused(database.url(password="wrong"), "password authentication failed")
        self.refused(database.url(user="nobody"), "password authentication failed")
        self.refused(database.url(database="nowhere"), 'database "nowhere" does not exist')
        self.refused(database.url().replace(str(database.port), "1"), "Connection refused")
        self.refused("postgresql://askfew:hush@127.0.0.1:notaport/db", "notaport")
        self.refused("postgresql://askfew:hush@127.0.0.1/db?nonsense=1", "nonsense")
        self.refused("postgresql://askfew:hush@127.0.0.1/db?ledger=", "name of the ledger")
        self.refused("postgresql://askfew:hu/sh@127.0.0.1/db?ledger=%zz", "name of the ledger")
        self.refused("postgresql://askfew:hush@127.0.0.1/db?password=hush", "no parameter")

    def test_a_ledger_that_is_not_there_cannot_be_read(self):
        url, _ = self.url()
        for command in (["replay", url], ["ledger", "check", url], ["ledger", "skip", url, "1"]):
            self.assertIn("no such ledger", self.complaint(self.askfew(*command), 2))

    def test_foreign_tables_are_left_alone(self):
        database.sql("CREATE DATABASE other")
        database.sql("CREATE TABLE askfew_ledgers (x int); CREATE TABLE askfew_ledger_bytes (y int)", "other")
        self.refused(database.url(database="other"), "other columns")
        self.assertEqual(database.sql("SELECT count(*) FROM askfew_ledgers", "other"), "0\n")

    def test_a_user_without_permissions_is_refused(self):
        database.sql("CREATE DATABASE closed; CREATE ROLE reader LOGIN PASSWORD 'reader pw'")
        url = database.url(user="reader", password="reader pw", database="closed")
        self.refused(url, "permission denied")
        self.answers([instance(1)], "--sampler", "sel-p", "--ledger", database.url(database="closed"))
        self.refused(url, "permission denied")
        database.sql("GRANT SELECT ON askfew_ledgers, askfew_ledger_bytes TO reader", "closed")
        self.refused(url, "user reader may not write")
        self.ok("replay", url)
        database.sql("GRANT INSERT, UPDATE ON askfew_ledgers, askfew_ledger_bytes TO reader", "closed")
        self.answers([label(1)], "--ledger", url)

    def test_refused_settings_leave_no_ledger(self):
        url, name = self.url()
        self.complaint(self.askfew("stream", "--ledger", url, "--sampler", "nonsense"), 2)
        self.answers([], "--sampler", "sel-p", "--ledger", database.url("another"))
        self.assertEqual(database.sql(f"SELECT count(*) FROM askfew_ledgers WHERE name = '{name}'"), "0\n")

    def test_bytes_that_were_changed_or_deleted_by_hand_are_noticed(self):
        url, name = self.url()
        with self.live("--sampler", "sel-p", "--ledger", url) as live:
            for k in range(20):
                live(instance(k))
            live.end()
        where = f"WHERE ledger = (SELECT ledger FROM askfew_ledgers WHERE name = '{name}')"
        middle = int(database.sql(f"SELECT place FROM askfew_ledger_bytes {where} ORDER BY place OFFSET 9 LIMIT 1"))
        database.sql(f"UPDATE askfew_ledger_bytes SET bytes = set_byte(bytes, 20, 1 + get_byte(bytes, 20) % 9) {where} AND place = {middle}")
        self.assertIn("damaged", self.complaint(self.askfew("stream", "--ledger", url), 3))
        self.assertIn("damaged", self.complaint(self.askfew("ledger", "check", url), 3))
        database.sql(f"DELETE FROM askfew_ledger_bytes {where} AND place = {middle}")
        self.assertIn("missing in the database", self.complaint(self.askfew("stream", "--ledger", url), 2))
        database.sql(f"DELETE FROM askfew_ledger_bytes {where} AND place > {middle}")
        self.assertIn("missing in the database", self.complaint(self.askfew("stream", "--ledger", url), 2))


if __name__ == "__main__":
    unittest.main()
