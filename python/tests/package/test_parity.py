"""The same seed gives the same bytes as the command line: traces and models, on arrays, sparse matrices and files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import Stream, trace_text

import askfew
import askfew.synthetic

PRESETS = {str(preset["name"]): bool(preset["unit_norm"]) for preset in askfew.catalog()["presets"]}


def both(cli: Callable[..., str], stream: Stream, file: str, flags: list[Any], unit: bool) -> tuple[str, bytes]:
    folder = stream.folder
    more = ["--normalize"] if unit else []
    cli("run", folder / file, *flags, *more, "--seed", 7, "--trace", folder / "t.csv", "--model", folder / "m.askfew", "--quiet")
    return (folder / "t.csv").read_text(), (folder / "m.askfew").read_bytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_same_bytes_on_sparse_matrices_and_files(preset: str, stream: Stream,
                                                                        cli: Callable[..., str]) -> None:
    unit = PRESETS[preset]
    trace, model = both(cli, stream, "binary.svm", ["--sampler", preset, "--dimension", 12], unit)
    from_file, labels = askfew.synthetic.load(str(stream.folder / "binary.svm"))
    assert (labels == stream.y).all()
    for matrix in (stream.csr, stream.csr.tocsc(), from_file):
        sampler = askfew.Sampler(preset, seed=7, normalize=unit)
        assert trace_text(sampler.run(matrix, stream.y)) == trace
        assert sampler.to_bytes() == model


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_same_bytes_on_a_dense_array(preset: str, stream: Stream, cli: Callable[..., str]) -> None:
    unit = PRESETS[preset]
    trace, model = both(cli, stream, "dense.jsonl", ["--sampler", preset], unit)
    sampler = askfew.Sampler(preset, seed=7, normalize=unit)
    assert trace_text(sampler.run(stream.X, stream.y)) == trace
    assert sampler.to_bytes() == model


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_the_same_model_on_a_file(preset: str, stream: Stream, cli: Callable[..., str]) -> None:
    unit = PRESETS[preset]
    cli("run", stream.folder / "binary.svm", "--sampler", preset, "--model", stream.folder / "f.askfew", "--quiet",
        *(["--normalize"] if unit else []))
    result = askfew.run(stream.folder / "binary.svm", sampler=preset, normalize=unit)
    assert result.model.to_bytes() == (stream.folder / "f.askfew").read_bytes()


@pytest.mark.parametrize("spending", [{"budget": "10%"}, {"budget": 40}, {"audit": 0.02}])
def test_spending_gives_the_same_bytes(spending: dict[str, Any], stream: Stream, cli: Callable[..., str]) -> None:
    flags = [text for name, value in spending.items() for text in (f"--{name}", value)]
    trace, model = both(cli, stream, "binary.svm", ["--sampler", "sel-p", "--dimension", 12, *flags], False)
    sampler = askfew.Sampler("sel-p", seed=7, **spending)
    assert trace_text(sampler.run(stream.csr, stream.y)) == trace
    assert sampler.to_bytes() == model


def test_classes_and_topics_give_the_same_bytes(stream: Stream, cli: Callable[..., str]) -> None:
    flags = ["--sampler", "sel-p", "--labels", "0-3", "--dimension", 12]
    trace, model = both(cli, stream, "classes.svm", [*flags, "--multiclass"], False)
    sampler = askfew.Sampler("sel-p", seed=7, classes=[0, 1, 2, 3])
    assert trace_text(sampler.run(stream.csr, stream.classes), ["0", "1", "2", "3"]) == trace
    assert sampler.to_bytes() == model
    trace, model = both(cli, stream, "classes.svm", flags, False)
    sampler = askfew.Sampler("sel-p", seed=7, topics=[0, 1, 2, 3])
    assert trace_text(sampler.run(stream.csr, [[label] for label in stream.classes.tolist()])) == trace
    assert sampler.to_bytes() == model


def test_texts_give_the_same_bytes(stream: Stream, cli: Callable[..., str]) -> None:
    words = ["offer", "money", "meeting", "tomorrow", "free", "lunch", "report", "win"]
    texts = [" ".join(words[(k * j * 7919) % 8] for j in range(1, 6)) for k in range(300)]
    labels = [1 if "money" in text or "win" in text else -1 for text in texts]
    with (stream.folder / "text.jsonl").open("w") as file:
        for text, label in zip(texts, labels, strict=True):
            file.write(f'{{"text": "{text}", "label": {label}}}\n')
    for options in ({}, {"dictionary": True, "tf_idf": True}, {"ngrams": "1-2", "bias": 1, "normalize": True}):
        flags = [part for name, value in options.items()
                 for part in ([f"--{name.replace('_', '-')}"] if value is True else [f"--{name}", value])]
        trace, model = both(cli, stream, "text.jsonl", ["--sampler", "sel-p", *flags], False)
        sampler = askfew.Sampler("sel-p", seed=7, **options)
        assert trace_text(sampler.run(texts, labels)) == trace
        assert sampler.to_bytes() == model


@pytest.mark.parametrize("preset", PRESETS)
def test_ask_and_tell_decide_as_run_does(preset: str, stream: Stream) -> None:
    whole = askfew.Sampler(preset, seed=7, normalize=PRESETS[preset])
    trace = whole.run(stream.X, stream.y)
    sampler = askfew.Sampler(preset, seed=7, normalize=PRESETS[preset])
    for x, y, row in zip(stream.X, stream.y, trace, strict=True):
        peeked = sampler.peek(x)
        query = sampler.ask(x)
        assert (peeked.round, peeked.margin, peeked.asked) == (query.round, query.margin, query.asked)
        assert (query.margin, query.rule_probability, query.coin, query.asked) == (
            row["margin"], row["probability"], row["coin"], row["asked"])
        if query.asked:
            assert sampler.tell(x, y, query) == row["updated"]
    assert (sampler.decision_function(stream.X) == whole.decision_function(stream.X)).all()
