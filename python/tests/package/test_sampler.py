from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from conftest import Stream

import askfew


def test_all_forms_of_the_same_numbers_give_the_same_decisions(stream: Stream) -> None:
    reference = askfew.Sampler("sel-p").run(stream.X, stream.y)
    single = stream.X.astype(np.float32)
    assert (askfew.Sampler("sel-p").run(single.astype(np.float64), stream.y)["margin"]
            == askfew.Sampler("sel-p").run(single, stream.y)["margin"]).all()
    assert (askfew.Sampler("sel-p").run(np.asfortranarray(stream.X), stream.y) == reference).all()
    assert (askfew.Sampler("sel-p").run(stream.X.tolist(), (stream.y > 0).tolist()) == reference).all()
    sparse = askfew.Sampler("sel-p").run(stream.csr, stream.y)
    wide = stream.csr.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (askfew.Sampler("sel-p").run(wide, stream.y) == sparse).all()


def test_blocks_are_the_same_as_the_whole(stream: Stream) -> None:
    whole = askfew.Sampler("sel-p").run(stream.X, stream.y)
    sampler = askfew.Sampler("sel-p")
    parts = [sampler.run(stream.X[k:k + 130], stream.y[k:k + 130]) for k in range(0, 400, 130)]
    assert (np.concatenate(parts) == whole).all()


def test_a_model_goes_on_bit_for_bit(stream: Stream, tmp_path: Any) -> None:
    first = askfew.Sampler("sel-2nd", seed=3, audit=0.01)
    first.run(stream.X[:200], stream.y[:200])
    first.save(tmp_path / "half.askfew")
    others = [askfew.Sampler.load(tmp_path / "half.askfew"), pickle.loads(pickle.dumps(first)), copy.copy(first),
              copy.deepcopy(first), askfew.Sampler.from_bytes(first.to_bytes())]
    expected = first.run(stream.X[200:], stream.y[200:])
    for other in others:
        assert (other.run(stream.X[200:], stream.y[200:]) == expected).all()
        assert other.to_bytes() == first.to_bytes()


def test_a_new_sampler_can_be_pickled_and_keeps_its_options(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p", budget="10%", classes=["a", "b"])
    other = pickle.loads(pickle.dumps(sampler))
    labels = np.where(stream.y > 0, "a", "b")
    assert (other.run(stream.X, labels) == sampler.run(stream.X, labels)).all()
    assert set(pickle.loads(pickle.dumps(sampler)).predict(stream.X)) <= {"a", "b"}


def test_a_peek_changes_nothing(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p", budget="10%", audit=0.01)
    sampler.run(stream.X[:300], stream.y[:300])
    before = sampler.to_bytes()
    for x in stream.X[300:]:
        sampler.peek(x)
    assert sampler.to_bytes() == before


def test_a_label_that_was_not_asked_is_refused(stream: Stream) -> None:
    sampler = askfew.Sampler(learner="perceptron", rule="random:q=0.001")
    queries = [(x, sampler.ask(x)) for x in stream.X]
    x, query = next((x, q) for x, q in queries if not q.asked)
    with pytest.raises(askfew.ConfigError, match="not asked"):
        sampler.tell(x, 1, query)


def test_late_labels_are_learned(stream: Stream) -> None:
    sampler = askfew.Sampler(learner="perceptron", rule="always")
    queries = [(x, y, sampler.ask(x)) for x, y in zip(stream.X, stream.y, strict=True)]
    assert sampler.tally().updates == 0
    updates = sum(sampler.tell(x, y, query) for x, y, query in queries)
    assert sampler.tally().updates == updates > 0
    assert (sampler.predict(stream.X) == stream.y).mean() > 0.8


def test_classes_have_the_names_that_were_given(stream: Stream) -> None:
    names = np.array(["north", "east", "south", "west"])
    sampler = askfew.Sampler("sel-p", classes=names.tolist())
    sampler.run(stream.X, names[stream.classes])
    assert set(sampler.predict(stream.X)) <= set(names)
    shares = sampler.predict_proba(stream.X)
    assert shares.shape == (400, 4)
    assert np.allclose(shares.sum(axis=1), 1)
    query = sampler.ask(stream.X[0])
    assert query.prediction in names
    with pytest.raises(askfew.ConfigError, match="'up' is not one of the classes"):
        sampler.run(stream.X, ["up"] * 400)


def test_topics_are_tasks_of_their_own(stream: Stream) -> None:
    indicator = np.column_stack([stream.y > 0, stream.classes == 1])
    sampler = askfew.Sampler("sel-p", topics=["up", "one"])
    trace = sampler.run(stream.X, indicator)
    alone = askfew.Sampler("sel-p").run(stream.X, stream.y)
    first = trace[trace["task"] == 0]
    assert all((first[name] == alone[name]).all() for name in ("margin", "coin", "asked", "label"))
    queries = sampler.ask(stream.X[0])
    assert [query.task for query in queries] == [0, 1]
    assert sampler.predict(stream.X).shape == (400, 2)


def test_predictions_follow_the_aim() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 6))
    rare = np.where(X[:, 0] + 0.7 * rng.normal(size=3000) > 1.5, 1, -1)
    positives = []
    for aim in ("precision=0.95", "f1", "recall=0.95"):
        sampler = askfew.Sampler(learner="pa-1:C=0.1", rule="random:q=0.5", aim=aim)
        sampler.run(X, rare)
        predicted = sampler.predict(X)
        assert [sampler.peek(x).prediction for x in X[:500]] == predicted[:500].tolist()
        positives.append((predicted == 1).sum())
    assert positives[0] < positives[1] < positives[2]


