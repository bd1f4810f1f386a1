from __future__ import annotations

import json
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import matplotlib
import numpy as np
import pandas
import pytest
from conftest import Stream

import askfew
from askfew import bounds, estimate, synthetic

matplotlib.use("Agg")


def test_a_run_is_that_of_the_command_line(stream: Stream, cli: Callable[..., str], tmp_path: Any) -> None:
    path = stream.folder / "binary.svm"
    cli("run", path, "--sampler", "sel-p", "--audit", "5%", "--json", tmp_path / "r.json", "--quiet", "--baseline",
        "--dimension", 12)
    expected = json.loads((tmp_path / "r.json").read_text())
    from_file = askfew.run(path, sampler="sel-p", audit="5%", baseline=True, dimension=12)
    from_array = askfew.run(stream.csr, stream.y, sampler="sel-p", audit=0.05, baseline=True)
    for result in (from_file, from_array):
        raw = dict(result.raw)
        for name in ("seconds", "examples_per_second", "format"):
            raw[name] = expected[name]
        assert raw == expected
    assert from_file.model.to_bytes() == from_array.model.to_bytes()
    assert from_file.to_pandas().loc[0, "asked"] == expected["tasks"][0]["asked"]


def test_what_is_wrong_is_refused_with_words(stream: Stream) -> None:
    for call, words in (
        (lambda: askfew.run(stream.X), "y is missing"),
        (lambda: askfew.run("mails.csv", stream.y), "X is the path 'mails.csv', whose file has the labels"),
        (lambda: askfew.compare(stream.X, stream.y, samplers=[]), "`samplers` is empty"),
        (lambda: askfew.compare(stream.X, stream.y, samplers="sel-p", rates=[]), "`rates` is empty"),
        (lambda: askfew.compare(stream.X, stream.y, samplers="sel-p", rates=[5]), "5 is not a share of the labels"),
        (lambda: askfew.run(stream.X, stream.y, seed=-1), "`seed`: -1 is not accepted, expected: a whole number"),
        (lambda: askfew.run(stream.X, np.full(len(stream.y), 1 << 33)), "smaller than 1,073,741,824"),
        (lambda: askfew.compare(stream.X, stream.y, runs=0), "`runs` is 0"),
        (lambda: askfew.tune(stream.X, stream.y, rate="5%", runs=0), "`runs` is 0"),
        (lambda: askfew.coverage(stream.X, stream.y, sampler="sel-p", runs=0), "`runs` is 0"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_a_matrix_of_other_columns_is_not_evaluated(stream: Stream) -> None:
    model = askfew.run(stream.X, stream.y, sampler="sel-p", bias=1).model
    with pytest.raises(askfew.ConfigError, match="X: instances of 5 features, fewer than the 12 of the model"):
        askfew.evaluate(model, stream.X[:, :5], stream.y)
    with pytest.raises(askfew.DataError, match="X: it has text; the model was trained on numbers by index"):
        askfew.evaluate(model, ["free money", "lunch"], [1, -1])


@pytest.mark.parametrize("missing", [None, float("nan"), pandas.NA])
def test_a_missing_label_is_refused(missing: Any) -> None:
    X, y = np.eye(3), ["spam", missing, "ham"]
    for labels in (y, np.array(y, dtype=object), pandas.Series(y)):
        with pytest.raises(askfew.DataError, match=r"y\[1\]: .* is not a label"):
            askfew.Sampler("sel-p", positive=["spam"]).run(X, labels)
        with pytest.raises(askfew.DataError, match=r"y\[1\]: .* is not a label"):
            askfew.run(X, labels, positive="spam")


DOORS = {
    "Sampler.run": lambda X, y, label: askfew.Sampler("sel-p", positive=[label]).run(X, y),
    "Sampler.learn": lambda X, y, label: askfew.Sampler("sel-p", positive=[label]).learn(X, y),
    "run": lambda X, y, label: askfew.run(X, y, sampler="sel-p", positive=[label]),
    "compare": lambda X, y, label: askfew.compare(X, y, samplers=["sel-p"], rates=[0.2], runs=1, positive=[label]),
    "tune": lambda X, y, label: askfew.tune(X, y, sampler="sel-p", rate=0.2, runs=1, positive=[label]),
    "coverage": lambda X, y, label: askfew.coverage(X, y, sampler="sel-p", runs=2, positive=[label]),
    "bound": lambda X, y, label: askfew.bound(X, y, sampler="sel-p", seeds=1, positive=[label]),
}


def names_of(stream: Stream) -> list[str]:
    return ["spam" if label > 0 else "ham" for label in stream.y]


@pytest.mark.parametrize("door", DOORS)
def test_a_positive_label_that_nobody_has_is_an_error(stream: Stream, door: str) -> None:
    with pytest.raises(askfew.ConfigError, match="no example has the label 'spma' of `positive`: did you mean 'spam'"):
        DOORS[door](stream.X, names_of(stream), "spma")


@pytest.mark.parametrize("door", DOORS)
def test_doubtful_labels_are_warnings(stream: Stream, door: str) -> None:
    y = names_of(stream)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DOORS[door](stream.X, y, "spam")
    y[:3] = ["Spam", "spma", "N/A"]
    with pytest.warns(askfew.LabelWarning) as told:
        DOORS[door](stream.X, y, "spam")
    assert sorted(str(one.message).split(": ")[1][:20] for one in told) == [
        "'N/A' is read as a l", "the label 'Spam' is ", "the label 'spma' is "]


def test_an_evaluation_warns_of_doubtful_labels(stream: Stream) -> None:
    model = askfew.run(stream.X, names_of(stream), sampler="sel-p", positive=["spam"]).model
    with pytest.warns(askfew.LabelWarning, match="'Spam' is not 'spam'"):
        askfew.evaluate(model, stream.X, ["Spam", *names_of(stream)[1:]])


def test_a_block_of_a_longer_stream_may_lack_a_positive_label(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p", positive=["spam"])
    sampler.run(stream.X[:5], ["ham"] * 5, more=True)
    sampler.run(stream.X[5:10], ["ham"] * 5)
    assert sampler.tally().rounds == 10


def test_a_positive_label_of_another_type_is_an_error(stream: Stream) -> None:
    with pytest.raises(askfew.ConfigError, match="`positive` has '1', a str, and y has 1, a int"):
        askfew.Sampler("sel-p", positive=["1"]).run(stream.X, stream.y)


def test_labels_may_be_a_list_or_the_text_of_the_command_line(stream: Stream) -> None:
    names = np.array(["north", "east", "south", "west"])[stream.classes]
    one = askfew.run(stream.X, names, sampler="sel-p", positive=["north", "east"], negative=["south", "west"])
    two = askfew.run(stream.X, names, sampler="sel-p", positive="north,east", negative="south,west")
    assert one.all == two.all


@pytest.mark.parametrize("door", DOORS)
def test_a_label_with_a_comma_a_quote_or_a_dash_can_be_named(stream: Stream, door: str) -> None:
    for name in ("Doe, Jane", 'the "best"', "1-2", "all"):
        y = np.where(stream.y > 0, name, "other")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            DOORS[door](stream.X, y, name)


def test_texts_that_are_not_utf_8_are_a_warning(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "data.csv"
    text = "text,label\n" + "".join(f"caf\u00e9 number {k % 7},{k % 2}\n" for k in range(40))
    path.write_bytes(text.encode("latin-1"))
    with pytest.warns(askfew.DataWarning, match="data.csv:2: this text and 39 more are not UTF-8"):
        result = askfew.run(path, sampler="sel-p")
    assert ["UTF-8" in note for note in result.notes] == [True]
    with pytest.warns(askfew.DataWarning, match="not UTF-8"):
        askfew.compare(path, samplers=["sel-p"], rates=[0.2], runs=1)
    path.write_bytes(text.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        askfew.run(path, sampler="sel-p")


def test_found_labels_that_differ_only_in_capitals_are_a_warning(stream: Stream) -> None:
    y = names_of(stream)
    y[:2] = ["Spam", "Spam"]
    with pytest.warns(askfew.DataWarning, match="differ only in capitals or blanks"):
        askfew.run(stream.X, y, sampler="sel-p", labels="all")


def test_a_single_run_has_no_interval(stream: Stream) -> None:
    (point,) = askfew.compare(stream.X, stream.y, samplers=["sel-p"], rates=[0.2], runs=1).points
    assert np.isnan(point.f1.half_width) and np.isnan(point.f1.deviation)


def test_labels_of_arrays_may_be_names_or_topics(stream: Stream) -> None:
    names = np.array(["north", "east", "south", "west"])[stream.classes]
    result = askfew.run(stream.X, names, sampler="sel-p", multiclass=True)
    assert {task.task for task in result.tasks} == {"north", "east", "south", "west"}
    topics = [[name, "all"] for name in names]
    assert len(askfew.run(stream.X, topics, sampler="sel-p").tasks) == 5
    binary = askfew.run(stream.X, names, sampler="sel-p", positive="north")
    assert binary.all.rounds == 400


def test_compare_and_its_figure(stream: Stream, tmp_path: Any) -> None:
    told: list[tuple[int, int]] = []
    result = askfew.compare(stream.X, stream.y, samplers=["sel-p", "sel-p-fixed"], rates=[0.1, 0.5], runs=2,
                            progress=lambda done, of: told.append((done, of)))
    assert [(p.sampler, p.rate) for p in result.points] == [("sel-p", 0.1), ("sel-p", 0.5), ("sel-p-fixed", 0.1),
                                                            ("sel-p-fixed", 0.5)]
    assert told[-1][0] == told[-1][1] > 0
    frame = result.to_pandas()
    assert list(frame["sampler"]) == ["sel-p", "sel-p", "sel-p-fixed", "sel-p-fixed"]
    axes = result.plot()
    axes.figure.savefig(tmp_path / "compare.png")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["sel-p", "sel-p-fixed"]


def test_tune_returns_the_best_first(stream: Stream) -> None:
    result = askfew.tune(stream.X, stream.y, sampler="pa-log", rate="10%", grid=["C=0.01,1"], runs=1)
    assert len(result.tuned) == 2
    assert result.tuned[0].f1 >= result.tuned[1].f1
    sampler = askfew.Sampler(learner=result.best.learner, rule=result.best.rule, update=result.best.update)
    assert sampler.config()["rule"] == result.best.rule


def table_without_scale() -> tuple[Any, Any]:
    """A column of 2e8, hardly different from row to row: the matrix of sel-2nd loses its precision."""
    k = np.arange(300)
    a, b = k * 7919 % 101 - 50, k * 104729 % 103 - 51
    return np.column_stack([2e8 + 100.0 * a, b]), np.where(a + 2 * b > 0, 1, -1)


def test_a_sampler_that_fails_does_not_spoil_the_others(tmp_path: Any) -> None:
    X, y = table_without_scale()
    options: dict[str, Any] = {"rates": [0.2, 0.5], "runs": 2}
    alone = askfew.compare(X, y, samplers=["sel-p"], **options)
    with pytest.warns(askfew.DataWarning, match=r"sel-2nd at 20%, 50%: .*the learner's matrix") as told:
        result = askfew.compare(X, y, samplers=["sel-2nd", "sel-p"], **options)
    assert len(told) == 1
    assert result.points[2:] == alone.points
    for point in result.points[:2]:
        assert point.failure is not None and point.failure.startswith("round ")
        assert np.isnan([point.share.mean, point.f1.mean, point.f1.half_width, point.accuracy.deviation]).all()
    frame = result.to_pandas()
    assert list(frame["failure"].isna()) == list(frame["f1"].notna()) == [False, False, True, True]
    assert "failure" not in alone.to_pandas()
    axes = result.plot()
    axes.figure.savefig(tmp_path / "compare.png")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["sel-p"]
    with pytest.raises(askfew.NumericError, match=r"^sel-2nd at 20%: round "):
        askfew.compare(X, y, samplers=["sel-2nd"], **options)


def test_a_candidate_that_fails_comes_last(tmp_path: Any) -> None:
    X, y = table_without_scale()
    with pytest.warns(askfew.DataWarning, match=r"^sel-2nd:a=1: round "):
        result = askfew.tune(X, y, sampler="sel-2nd", rate="20%", grid=["a=1,1e12"])
    assert [tuned.sampler for tuned in result.tuned] == ["sel-2nd:a=1e12", "sel-2nd:a=1"]
    assert result.best.failure is None and result.tuned[1].failure is not None
    assert np.isnan(result.tuned[1].f1)
    assert list(result.to_pandas()["failure"].isna()) == [True, False]
    assert len(result.plot().get_yticklabels()) == 1
    with pytest.raises(askfew.NumericError, match=r"^sel-2nd:a=1: round "):
        askfew.tune(X, y, sampler="sel-2nd", rate="20%", grid=["a=1,2"])


def test_a_learner_beyond_the_memory_limit_fails(stream: Stream) -> None:
    options: dict[str, Any] = {"rates": [0.2], "runs": 1, "max_memory": 1000, "threads": 1}
    with pytest.warns(askfew.DataWarning, match=r"sel-2nd at 20%: .* of the limit of 1.0 kB are taken \(see `max_memory`\)$"):
        result = askfew.compare(stream.X, stream.y, samplers=["sel-2nd", "sel-p"], **options)
    assert [point.failure is None for point in result.points] == [False, True]
    with pytest.raises(askfew.MemoryLimitError, match=r"^sel-2nd at 20%: round "):
        askfew.compare(stream.X, stream.y, samplers=["sel-2nd"], **options)


def test_bound_has_the_theorems_of_the_sampler(stream: Stream) -> None:
    result = askfew.bound(stream.X, stream.y, sampler="sel-p:b=1", seeds=3)
    frame = result.to_pandas()
    applies = frame[frame["applies"]]
    assert len(applies) > 0
    assert (applies["bound"] > applies["mistakes"]).all()


def test_an_exception_in_progress_ends_a_workflow(stream: Stream) -> None:
    def progress(done: int, of: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        askfew.run("synthetic:linear-noise:n=3000000", sampler="sel-p", progress=progress)


def test_what_is_wrong_has_the_words_of_the_library(stream: Stream) -> None:
    with pytest.raises(askfew.FileError, match=r"none\.svm"):
        askfew.run("none.svm")
    with pytest.raises(askfew.ConfigError, match="no option 'colour'"):
        askfew.run(stream.X, stream.y, colour="red")
    with pytest.raises(askfew.ConfigError, match="name them with"):
        askfew.run(stream.X, stream.classes)


def test_the_coins_are_those_of_numpy() -> None:
    generator = np.random.Generator(np.random.Philox(counter=[0, 0, 0, 0], key=[7, 2]))
    assert (synthetic.coins(100, seed=7, task=2) == generator.random(100)).all()


def test_synthetic_streams_are_those_of_the_command_line() -> None:
    name = "synthetic:linear-noise:n=500,seed=3"
    X, y = synthetic.make("linear-noise", n=500, seed=3)
    expected = askfew.run(name, sampler="sel-p").raw["tasks"]
    assert askfew.run(X, y, sampler="sel-p").raw["tasks"] == expected
    for entry in askfew.catalog()["synthetic"]:
        X, y = synthetic.make(str(entry["name"]), n=50)
        assert X.shape[0] == len(y) == 50


def test_a_confidence_sequence_covers_the_truth_at_all_times() -> None:
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(40):
        sequence = estimate.ConfidenceSequence(floor=0.05)
        outside, count = False, 0
        for k in range(1, 1500):
            probability = rng.choice([0.05, 0.3, 1.0])
            mistake = bool(rng.random() < 0.1)
            count += mistake
            sequence.add(probability, mistake if rng.random() < probability else None)
            if k % 50 == 0:
                low, high = sequence.interval(alpha=0.05)
                outside |= not low <= count / k <= high
        missed += outside
    assert missed <= 5  # of 40 runs, expected at most 2
    assert low <= sequence.value() <= high


def test_bounds_fall_where_theory_says_so() -> None:
    easy = bounds.Comparator(norm=2.0, loss=0.0)
    hard = bounds.Comparator(norm=2.0, loss=10.0)
    assert bounds.perceptron_bound(easy) == pytest.approx(4.0)
    assert bounds.selective_perceptron_bound(easy, 1.0) < bounds.selective_perceptron_bound(hard, 1.0)
    with pytest.raises(askfew.ConfigError):
        estimate.ConfidenceSequence(floor=0)


def test_rows_that_are_sorted_by_their_labels_are_told_and_can_be_mixed() -> None:
    y = np.repeat(["ham", "spam"], 50)
    X = np.random.default_rng(1).normal(size=(100, 3)) + (y == "spam")[:, None]
    kinds: list[dict[str, Any]] = [{"positive": ["spam"]}, {"classes": ["ham", "spam", "other"]}]
    for kind in kinds:
        with pytest.warns(askfew.DataWarning, match="y: the rows are sorted by their labels"):
            askfew.Sampler("sel-p", **kind).run(X, y)
    options: dict[str, Any] = {"positive": "spam", "samplers": ["sel-p"], "rates": ["20%"], "runs": 1}
    with pytest.warns(askfew.DataWarning, match="first 50 with the label 'ham', then 50 with the label 'spam'"):
        askfew.compare(X, y, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        askfew.compare(X, y, order="random", **options)
        askfew.compare(X, y, shuffle=True, **options)
        askfew.Sampler("sel-p", positive=["spam"]).run(X[::-1][np.arange(100) * 37 % 100], y[np.arange(100) * 37 % 100])
        askfew.Sampler("sel-p", positive=["spam"]).run(X[:50], y[:50], more=True)
