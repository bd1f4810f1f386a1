from __future__ import annotations

from typing import Any

import pytest

import askfew
from askfew.choices import ChoiceSession

TEXTS = {"free prizes now": ["spam"], "win a free phone": ["spam"], "see you at noon": ["ham"], "the minutes": ["ham"]}


@pytest.mark.parametrize("labels", [["spam", "ham"], ["spam", "ham", "news"]])
def test_one_of_several_labels_is_learned_and_predicted(labels: list[str], tmp_path: Any) -> None:
    with ChoiceSession(tmp_path / "x.ledger", labels, learner="perceptron", rule="always") as session:
        for id, (text, choices) in enumerate(TEXTS.items()):
            assert session.take(text, id).in_question == tuple(labels)
            assert session.tell(id, choices, by="ann") == "learned"
        assert session.predict("free phone prizes").choices == ("spam",)
        assert session.predict("see the minutes").choices == ("ham",)
        before = session.report()
    with ChoiceSession(tmp_path / "x.ledger", labels, learner="perceptron", rule="always") as session:
        assert session.report() == before
        assert session.take("free prizes now", 0).repeated


def test_any_number_of_labels_may_be_chosen(tmp_path: Any) -> None:
    labels = ["sport", "money/tax", "none, really"]
    with ChoiceSession(tmp_path / "topics", labels, multiple=True, learner="perceptron", rule="always") as session:
        for id in range(3):
            session.take("goal for the bank", id)
        assert session.tell(0, ["sport", "money/tax"]) == "learned"
        assert session.tell(1, []) == "learned"
        assert session.pending() == [2]
        assert session.tell(2, None) == "skipped"
    with ChoiceSession(tmp_path / "topics", labels, multiple=True, learner="perceptron", rule="always") as session:
        assert session.pending() == []
        assert sorted(session.report()) == sorted(labels)
    assert len(list((tmp_path / "topics").iterdir())) == 3


def test_an_answer_that_one_label_did_not_ask_for_is_learned_by_the_others() -> None:
    with ChoiceSession(None, ["sport", "tax"], multiple=True, learner="perceptron", rule="threshold:b=0.5") as session:
        session.take("goal", 0)
        session.tell(0, ["sport"])
        assert session.take("goal", 1).in_question == ("tax",)
        assert session.tell(1, ["sport"]) == "learned"


def test_a_prediction_changes_nothing() -> None:
    session = ChoiceSession(None, ["a", "b"], sampler="sel-p")
    before = session.report()
    first = session.predict("hello")
    assert session.predict("hello") == first
    assert session.report() == before


def test_a_score_is_lower_where_the_model_doubts() -> None:
    session = ChoiceSession(None, ["spam", "ham"], learner="perceptron", rule="always")
    session.take("free prizes", 1)
    session.tell(1, ["spam"])
    assert session.predict("never seen").score == 0 < session.predict("free").score < session.predict("free prizes").score < 1


def test_a_label_may_have_a_comma() -> None:
    for labels in (["a, b", "c"], ["a, b", "c", "d"]):
        session = ChoiceSession(None, labels, sampler="sel-p")
        session.take("text", 1)
        session.tell(1, ["a, b"])


def test_answers_and_labels_that_cannot_be_are_refused() -> None:
    for labels, multiple in (([], True), (["a", "a"], True), (["a"], False)):
        with pytest.raises(askfew.ConfigError):
            ChoiceSession(None, labels, multiple=multiple)
    session = ChoiceSession(None, ["a", "b"], sampler="sel-p")
    session.take("text", 1)
    for choices in (["c"], ["a", "b"], []):
        with pytest.raises(askfew.ConfigError):
            session.tell(1, choices)
