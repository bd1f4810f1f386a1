"""What Ray costs and what it gains, on this machine: ratios in one run, with medians of turns.

    python python/scripts/bench_ray.py            # both promises; a few minutes
    python python/scripts/bench_ray.py --topics 10000 --features 20000 --blocks 3  # shards compared with one process

1. `askfew.ray.compare` with 20 jobs of 10 runs each: two workers against one worker. Turns alternate.
2. `TopicShards` with two actors against `Sampler.learn` on two threads: 1,000 topics, blocks of 1,000 instances.

Other programs on the machine disturb the clock, so the seconds of the processor are printed too: they say how much work Ray
adds. Ray starts its workers with niceness 15; on a busy machine set RAY_worker_niceness=0.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import Any

import numpy as np
import ray
import scipy.sparse

import askfew
import askfew.ray
from askfew.ray import experiments


class Collector:
    """Adds up the processor time of tasks by the process that ran them."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}

    def add(self, process: int, seconds: float) -> None:
        self._seconds[process] = self._seconds.get(process, 0) + seconds

    def take(self) -> list[float]:
        seconds, self._seconds = sorted(self._seconds.values(), reverse=True), {}
        return seconds


class Idle:
    """Holds a processor."""

    def ready(self) -> None:
        pass


def bench_compare(turns: int, rows: int, runs: int) -> None:
    collector = ray.remote(Collector).options(num_cpus=0, name="collector").remote()
    run_jobs = experiments._run_jobs

    def timed(*arguments: Any) -> Any:
        start = time.process_time()
        found = run_jobs(*arguments)
        ray.get(ray.get_actor("collector").add.remote(os.getpid(), time.process_time() - start))
        return found

    experiments._run_jobs = timed
    data = f"synthetic:sparse-text:n={rows}"
    options: dict[str, Any] = {"samplers": ["sel-p", "pa-log", "sel-p-fixed", "auto"], "rates": [0.01, 0.02, 0.05, 0.1, 0.2],
                               "runs": runs}
    askfew.ray.compare(data, **{**options, "runs": 1})  # starts the workers
    ray.get(collector.take.remote())
    seconds: dict[int, list[float]] = {1: [], 2: []}
    work: dict[int, list[list[float]]] = {1: [], 2: []}  # of the workers
    alone: dict[int, list[float]] = {1: [], 2: []}  # of this process, which reads the data
    results = []
    for turn in range(turns):
        for workers in (1, 2) if turn % 2 == 0 else (2, 1):
            idle = ray.remote(Idle).options(num_cpus=1).remote() if workers == 1 else None
            if idle is not None:
                ray.get(idle.ready.remote())
            start, own = time.perf_counter(), time.process_time()
            results.append(askfew.ray.compare(data, **options))
            seconds[workers].append(time.perf_counter() - start)
            alone[workers].append(time.process_time() - own)
            work[workers].append(ray.get(collector.take.remote()))
            if idle is not None:
                ray.kill(idle)
    assert all(result == results[0] for result in results)
    gain = statistics.median(one / two for one, two in zip(seconds[1], seconds[2], strict=True))
    more = statistics.median(sum(two) / sum(one) for one, two in zip(work[1], work[2], strict=True))
    free = statistics.median((sum(one) + own1) / (max(two) + own2)
                             for one, two, own1, own2 in zip(work[1], work[2], alone[1], alone[2], strict=True))
    print(f"compare, {len(results[0].points)} jobs: one worker {statistics.median(seconds[1]):.2f} s, "
          f"two workers {statistics.median(seconds[2]):.2f} s")
    print(f"  two workers are {gain:.2f} times as fast by the clock (median of {turns} turns)")
    print(f"  both together use {more:.3f} times the seconds of the processor that one worker uses")
    print(f"  by the seconds of the processor of this process and of the busier worker they are {free:.2f} times as fast")


