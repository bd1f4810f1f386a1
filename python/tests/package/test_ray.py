"""Experiments and topics on a real cluster of Ray: two nodes on this machine."""

from __future__ import annotations

import doctest
import pathlib
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from conftest import Stream

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install -r python/requirements-ray.txt")
from ray.cluster_utils import Cluster  # noqa: E402

import askfew  # noqa: E402
import askfew.ray  # noqa: E402
from askfew import _core, workflows  # noqa: E402
from askfew.ray import TopicShards, experiments  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPARE: dict[str, Any] = {"samplers": "sel-p,sel-2nd,pa-log", "rates": "5%,20%,100%", "runs": 2}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Cluster]:
    node = {"num_cpus": 1, "object_store_memory": 100_000_000}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    made.add_node(**node)
    ray.init(address=made.address, log_to_driver=False)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def both(name: str, data: Any, options: dict[str, Any]) -> tuple[str, str]:
    """The JSON of an experiment on this machine and on the cluster."""
    return workflows._here(name, data, options, None), experiments._on_ray(None)(name, data, options, None)


def test_the_cluster_has_two_nodes() -> None:
    assert sum(node["Alive"] for node in ray.nodes()) == 2


@pytest.mark.parametrize(("name", "options"), [
    ("compare", COMPARE),
    ("compare", {**COMPARE, "shuffle": True, "normalize": True}),
    ("tune", {"sampler": "pa-log", "rate": "10%", "grid": ["C=0.01,0.1,1"], "runs": 2}),
    ("coverage", {"sampler": "sel-p", "audit": "5%", "runs": 6}),
])
def test_experiments_give_the_bytes_of_one_machine(stream: Stream, name: str, options: dict[str, Any]) -> None:
    for data in ([str(stream.folder / "binary.svm")], workflows._data(stream.X, stream.y), workflows._data(stream.csr, stream.y)):
        here, there = both(name, data, options)
        assert here == there
        assert len(here) > 100


def test_a_comparison_has_the_bytes_of_the_command_line(stream: Stream, cli: Callable[..., str], tmp_path: pathlib.Path) -> None:
    path = stream.folder / "binary.svm"
    cli("compare", path, "--samplers", COMPARE["samplers"], "--rates", COMPARE["rates"], "--runs", 2, "--quiet",
        "--json", tmp_path / "points.json")
    there = experiments._on_ray(None)("compare", [str(path)], COMPARE, None)
    assert (tmp_path / "points.json").read_text().strip() == there
    assert askfew.ray.compare(path, **COMPARE) == askfew.compare(path, **COMPARE)


def test_texts_and_topics_are_compared_too(stream: Stream) -> None:
    words = np.array(["north", "east", "south", "west"])[stream.classes]
    texts = [f"the wind of {word} {k % 7}" for k, word in enumerate(words)]
    topics = [[word, "any"] if k % 3 else [word] for k, word in enumerate(words)]
    options = {"samplers": "sel-p", "rates": "20%", "runs": 1, "dictionary": True, "tf_idf": True}
    here, there = both("compare", workflows._data(texts, topics), options)
    assert here == there


def test_the_data_is_read_where_it_is(stream: Stream) -> None:
    columns = ray.get(ray.put(_core.load_columns("compare", workflows._data(stream.csr, stream.y), COMPARE)))
    assert not columns["values"].flags.owndata and not columns["values"].flags.writeable
    left, result = _core.run_part("compare", columns, COMPARE, _core.Results("", ""), [])
    assert len(left) == 9 and result is None
    with pytest.raises((RuntimeError, TypeError)):  # another type would have to be copied
        _core.run_part("compare", {**columns, "values": columns["values"].astype(np.float32)}, COMPARE,
                       _core.Results("", ""), [])
    with pytest.raises(askfew.DataError, match="do not belong together"):
        _core.run_part("compare", {**columns, "values": columns["values"][1:]}, COMPARE, _core.Results("", ""), [])


