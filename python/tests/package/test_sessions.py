from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import Stream

import askfew


def fill(session: askfew.Session, stream: Stream, start: int = 0, stop: int = 200) -> None:
    for k in range(start, stop):
        if session.take(stream.X[k], id=k, time=k).asked:
            session.tell(k, int(stream.y[k]), by="ann", time=k + 0.5)


def test_a_session_goes_on_from_its_ledger(stream: Stream, tmp_path: Any) -> None:
    path = tmp_path / "x.ledger"
    with askfew.Session(path, sampler="sel-p", audit=0.05) as session:
        fill(session, stream, 0, 120)
    with askfew.Session(path) as session:
        assert session.replayed > 120
        fill(session, stream, 120, 200)
        model, report = session.sampler().to_bytes(), session.report()
    with askfew.Session(sampler="sel-p", audit=0.05) as whole:
        fill(whole, stream)
        assert whole.sampler().to_bytes() == model
    replayed = askfew.replay(path)
    assert replayed.sampler.to_bytes() == model
    assert replayed.report == report
    assert report["rounds"] == 200
    assert "estimate" in report


def test_the_ledger_is_that_of_the_command_line(stream: Stream, tmp_path: Any) -> None:
    lines = [json.dumps({"id": k, "x": stream.X[k].tolist()}) for k in range(50)]
    program = [sys.executable, "-m", "askfew", "stream", "--sampler", "sel-p", "--ledger", str(tmp_path / "cli.ledger")]
    answers = subprocess.run(program, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    session = askfew.Session(sampler="sel-p")
    for k, answer in enumerate(map(json.loads, answers.splitlines())):
        decision = session.take(stream.X[k], id=k)
        assert (decision.margin, decision.asked, decision.probability, decision.why) == (
            answer["margin"], answer["ask"], answer["probability"], answer["why"])
    with askfew.Session(tmp_path / "cli.ledger") as other:
        assert other.pending() == session.pending()


def test_questions_wait_until_their_label_comes(stream: Stream) -> None:
    session = askfew.Session(learner="perceptron", rule="always", keep=10)
    for k in range(3):
        assert session.take({"height": k + 1.0, "colour": "red"}, id=f"q{k}").asked
    assert session.pending() == ["q0", "q1", "q2"]
    assert session.tell("q1", -1).outcome == "learned"
    assert session.pending() == ["q0", "q2"]
    assert session.tell("q1", 1).outcome == "corrected"
    assert session.tell("q0", None).outcome == "skipped"
    assert session.tell("nobody", 1).error is not None
    again = session.take({"height": 3.0, "colour": "red"}, id="q2")
    assert again.repeated
    with pytest.raises(askfew.DataError, match="waits for its label"):
        session.take({"height": 9.0}, id="q2")


def test_classes_and_texts(stream: Stream) -> None:
    session = askfew.Session(sampler="sel-p", classes=["ham", "spam"])
    for k, text in enumerate(["free money", "see you tomorrow", "money money", "lunch tomorrow"] * 5):
        if session.take(text, id=k).asked:
            session.tell(k, "spam" if "money" in text else "ham")
    assert session.take("free money", id="last").prediction == "spam"


def test_topics_have_a_decision_and_an_outcome_each() -> None:
    for ask in ("apart", "together"):
        with askfew.Session(sampler="perc", topics=["wheat", "corn"], ask=ask) as session:
            decision = session.take("wheat and corn prices", id="d1")
            assert decision.ask == ("wheat", "corn") and decision.asked
            assert decision.topics["corn"].prediction == -1 and decision.topics["corn"].why
            receipt = session.tell("d1", {"wheat": True, "corn": None})
            assert receipt.outcomes == {"wheat": "learned", "corn": "skipped"} and receipt.updated
            assert session.tell("d1", ["wheat"]).outcomes == {"wheat": "repeated", "corn": "learned"}
            with pytest.raises(askfew.DataError, match="did you mean 'corn'"):
                session.tell("d1", ["korn"])
            assert session.report()["topics"]["wheat"]["asked"] == 1
    with pytest.raises(askfew.ConfigError):
        askfew.Session(classes=["a", "b"], topics=["c"])


def test_other_options_than_those_of_the_ledger_are_refused(stream: Stream, tmp_path: Any) -> None:
    with askfew.Session(tmp_path / "x.ledger", sampler="sel-p") as session:
        session.take([1.0, 2.0], id=1)
    with pytest.raises(askfew.ConfigError):
        askfew.Session(tmp_path / "x.ledger", sampler="sel-2nd")
    with pytest.raises(askfew.ConfigError, match="closed"):
        session.report()


def test_whatif_says_what_another_sampler_would_have_asked(stream: Stream, tmp_path: Any) -> None:
    path = tmp_path / "x.ledger"
    with askfew.Session(path, sampler="sel-p", audit=0.2) as session:
        fill(session, stream)
        asked = session.report()["asked"]
    found = askfew.whatif(path, "sel-p:b=0.01")
    assert found["recorded"]["asked"] == asked
    assert found["what_if"]["asked"] < asked
    assert askfew.whatif(path)["what_if"]["asked"] == asked


@pytest.mark.parametrize("call", [askfew.replay, lambda ledger: askfew.whatif(ledger, "sel-p")])
def test_a_replay_is_interrupted_while_it_runs(tmp_path: pathlib.Path, call: Any) -> None:
    ledger = tmp_path / "slow.ledger"
    with askfew.Session(ledger, sampler="sel-2nd", dimension=1000) as session:
        for k, x in enumerate(np.random.default_rng(1).normal(size=(1000, 1000)).round(2)):
            if session.take(x, id=k).asked:
                session.tell(k, 1 if x[0] > 0 else -1)
    calls = 0

    def interrupt(*_: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:  # the first can be handled after the call, the second only during the call
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        with pytest.raises(KeyboardInterrupt):
            try:
                call(ledger)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_instance_that_is_none_or_not_finite_is_refused_with_words() -> None:
    with askfew.Session(sampler="sel-p") as session:
        with pytest.raises(askfew.DataError, match="the instance is None: expected a text"):
            session.take(None, id=1)
        for instance in ([1.0, float("nan")], {"a": float("inf")}):
            with pytest.raises(askfew.DataError, match="not finite"):
                session.take(instance, id=1)
        assert session.report()["rounds"] == 0
