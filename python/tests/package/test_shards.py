"""A sampler of some of the topics, and what needs no Ray."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import askfew
from askfew import _core

X = np.random.default_rng(1).normal(size=(300, 12))
TOPICS = [f"topic {k}" for k in range(7)]
LABELS = [[TOPICS[k] for k in range(7) if x[k] > 0.5] for x in X]


def test_shards_of_the_topics_decide_as_all_topics_do() -> None:
    whole = askfew.Sampler("sel-p", topics=TOPICS, seed=2)
    expected = whole.run(X, LABELS)
    models, asked = [], np.zeros(len(X), bool)
    for shard in ("1/3", "2/3", "3/3"):
        sampler = askfew.Sampler("sel-p", topics=TOPICS, seed=2, shard=shard)
        first, end = _core.shard_range(shard, len(TOPICS))
        assert sampler.labels == TOPICS[first:end]
        trace = sampler.run(X, LABELS)
        own = expected[(expected["task"] >= first) & (expected["task"] < end)]
        for name in ("margin", "coin", "asked", "prediction", "updated"):
            assert (trace[name] == own[name]).all()
        asked |= trace["asked"].reshape(len(X), -1).any(axis=1)
        models.append(sampler.to_bytes())
    assert _core.merge_shards(models, int(asked.sum())) == whole.to_bytes()


def test_impossible_shards_are_refused() -> None:
    for shard in ("0/3", "4/3", "third", "1/8"):
        with pytest.raises(askfew.ConfigError):
            askfew.Sampler("sel-p", topics=TOPICS, shard=shard)
    with pytest.raises(askfew.ConfigError, match="which are missing"):
        askfew.Sampler("sel-p", shard="1/2")


def test_ray_is_imported_only_by_those_who_use_it() -> None:
    program = ("import sys; sys.modules['ray'] = None\n"
               "import askfew, askfew.workflows, askfew.sessions\n"
               "try:\n    import askfew.ray\nexcept ImportError as error:\n    print(error)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "askfew.ray needs Ray, which is not installed: pip install 'askfew[ray]'\n"