def test_a_stopped_experiment_goes_on_where_it_was(stream: Stream, tmp_path: pathlib.Path) -> None:
    kept = tmp_path / "kept.jsonl"
    told: list[tuple[int, int]] = []

    def stop_after_two(done: int, of: int) -> None:
        told.append((done, of))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        askfew.ray.compare(stream.X, stream.y, resume=kept, progress=stop_after_two, **COMPARE)
    assert told == [(1, 9), (2, 9)]
    assert len(kept.read_text().splitlines()) == 2
    with kept.open("a") as file:
        file.write('{"key": "cut o')  # by a crash
    told.clear()
    there = askfew.ray.compare(stream.X, stream.y, resume=kept, progress=lambda done, of: told.append((done, of)), **COMPARE)
    assert told[-1] == (7, 7)
    assert there == askfew.compare(stream.X, stream.y, **COMPARE)
    # Results of other data or options are no results of this experiment.
    told.clear()
    other = askfew.ray.compare(stream.X, -stream.y, resume=kept, progress=lambda done, of: told.append((done, of)), **COMPARE)
    assert told[-1] == (9, 9)
    assert other == askfew.compare(stream.X, -stream.y, **COMPARE)


def test_results_of_another_build_of_the_same_version_are_not_used(
        stream: Stream, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, options = {"rows": 3}, {"seed": 1}
    digest = experiments._digest("compare", columns, options)
    assert digest == experiments._digest("compare", columns, options)
    build = experiments.build_digest()
    monkeypatch.setattr(experiments, "build_digest", lambda: build + "0")
    assert digest != experiments._digest("compare", columns, options)


def test_a_node_with_another_build_is_an_error(stream: Stream) -> None:
    columns = _core.load_columns("compare", workflows._data(stream.X, stream.y), COMPARE)
    with pytest.raises(askfew.ConfigError, match="another build of askfew"):
        experiments._run_jobs("compare", columns, COMPARE, "another", [])


def test_errors_have_the_words_of_one_machine(stream: Stream, tmp_path: pathlib.Path) -> None:
    with pytest.raises(askfew.ConfigError, match="metric"):
        askfew.ray.tune(stream.X, stream.y, sampler="pa-log", rate="10%", metric="unheard")
    with pytest.raises(askfew.ConfigError, match="2 is not a share of the labels"):
        askfew.ray.coverage(stream.X, stream.y, sampler="sel-p", audit=2)
    with pytest.raises(askfew.FileError):
        askfew.ray.compare(tmp_path / "missing.svm")
    with pytest.raises(askfew.ConfigError, match="no experiment 'unheard'"):
        askfew.ray.reproduce("unheard")


def test_a_sampler_that_fails_is_a_result_like_any_other(stream: Stream, tmp_path: pathlib.Path) -> None:
    options: dict[str, Any] = {"samplers": "sel-2nd,sel-p", "rates": "20%", "runs": 1, "max_memory": 1000, "threads": 1}
    results = []
    for compare, more in ((askfew.compare, {}), (askfew.ray.compare, {"resume": tmp_path / "kept.jsonl"}),
                          (askfew.ray.compare, {"resume": tmp_path / "kept.jsonl"})):  # the last finds all results
        with pytest.warns(askfew.DataWarning, match="sel-2nd at 20%: ") as told:
            results.append(compare(stream.X, stream.y, **options, **more))
        assert len(told) == 1
    assert results[0].points[0].failure is not None
    assert results[0] == results[1] == results[2]
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 2


def test_an_error_in_a_job_is_that_of_one_machine() -> None:
    X = np.full((40, 2), 1e200)
    y = np.where(np.arange(40) % 2 == 0, 1, -1)
    raised = []
    for compare in (askfew.compare, askfew.ray.compare):
        with pytest.raises(askfew.NumericError) as error:
            compare(X, y, samplers=["sel-2nd"], rates=[0.5], runs=1)
        raised.append(str(error.value))
    assert raised[0] == raised[1]


def test_a_paper_is_reproduced_with_the_figures_of_one_machine(tmp_path: pathlib.Path) -> None:
    here = askfew.reproduce("slides", quick=True, output=tmp_path / "here", threads=2)
    told: list[tuple[int, int]] = []
    there = askfew.ray.reproduce("slides", quick=True, output=tmp_path / "there",
                                 progress=lambda done, of: told.append((done, of)))
    assert told[-1][0] == told[-1][1] > 10
    assert (tmp_path / "here" / "slides-quick.json").read_bytes() == (tmp_path / "there" / "slides-quick.json").read_bytes()
    assert here.verdicts == there.verdicts
    told.clear()  # everything is kept
    askfew.ray.reproduce("slides", quick=True, output=tmp_path / "there", progress=lambda done, of: told.append((done, of)))
    assert told == []


class Topics:
    """Blocks of sparse instances with many topics, most of them rare, as in RCV1."""

    def __init__(self, topics: int, blocks: int, rows: int, features: int = 2000, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.topics = [f"topic {k}" for k in range(topics)]
        self.blocks = []
        for _ in range(blocks):
            columns = np.minimum(rng.zipf(1.3, size=(rows, 40)) - 1, features - 1)
            X = scipy.sparse.csr_matrix((np.ones(columns.size), (np.repeat(np.arange(rows), 40), columns.ravel())),
                                        shape=(rows, features))
            X.sum_duplicates()
            X.data = np.log1p(X.data)
            # A topic depends on a word; the frequent words have the frequent topics.
            labels = [sorted({self.topics[int(c) * 7919 % topics] for c in row[:4]}) for row in columns]
            self.blocks.append((X, labels))


TOPICS = Topics(topics=60, blocks=6, rows=50)
OPTIONS: dict[str, Any] = {"sampler": "sel-p", "seed": 3, "normalize": True}


def on_one_machine(topics: Topics, **options: Any) -> tuple[askfew.Sampler, list[Any]]:
    sampler = askfew.Sampler(topics=topics.topics, **options)
    return sampler, [sampler.run(X, y, more=True) for X, y in topics.blocks]


def kill(shards: TopicShards, k: int) -> None:
    ray.kill(shards._actors[k])


def crash(shards: TopicShards, k: int) -> None:
    """The process of the actor ends while it runs."""
    shards._actors[k].__ray_call__.remote(lambda _: __import__("os").kill(__import__("os").getpid(), signal.SIGKILL))


@pytest.mark.parametrize("options", [OPTIONS, {**OPTIONS, "budget": "10%", "horizon": 300, "audit": 0.01},
                                     {**OPTIONS, "sampler": "pa-log", "lazy": True, "tf_idf": True}])
def test_shards_decide_as_one_sampler(options: dict[str, Any]) -> None:
    expected, traces = on_one_machine(TOPICS, **options)
    with TopicShards(TOPICS.topics, shards=2, **options) as shards:
        for (X, y), trace in zip(TOPICS.blocks, traces, strict=True):
            answers = shards.run(X, y, more=True)
            assert (answers.asked.ravel() == trace["asked"]).all()
            assert (answers.predictions.ravel() == trace["prediction"]).all()
        assert shards.rounds == 300
        assert shards.sampler().to_bytes() == expected.to_bytes()
        assert (shards.decision_function(X) == expected.decision_function(X)).all()
        assert (shards.predict(X) == expected.predict(X)).all()
        nodes = ray.get([actor.__ray_call__.remote(lambda _: ray.get_runtime_context().get_node_id())
                         for actor in shards._actors])
        assert len(set(nodes)) == 2


def test_blocks_are_read_in_the_object_store() -> None:
    X, _ = TOPICS.blocks[0]
    rows = ray.put(askfew._arrays.rows(X))

    def look(shard: Any, begins: Any, values: Any) -> tuple[bool, bool]:
        return values.flags.owndata, values.flags.writeable

    with TopicShards(TOPICS.topics, shards=1, **OPTIONS) as shards:
        seen = ray.get(shards._actors[0].__ray_call__.remote(lambda shard, block: look(shard, block[0], block[2]), rows))
    assert seen == (False, False)


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("end", [kill, crash])
def test_an_actor_that_dies_is_restarted_with_the_same_bits(tmp_path: pathlib.Path, saved: bool,
                                                            end: Callable[[TopicShards, int], None]) -> None:
    expected, traces = on_one_machine(TOPICS, **OPTIONS)
    with TopicShards(TOPICS.topics, shards=2, folder=tmp_path / "shards" if saved else None, every=2, **OPTIONS) as shards:
        for k, ((X, y), trace) in enumerate(zip(TOPICS.blocks, traces, strict=True)):
            if k in (1, 4):
                end(shards, k % 2)
            assert (shards.run(X, y, more=True).asked.ravel() == trace["asked"]).all()
        end(shards, 0)
        end(shards, 1)
        assert shards.sampler().to_bytes() == expected.to_bytes()


def test_shards_go_on_from_their_folder(tmp_path: pathlib.Path) -> None:
    expected, _ = on_one_machine(TOPICS, **OPTIONS)
    with TopicShards(TOPICS.topics, shards=2, folder=tmp_path, every=2, **OPTIONS) as shards:
        for X, y in TOPICS.blocks[:5]:
            shards.run(X, y, more=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shard-1-of-2-4.askfew", "shard-2-of-2-4.askfew", "shards.json"]
    with pytest.raises(askfew.ConfigError, match="has saved shards"):
        TopicShards(TOPICS.topics, shards=2, folder=tmp_path, **OPTIONS)
    with TopicShards.load(tmp_path) as shards:
        assert shards.rounds == 200  # the fifth block was not saved
        for X, y in TOPICS.blocks[4:]:
            shards.run(X, y, more=True)
        assert shards.sampler().to_bytes() == expected.to_bytes()
    (tmp_path / "shards.json").write_text("{")
    with pytest.raises(askfew.FileError, match="not the list of saved shards"):
        TopicShards.load(tmp_path)


def test_a_block_that_is_refused_changes_nothing() -> None:
    expected, _ = on_one_machine(TOPICS, **OPTIONS)
    wrong = scipy.sparse.csr_matrix(np.full((50, 2000), np.nan))
    with TopicShards(TOPICS.topics, shards=2, **OPTIONS) as shards:
        for X, y in TOPICS.blocks:
            with pytest.raises(askfew.DataError):
                shards.run(wrong, y, more=True)
            with pytest.raises(askfew.ConfigError, match="50 rows, y has 49"):
                shards.run(X, y[1:], more=True)
            shards.run(X, y, more=True)
        assert shards.sampler().to_bytes() == expected.to_bytes()


def test_impossible_shards_are_refused() -> None:
    for shards in (0, 61, 1.5):
        with pytest.raises(askfew.ConfigError, match="accepted: 1 to 60"):
            TopicShards(TOPICS.topics, shards=shards)  # type: ignore[arg-type]
    with pytest.raises(askfew.ConfigError, match="out of range"):
        TopicShards(TOPICS.topics, shards=2, sampler="sel-p:b=0")
    with TopicShards(TOPICS.topics, shards=2, **OPTIONS) as shards, pytest.raises(askfew.ConfigError, match="no `folder`"):
        shards.save()


def test_many_topics() -> None:
    """As 10,000 topics, which python/scripts/bench_ray.py runs."""
    many = Topics(topics=1000, blocks=2, rows=100)
    expected, _ = on_one_machine(many, sampler="sel-p")
    with TopicShards(many.topics, shards=2, sampler="sel-p") as shards:
        shards.run(*many.blocks[0], more=True)
        kill(shards, 1)
        shards.run(*many.blocks[1], more=True)
        assert shards.sampler().to_bytes() == expected.to_bytes()


def test_the_examples_of_the_guide_are_right(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "guide" / "scale.md").read_text()
    blocks = re.findall(r"^```pycon\n(>>> .*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "scale.md", None, 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.summarize().failed == 0
