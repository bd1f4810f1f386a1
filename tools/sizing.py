#!/usr/bin/env python3
"""Prints the sizing table of docs/guide/scale.md from measured figures.

    tools/sizing.py                          # with the figures below
    tools/sizing.py --decisions 4e6 --read 60000   # with figures of another machine
"""

import argparse
import math

# Figures of one core in a live stream; docs/guide/scale.md has the commands that measured them.
DECISIONS = 2.2e6  # decisions of a topic a second, answered and recorded: askfew stream with 1,000 topics, without reading
READ = 143_000  # instances a second that are read, answered and recorded: askfew stream with one task
FEATURES = 47_236  # as in the RCV1 news
WEIGHT = 8  # bytes

RATES = (1_000, 10_000, 100_000, 1_000_000)
TOPICS = (1, 100, 10_000, 100_000)


def size(rate, topics, decisions, read, features):
    """Partitions, shards of each, cores and gigabytes for this many instances a second and topics.

    A process is one core. It reads rate / partitions instances a second, and decides for topics / shards topics:

        (rate / partitions) / read + (rate / partitions) * (topics / shards) / decisions <= 1

    Reading may take half of a core, so partitions = rate / (read / 2), rounded up. What is left of the core decides how
    many shards there are. Every partition has the weights of all topics.
    """
    partitions = math.ceil(rate / (read / 2))
    share = rate / partitions
    shards = min(topics, math.ceil(share * topics / decisions / (1 - share / read)))
    memory = partitions * topics * features * WEIGHT
    return partitions, shards, partitions * shards, memory / 1e9


def text_of(number):
    return f"{number:,.1f}" if number < 10 else f"{number:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=float, default=DECISIONS, help="decisions of a topic a second and core")
    parser.add_argument("--read", type=float, default=READ, help="instances a second and core that are read and answered")
    parser.add_argument("--features", type=int, default=FEATURES)
    given = parser.parse_args()
    print("| instances/s | topics | partitions | shards of each | cores | GB of weights |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for rate in RATES:
        for topics in TOPICS:
            partitions, shards, cores, memory = size(rate, topics, given.decisions, given.read, given.features)
            print(f"| {rate:,} | {topics:,} | {partitions:,} | {shards:,} | {cores:,} | {text_of(memory)} |")


if __name__ == "__main__":
    main()
