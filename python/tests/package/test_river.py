from __future__ import annotations

from typing import Any

import pytest
from river import active, checks, datasets, evaluate, linear_model, metrics, preprocessing

from askfew.river import SelectiveSampler


def failed(model: Any) -> set[str]:
    names = set()
    for check in checks.yield_checks(model):
        try:
            check(model.clone())
        except Exception:
            names.add(getattr(check, "__name__", str(check)))
    return names


def test_it_fails_no_check_that_an_active_classifier_can_pass() -> None:
    of_river = failed(active.EntropySampler(linear_model.LogisticRegression(), seed=1))
    assert failed(SelectiveSampler("sel-p", normalize=True)) <= of_river
    classes = ["brickface", "cement", "foliage", "grass", "path", "sky", "window"]
    several = failed(SelectiveSampler("sel-p", classes=[False, True, *classes], normalize=True))
    assert several == set()


def test_progressive_validation_asks_few_labels_and_learns() -> None:
    sampler = SelectiveSampler("sel-p", normalize=True)
    score = evaluate.progressive_val_score(datasets.Phishing(), sampler, metrics.Accuracy()).get()
    assert score > 0.75  # the larger class has 56%
    assert 0 < sampler.n_asked < 1250


def test_labels_may_come_later() -> None:
    sampler = SelectiveSampler("sel-p", normalize=True)
    stream = datasets.Phishing()
    waiting = []
    for k, (x, y) in enumerate(stream):
        _, ask = sampler.predict_one(x)
        if ask:
            waiting.append((k + 50, x, y))
        while waiting and waiting[0][0] <= k:
            _, x_then, y_then = waiting.pop(0)
            sampler.learn_one(x_then, y_then)
    assert sampler._sampler.tally().updates > 0


def test_a_scaler_before_it_changes_the_features_between_question_and_label() -> None:
    sampler = SelectiveSampler("sel-p")
    model = preprocessing.StandardScaler() | sampler
    metric = metrics.Accuracy()
    for x, y in datasets.Phishing():
        prediction, ask = model.predict_one(x)
        metric.update(y, prediction)
        if ask:
            model.learn_one(x, y)
    assert metric.get() > 0.8


def test_a_label_that_fits_no_question_is_never_learned_for_another() -> None:
    sampler = SelectiveSampler(sampler="sel-p")
    asked = []
    for x, _ in datasets.Phishing():
        if sampler.predict_one(x)[1]:
            asked.append(x)
        if len(asked) == 2:
            break
    with pytest.warns(RuntimeWarning, match="no question has its features"):
        sampler.learn_one({"other": 1.0}, True)
    while sampler.predict_one({"far": 1e6})[1]:
        sampler.learn_one({"far": 1e6}, True)
    before = sampler._sampler.to_bytes()
    sampler.learn_one({"other": 1.0}, True)  # a volunteered label
    assert sampler._sampler.to_bytes() == before


def test_a_label_that_is_not_true_or_false_is_refused() -> None:
    for label in ("spam", -1, None, float("nan")):
        sampler = SelectiveSampler("perc")
        sampler.predict_one({"a": 1.0})
        with pytest.raises(ValueError, match="is not True or False: give `classes`"):
            sampler.learn_one({"a": 1.0}, label)