def topic_blocks(topics: int, blocks: int, rows: int, features: int) -> list[tuple[Any, Any]]:
    """Instances like the RCV1 news: Zipf's frequencies, about 75 words a row, three topics a row."""
    rng = np.random.default_rng(1)
    weights = 1 / np.arange(1, features + 1)
    words = rng.choice(features, size=(blocks * rows, 75), p=weights / weights.sum())
    made = []
    for first in range(0, blocks * rows, rows):
        part = words[first:first + rows]
        X = scipy.sparse.csr_matrix((np.ones(part.size), (np.repeat(np.arange(rows), 75), part.ravel())), shape=(rows, features))
        X.sum_duplicates()
        X.data = np.log1p(X.data)
        X = scipy.sparse.csr_matrix(scipy.sparse.diags(1 / np.sqrt(X.multiply(X).sum(axis=1).A1)) @ X)
        made.append((X, [sorted({int(word) * 7919 % topics for word in row[:3]}) for row in part]))
    return made


def seconds_of_actors(shards: askfew.ray.TopicShards) -> float:
    """The processor time of all actors so far."""
    calls = [actor.__ray_call__.remote(lambda _: __import__("time").process_time()) for actor in shards._actors]
    return float(sum(ray.get(calls)))


def bench_topics(topics: int, blocks: int, rows: int, features: int, threads: int) -> None:
    names = list(range(topics))
    made = topic_blocks(topics, blocks, rows, features)
    sampler = askfew.Sampler("sel-p", topics=names)
    library, seconds, clock, ratios, work = [], [], [], [], []
    with askfew.ray.TopicShards(names, shards=threads, sampler="sel-p") as shards:
        for X, y in made:
            start, used = time.perf_counter(), time.process_time()
            sampler.learn(X, y, more=True, threads=threads)
            library.append(time.perf_counter() - start)
            used = time.process_time() - used
            seconds.append(used)
            first, before = seconds_of_actors(shards), seconds_of_actors(shards)
            start, own = time.perf_counter(), time.process_time()
            answers = shards.run(X, y, more=True)
            clock.append(time.perf_counter() - start)
            own = time.process_time() - own
            measuring = before - first  # what a call of seconds_of_actors costs the actors
            work.append((own + seconds_of_actors(shards) - before - measuring) / used)
            ratios.append(clock[-1] / library[-1])
        asked = int(answers.asked.sum())
        same = shards.sampler().to_bytes() == sampler.to_bytes()
    half = len(ratios) // 2  # weights and processes grow in the first blocks
    speed = topics * rows / statistics.median(seconds[half:])
    print(f"topics, {topics:,} in {threads} shards, {blocks} blocks of {rows:,} x {features:,}, {asked:,} labels asked at last")
    print(f"  Sampler.learn on {threads} threads {1000 * statistics.median(library[half:]):.1f} ms a block "
          f"({speed / 1e6:.1f} million decisions a second of the processor), "
          f"TopicShards {1000 * statistics.median(clock[half:]):.1f} ms")
    print(f"  TopicShards takes {statistics.median(ratios[half:]):.3f} times the time by the clock, "
          f"{statistics.median(work[half:]):.3f} times the seconds of the processor")
    print(f"  the model of the shards has {'the same bytes' if same else 'OTHER BYTES: WRONG'}")
    if not same:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--topics", type=int, help="run only the second part, with so many topics")
    parser.add_argument("--features", type=int, default=47_236)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--rows", type=int, default=1000, help="instances of a block")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--compare-rows", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=10, help="of a job of compare")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    ray.init(address="local", num_cpus=given.workers, include_dashboard=False, log_to_driver=False, logging_level="error")
    print(f"askfew {askfew.__version__}, Ray {ray.__version__}, load of the machine {os.getloadavg()[0]:.1f}")
    if given.topics is None:
        bench_compare(given.turns, given.compare_rows, given.runs)
    bench_topics(given.topics or 1000, given.blocks, given.rows, given.features, given.workers)


if __name__ == "__main__":
    main()