def test_the_explanation_agrees_with_the_decision(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p")
    for x, y in zip(stream.X, stream.y, strict=True):
        query = sampler.ask(x)
        why = sampler.explain(x, query)
        assert why.threshold is not None
        assert query.asked == (abs(query.margin) <= why.threshold)
        if query.asked:
            sampler.tell(x, y, query)
    with pytest.raises(askfew.ConfigError, match="last query"):
        sampler.explain(stream.X[0], query if query.asked else sampler.peek(stream.X[0]))


@pytest.mark.parametrize("wrong, error, words", [
    (lambda: askfew.Sampler("sel-x"), askfew.ConfigError, "sel-x"),
    (lambda: askfew.Sampler("sel-p:b=0"), askfew.ConfigError, "margin: b = 0 is out of range"),
    (lambda: askfew.Sampler(colour="red"), askfew.ConfigError, "there is no option 'colour' here"),
    (lambda: askfew.Sampler(budget=-1.5), askfew.ConfigError, "neither a whole number of labels"),
    (lambda: askfew.Sampler("sel-p", audit=2), askfew.ConfigError, "2 is not a share of the labels"),
    (lambda: askfew.Sampler(classes=["a", "b", "a"]), askfew.ConfigError, "`classes` has 'a' twice"),
    (lambda: askfew.Sampler(classes="ab"), askfew.ConfigError, "`classes` has only 'ab'"),
    (lambda: askfew.Sampler(topics=["a", "a"]), askfew.ConfigError, "`topics` has 'a' twice"),
    (lambda: askfew.Sampler().run([[1.0], [2.0]], None), askfew.ConfigError, "y is None"),
    (lambda: askfew.Sampler().run([[1.0], [2.0]], [[1], [-1]]), askfew.ConfigError, "y has 2 dimensions"),
    (lambda: askfew.Sampler(topics="a").run([[1.0], [2.0]], ["a", "b"]), askfew.ConfigError, r"y\[0\] is .a., expected a list"),
    (lambda: askfew.Sampler().save("/dev/full"), askfew.ConfigError, "no model"),
    (lambda: askfew.Sampler().run([[1.0, float("nan")]], [1]), askfew.DataError, r"X\[0\]: value nan of feature 1 is not finite"),
    (lambda: askfew.Sampler().run([[1.0], [2.0]], [1]), askfew.ConfigError, "2 rows, y has 1"),
    (lambda: askfew.Sampler().run([[1.0], [2.0]], [1, 3]), askfew.ConfigError, "label 3 is not -1, 0 or"),
    (lambda: askfew.Sampler().predict([[1.0]]), askfew.ConfigError, "no model"),
    (lambda: askfew.Sampler.from_bytes(b"abc"), askfew.ModelError, "too short|not a|no askfew"),
    (lambda: askfew.Sampler.load("/none/there"), askfew.FileError, "/none/there"),
])
def test_what_is_wrong_is_refused_with_words(wrong: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        wrong()


def test_a_stream_has_one_dimension(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p")
    sampler.ask(stream.X[0])
    with pytest.raises(askfew.ConfigError, match="13 features, more than the dimension 12"):
        sampler.ask(np.ones(13))


def test_a_matrix_with_fewer_columns_is_refused_unless_the_dimension_was_given(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-p")
    sampler.learn(stream.X, stream.y)
    for fewer in (stream.X[:, :5], stream.csr[:, :5]):
        with pytest.raises(askfew.ConfigError, match="5 features, fewer than the dimension 12"):
            sampler.predict(fewer)
    with pytest.raises(askfew.ConfigError, match="5 features, fewer than the dimension 12"):
        sampler.ask(stream.X[0, :5])
    told = askfew.Sampler("sel-p", dimension=20)
    told.learn(stream.X, stream.y)
    assert len(told.predict(stream.X[:, :5])) == len(stream.X)


@pytest.mark.parametrize(("X", "words"), [
    (["free money", None], r"X\[1\]: None is not a text"),
    ([None, "free money"], r"X\[0\]: None is not a text"),
    (np.array([["1", "2"], ["3", "4"]]), "are no numbers"),
    ("free money", "one text, expected a list"),
    ([b"free money", b"lunch"], "bytes, expected texts: decode"),
    (["free money", "half of \ud800"], "is no valid text: it has a surrogate"),
    ((text for text in ("free money", "lunch")), "type generator, expected a matrix, or a list"),
    ([[1.0, 2.0], [3.0]], "rows of different lengths"),
    (np.empty((2, 0)), "no columns"),
    (np.array([["free money"], ["lunch"]], dtype=object), "such as one column of a table"),
    ({"money": 1}, "one instance, expected a list"),
])
def test_instances_that_are_no_texts_and_no_numbers_are_refused(X: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        askfew.Sampler("sel-p").run(X, [1, -1])


def test_one_label_that_is_none_of_the_two_is_refused(stream: Stream) -> None:
    for label in ("ham", "1", "-1", None, float("nan"), 10 ** 30, [1], b"x", 2, 0.5):
        sampler = askfew.Sampler("perc")
        query = sampler.ask(stream.X[0])
        with pytest.raises(askfew.ConfigError, match="is not -1, 0 or"):
            sampler.tell(stream.X[0], label, query)
        assert sampler.tally().updates == 0
    for label in (True, 1, 1.0, np.int64(1), np.bool_(True)):
        sampler = askfew.Sampler("perc")
        assert sampler.tell(stream.X[0], label, sampler.ask(stream.X[0]))
        assert sampler.decision_function(stream.X[:1]) > 0
    for missing in (None, float("nan")):
        sampler = askfew.Sampler("perc", positive="spam")
        with pytest.raises(askfew.DataError, match="is not a label"):
            sampler.tell(stream.X[0], missing, sampler.ask(stream.X[0]))


def test_a_device_and_a_link_are_written_and_not_replaced(stream: Stream, tmp_path: Any) -> None:
    sampler = askfew.Sampler("perc")
    sampler.learn(stream.X, stream.y)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    sampler.save(pipe)
    reader.join(timeout=60)
    assert got == [sampler.to_bytes()]
    assert pipe.is_fifo()
    (tmp_path / "link").symlink_to(tmp_path / "model")
    sampler.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "model").read_bytes() == sampler.to_bytes()
    with pytest.raises(askfew.FileError, match="none/model: cannot write"):
        sampler.save(tmp_path / "none" / "model")


def test_texts_and_numbers_are_not_taken_for_each_other(stream: Stream) -> None:
    numbers = askfew.Sampler("perc")
    numbers.learn(stream.X, stream.y)
    texts = askfew.Sampler("perc")
    texts.learn(["free money", "lunch at noon"], [1, -1])
    with pytest.raises(askfew.ConfigError, match="X has text; the sampler was trained on numbers"):
        numbers.predict(["free money"])
    with pytest.raises(askfew.ConfigError, match="X has numbers by index; the sampler was trained on text"):
        texts.ask(stream.X[0])


def test_errors_are_usual_exceptions_too() -> None:
    assert issubclass(askfew.ConfigError, ValueError)
    assert issubclass(askfew.FileError, OSError)
    assert issubclass(askfew.MemoryLimitError, MemoryError)


def test_the_memory_limit_is_kept(stream: Stream) -> None:
    with pytest.raises(askfew.MemoryLimitError):
        askfew.Sampler("sel-2nd", max_memory=100).run(stream.X, stream.y)


def test_progress_is_told_and_its_exception_ends_the_run() -> None:
    X = np.random.default_rng(0).normal(size=(300_000, 20))
    told: list[int] = []

    def progress(rounds: int) -> None:
        told.append(rounds)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        askfew.Sampler("sel-2nd").run(X, X[:, 0] > 0, progress=progress)
    assert len(told) == 1
    assert 0 < told[0] < len(X)


def test_threads_predict_the_same_at_the_same_time(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-2nd")
    sampler.run(stream.X, stream.y)
    expected = sampler.decision_function(stream.X)
    wrong = []

    def work() -> None:
        for _ in range(50):
            if not (sampler.decision_function(stream.X) == expected).all():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_predictions_of_one_thread_and_rounds_of_another_take_turns(stream: Stream) -> None:
    sampler = askfew.Sampler("sel-2nd")
    sampler.run(stream.X, stream.y)
    stop = threading.Event()

    def predict() -> None:
        while not stop.is_set():
            sampler.decision_function(stream.X)

    thread = threading.Thread(target=predict)
    thread.start()
    for _ in range(20):
        sampler.run(stream.X, stream.y)
        sampler.ask(stream.X[0])
    stop.set()
    thread.join()
    assert sampler.tally().rounds == 400 * 21 + 20


def test_a_period_budget_needs_times(stream: Stream) -> None:
    with pytest.raises(askfew.ConfigError, match="needs a time"):
        askfew.Sampler("sel-p", budget="5/hour").run(stream.X, stream.y)
    sampler = askfew.Sampler("sel-p", budget="5/hour")
    sampler.run(stream.X, stream.y, times=np.arange(400) * 60)
    assert 0 < sampler.tally().asked <= 5 * 8


def test_rows_are_read_in_place_without_a_copy() -> None:
    script = """
import numpy as np, resource, askfew
X = np.random.default_rng(0).normal(size=(400_000, 60))
y = X[:, 0] > 0
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
askfew.Sampler("sel-p").learn(X, y)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    assert grown < 400_000 * 60 * 8 / 1024 / 4  # KiB; a copy would be 192 MB


def test_importing_the_package_imports_no_framework() -> None:
    frameworks = ("scipy", "sklearn", "river", "pandas", "matplotlib", "tqdm", "httpx", "askfew.workflows", "askfew.sessions")
    script = f"import askfew, sys; print([name for name in {frameworks} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_is_imported_later_is_there() -> None:
    for name in askfew.__all__:
        assert getattr(askfew, name) is getattr(askfew, name)
        assert name in dir(askfew)
    assert askfew.estimate.ConfidenceSequence(floor=0.1).rounds == 0
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = askfew.nothing


def test_the_script_and_the_module_are_the_command_line() -> None:
    for command in ([sys.executable, "-m", "askfew"], [str(sys.prefix) + "/bin/askfew"]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"askfew {askfew.__version__}\n"


def test_labels_of_three_signs_are_doubted(stream: Stream) -> None:
    three = np.resize([-1, 0, 1], len(stream.X))
    with pytest.warns(askfew.DataWarning, match="both -1 and 0 are negative"):
        askfew.Sampler("sel-p").run(stream.X, three)
