"""Reads a ledger without the library, as docs/ledger.md describes it; only the hash comes from libxxhash."""

import ctypes
import ctypes.util
import json
import struct
from collections import namedtuple

xxhash = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
xxhash.XXH3_64bits_withSeed.restype = ctypes.c_uint64
xxhash.XXH3_64bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]

START, LINE, OUTCOME, EVENT, CHECKPOINT = 1, 2, 3, 4, 5
GOES_ON = 1 << 31

Line = namedtuple("Line", "time text")
Decision = namedtuple("Decision", "asked audited prediction round margin probability coin audit version")
Receipt = namedtuple("Receipt", "updated outcome label round latency version")
Refusal = namedtuple("Refusal", "code why")
Repeat = namedtuple("Repeat", "round")
Settings = namedtuple("Settings", "round settings")
LABEL_OUTCOMES = "learned repeated corrected skipped kept expired never_asked unknown volunteered unsure collected".split()


def hash_of(data, seed=0):
    return xxhash.XXH3_64bits_withSeed(data, len(data), seed)


def outcome_of(payload):
    kind, body = payload[0], payload[1:]
    if kind == 1:
        flags, prediction, number, margin, probability, coin, audit, version = struct.unpack("<BIQddddQ", body)
        return Decision(bool(flags & 1), bool(flags & 2), prediction, number, margin, probability, coin, audit, version)
    if kind == 2:
        updated, outcome, label, number, latency, version = struct.unpack("<BBIQqQ", body)
        return Receipt(bool(updated), LABEL_OUTCOMES[outcome], None if label == 0xffffffff else label, number, latency, version)
    if kind == 3:
        return Refusal(0, body.decode())
    if kind == 4:
        return Refusal(body[0], body[1:].decode())
    if kind == 5:
        return Repeat(*struct.unpack("<Q", body))
    if kind == 6:
        return Settings(*struct.unpack_from("<Q", body), json.loads(body[8:]))
    if kind in (7, 8):
        return outcomes_of_topics(kind, body)
    raise ValueError(f"an outcome of kind {kind}")


def outcomes_of_topics(kind, body):
    """A decision or a receipt for each topic that has one, by the number of the topic."""
    (count,), place, found = struct.unpack_from("<I", body), 4, {}
    for k in range(count):
        if kind == 7:
            flags, *numbers = struct.unpack_from("<BQddddQ", body, place)
            found[k] = Decision(bool(flags & 1), bool(flags & 2), flags >> 2, *numbers)
            place += struct.calcsize("<BQddddQ")
        else:
            topic, updated, outcome, label, *numbers = struct.unpack_from("<IBBIQqQ", body, place)
            found[topic] = Receipt(bool(updated), LABEL_OUTCOMES[outcome], None if label == 0xffffffff else label, *numbers)
            place += struct.calcsize("<IBBIQqQ")
    if place != len(body):
        raise ValueError(f"{len(body) - place} bytes after the outcomes of topics")
    return found


class ParsedLedger:
    """`lines` with their `outcomes` (None: no outcome yet), `events`, the heads of the `checkpoints`, the number of `whole`
    bytes, and the `rest`. `dropped`: the number of lines before the first one."""

    def __init__(self, data):
        self.lines, self.outcomes, self.events, self.checkpoints, self.starts = [], [], [], [], 0
        self.dropped = 0
        self.whole, self.rest = 0, data
        self.aside = set()
        magic = data[:16]
        if len(magic) < 16:
            return
        if magic not in (b"askfew ledger 1\n", b"askfew ledger 2\n", b"askfew ledger 3\n"):
            raise ValueError("not a ledger")
        link = 0 if magic[14:15] == b"1" else hash_of(magic)
        at, joined, undecided = 16, b"", []
        while at + 24 <= len(data):
            size, kind, check = struct.unpack_from("<IIQ", data, at)
            end = at + 24 + size
            if check != hash_of(data[at:at + 8], link) or end > len(data):
                break
            payload = data[at + 16:end - 8]
            link, = struct.unpack_from("<Q", data, end - 8)
            if link != hash_of(payload, check):
                break
            at, joined = end, joined + payload
            if kind & GOES_ON:
                continue
            self.add(kind, joined, undecided)
            self.whole, joined = at, b""
        self.rest = data[self.whole:]

    def add(self, kind, payload, undecided):
        if (kind == START) != (self.starts == 0):
            raise ValueError("a start that is not the first, or none")
        if kind == START:
            self.starts += 1
        elif kind == LINE:
            undecided.append(len(self.lines))
            self.lines.append(Line(struct.unpack_from("<q", payload)[0], payload[8:]))
            self.outcomes.append(None)
        elif kind == OUTCOME:
            self.outcomes[undecided.pop(0)] = outcome_of(payload)
        elif kind == EVENT:
            event = json.loads(payload)
            self.events.append(event)
            if event["event"] == "line set aside":
                undecided.remove(event["line"] - 1 - self.dropped)
                self.aside.add(event["line"])
        elif kind == CHECKPOINT:
            size, = struct.unpack_from("<I", payload)
            head = json.loads(payload[4:4 + size])
            if "dropped" in head and not self.lines and not self.checkpoints:
                self.dropped = head["lines"]
            if head["lines"] != self.dropped + len(self.lines) or undecided:
                raise ValueError("a checkpoint of other lines")
            self.checkpoints.append(head)
        else:
            raise ValueError(f"a record of type {kind}")
