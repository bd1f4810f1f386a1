"""Hostile files for every format, of any size: long lines, many columns, many labels, quotes that are never closed,
compressed files without content. Reading takes time linear in the bytes, or the file is refused early."""

import gzip
import json
import struct
import zlib

MAX_LINE = 16 << 20  # the default limit of a line


def fill(piece, size):
    return piece * (size // len(piece) + 1)


def joined(parts, size, between=b" "):
    """As many parts as fit."""
    out, length = [], 0
    for part in parts:
        length += len(part) + len(between)
        if length > size:
            break
        out.append(part)
    return between.join(out)


def counted(form, start=1):
    k = start
    while True:
        yield form % k
        k += 1


# svmlight

def svmlight_short_lines(size):
    return fill(b"+1\n-1\n", size)


def svmlight_long_line(size):
    return b"+1 " + joined(counted(b"%d:1"), size) + b"\n"


def svmlight_many_labels(size):
    return joined(counted(b"%d"), size, b",") + b" 1:1\n"


def svmlight_comment(size):
    return b"+1 1:1 #" + fill(b" #:1", size) + b"\n-1 1:1\n"


# Vowpal Wabbit

def vw_long_line(size):
    return b"1 |a " + joined(counted(b"f%d:0.5"), size) + b"\n"


def vw_many_namespaces(size):
    return b"1 " + joined(counted(b"|n%d x"), size) + b"\n"


def vw_many_labels(size):
    return joined(counted(b"%d"), size, b",") + b" |a x\n"


# tables

def csv_short_lines(size):
    return b"a,y\n" + fill(b"1,0\n2,1\n", size)


def csv_many_columns(size):
    columns = size // 12
    rows = [b",".join(b"c%d" % k for k in range(columns)), b",".join([b"1"] * columns), b",".join([b"0"] * columns)]
    return b"\n".join(rows) + b"\n"


def csv_long_first_line(size):
    return fill(b"a", size) + b",y\n1,0\n2,1\n"


def csv_blank_lines(size):
    return fill(b"\n", size) + b"a,y\n1,0\n2,1\n"


def csv_quoted_lines(size):
    return b'text,y\n"' + fill(b"a b\n", min(size, 1 << 19)) + b'",1\n' + \
        fill(b'"one\ntwo ""three""\n",0\n"four\n",1\n', size)


def csv_open_quotes(size):
    return b'text,y\n' + fill(b'"a b,1\n', size)


def csv_doubled_quotes(size):
    return b'text,y\nx,1\n"' + fill(b'""', min(size, 1 << 20)) + b'",1\n' + fill(b'"",1\n', size)


def tsv_short_lines(size):
    return fill(b"ham\thello my friend\nspam\tbuy this now\n", size)


def tsv_long_line(size):
    return b"ham\t" + fill(b"hello my friend ", size) + b"\nspam\tbuy it now\n"


def arff_many_attributes(size):
    count = size // 30
    return b"@relation r\n" + b"".join(b"@attribute a%d numeric\n" % k for k in range(count)) + \
        b"@attribute y {0,1}\n@data\n" + b"{0 1}\n{1 2}\n"


def arff_many_values(size):
    return b"@relation r\n@attribute c {" + joined(counted(b"v%d"), size, b",") + \
        b"}\n@attribute y {0,1}\n@data\nv1,1\nv2,0\n"


def arff_long_row(size):
    return b"@relation r\n@attribute t string\n@attribute y {0,1}\n@data\n'" + fill(b"word ", size) + b"',1\n'a b',0\n"


# JSON

def json_line(**record):
    return json.dumps(record).encode() + b"\n"


def jsonl_short_lines(size):
    return fill(json_line(x=[1, 2], label=1) + json_line(x=[2, 1], label=-1), size)


def jsonl_long_text(size):
    return json_line(text=fill("word ", size), label=1) + json_line(text="a", label=-1)


def jsonl_many_numbers(size):
    count = size // 3
    return json_line(x=[1] * count, label=1) + json_line(x=[2] * count, label=-1)


def jsonl_many_names(size):
    return b'{"label": 1, "features": {' + joined(counted(b'"f%d":1'), size, b",") + b"}}\n"


def jsonl_many_pairs(size):
    return b'{"label": 1, "features": [' + joined(counted(b"[%d,1]"), size, b",") + b"]}\n"


def jsonl_many_labels(size):
    return b'{"text": "a", "labels": [' + joined(counted(b'"l%d"'), size, b",") + b"]}\n"


def jsonl_deep(size):
    return b'{"text": "a", "label": 1, "other": ' + fill(b"[", size) + b"\n" + json_line(text="a", label=-1)


def jsonl_unknown(size):
    return b'{"label": 1, "text": "a", "other": [' + joined(counted(b"[%d,{}]"), size, b",") + b"]}\n"


# stories and stanzas

def packages_short(size):
    return fill(b"Package: a\nSection: games\nDescription: play it now\n\n", size)


def packages_long_stanza(size):
    return b"Package: a\nSection: games\nDescription: play\n" + fill(b" it again and again\n", size) + b"\n"


def packages_many_labels(size):
    return b"Package: a\nSection: " + joined(counted(b"s%d"), size, b",") + b"\nDescription: play\n\n"


def story(topics=b"<D>earn</D>", body=b"oil and gas"):
    return b'<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n<TOPICS>' + topics + \
        b"</TOPICS>\n<TEXT><TITLE>news</TITLE><BODY>" + body + b"</BODY></TEXT>\n</REUTERS>\n"


def reuters_short(size):
    return b"<!DOCTYPE lewis>\n" + fill(story(), size)


def reuters_long_story(size):
    return story(body=fill(b"oil &lt; gas ", size))


def reuters_many_topics(size):
    return story(topics=joined(counted(b"<D>t%d</D>"), size, b""))


def reuters_only_begun(size):
    return story() + fill(b"<REUTERS>\n", size) + story()


# images, packings

def idx_images(size):
    side = 1000
    count = max(1, size // (side * side))
    return struct.pack(">IIII", 0x803, count, side, side) + bytes(count * side * side)


def idx_labels(size):
    count = max(1, size // 1_000_000)
    return struct.pack(">II", 0x801, count) + bytes(count)


def gzip_members(size):
    return fill(gzip.compress(b"+1 1:1\n", 1, mtime=0), size)


def gzip_of_nothing(size):
    return fill(gzip.compress(b"", 1, mtime=0), size) + gzip.compress(b"+1 1:1\n", mtime=0)


def gzip_without_a_line(size):
    """About a thousand times as long after decompression."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b"1" * (1 << 20)
    out = b"".join(packer.compress(block) for _ in range(max(1, size * 1000 // len(block))))
    return out + packer.flush()


FILES = {
    "svmlight": [svmlight_short_lines, svmlight_long_line, svmlight_many_labels, svmlight_comment],
    "vw": [vw_long_line, vw_many_namespaces, vw_many_labels],
    "csv": [csv_short_lines, csv_many_columns, csv_long_first_line, csv_blank_lines, csv_quoted_lines, csv_open_quotes,
            csv_doubled_quotes],
    "tsv": [tsv_short_lines, tsv_long_line],
    "arff": [arff_many_attributes, arff_many_values, arff_long_row],
    "jsonl": [jsonl_short_lines, jsonl_long_text, jsonl_many_numbers, jsonl_many_names, jsonl_many_pairs,
              jsonl_many_labels, jsonl_deep, jsonl_unknown],
    "packages": [packages_short, packages_long_stanza, packages_many_labels],
    "reuters": [reuters_short, reuters_long_story, reuters_many_topics, reuters_only_begun],
    "idx": [idx_images],
}
PACKED = [gzip_members, gzip_of_nothing]  # svmlight inside
BOMBS = [gzip_without_a_line]
