"""Compares a trace of `askfew run` with the reference, row by row.

Exact: round, task, coins, asked, prediction, label, updated, audit. Margin and probabilities: within RELATIVE of the larger of
the two, plus FLOOR times the largest |margin| of the trace, because a margin near 0 is a difference of large terms. The reference
of a learner that carries the rounding of all its earlier steps names a factor for that floor (`rounding`).

If rounding decides a row (a margin that is 0 in exact arithmetic, two classes with the same margin, PA's loss just after
its own update, a margin equal to a threshold), two correct programs can decide differently. Such a row is accepted only if
the two margins differ by no more than that floor and the reference, given askfew's row, decides as askfew did. The
comparison continues from that decision, so that the rest of the trace must agree.
"""

import csv

from reference.sampler import AuditedRow, Row

RELATIVE = 1e-9
FLOOR = 1e-12
MOST_TIES = 20  # 11 were seen with OpenBLAS, whose sums numpy takes where it is installed; 5 with the plain BLAS
REAL = ("margin", "probability", "coin", "audit", "audit_coin", "chance")
ROUNDED = ("margin", "probability", "chance")


class Mismatch(AssertionError):
    pass


def read_trace(path):
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    kind = next((kind for kind in (Row, AuditedRow) if lines and lines[0] == list(kind._fields)), None)
    if kind is None:
        raise Mismatch(f"trace header {lines[:1]}, expected {list(Row._fields)}, or with an audit {list(AuditedRow._fields)}")
    convert = [float if field in REAL else int for field in kind._fields]
    return [kind(*(to(value) for to, value in zip(convert, line, strict=True))) for line in lines[1:]]


def compare(trace, reference, rounding=1):
    """The number of rows that rounding decides. reference: rows to be seen (reference.replay) -> its rows."""
    floor = rounding * FLOOR * max((abs(row.margin) for row in trace), default=0.0)
    ties = {}
    rows = reference(ties)
    if len(trace) != len(rows):
        raise Mismatch(f"{len(trace)} rows, the reference has {len(rows)}")
    while (agreed := agreement(trace, rows, floor)) < len(trace):
        got, expected = trace[agreed], rows[agreed]
        ties[expected.round, expected.task] = got
        rows = reference(ties)
        decided_by_rounding = abs(got.margin - expected.margin) <= floor and same(got, rows[agreed], floor)
        if not decided_by_rounding or len(ties) > MOST_TIES:
            raise Mismatch(f"row {agreed + 1} differs\n  askfew    {got}\n  reference {expected}")
    return len(ties)


def agreement(trace, rows, floor):
    """The number of leading rows that agree."""
    pairs = enumerate(zip(trace, rows))
    return next((i for i, (got, expected) in pairs if not same(got, expected, floor)), len(trace))


def same(got, expected, floor):
    return got._fields == expected._fields and all(
        near(one, other, floor) if field in ROUNDED else one == other
        for field, one, other in zip(got._fields, got, expected))


def near(a, b, floor):
    return abs(a - b) <= RELATIVE * max(abs(a), abs(b)) + floor
