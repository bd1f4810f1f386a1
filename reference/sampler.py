"""Joins a learner, a query rule and an update policy to play the rounds of one task."""

import keyword
from collections import namedtuple

import numpy as np

from reference.learners import LEARNERS
from reference.rules import RULES
from reference.rules.rule import Query, Score
from reference.task import sgn

Row = namedtuple("Row", "round task margin probability coin asked prediction label updated")
AuditedRow = namedtuple("AuditedRow", (*Row._fields, "audit", "audit_coin", "chance"))


class Sampler:
    """A learner, a query rule and an update policy on one task."""

    def __init__(self, learner, rule, policy, task, pacer=None, aim=None, audit=0):
        self.task = task
        self.learner = build(LEARNERS, learner, task)
        self.rule = build(RULES, rule, task)
        self.policy = policy or self.learner.default_policy
        self.pacer = pacer  # of reference.pacing, with a budget
        self.aim = aim  # of reference.aim, if predictions aim at something else than accuracy
        self.audit = audit  # every label is asked with this probability, if the budget has one
        if self.policy not in ("mistake", "asked", "margin"):
            raise ValueError(f"no update policy {self.policy!r}: mistake, asked or margin")
        if self.policy == "margin" and not hasattr(self.learner, "loses"):
            raise ValueError(f"{learner} has no loss for the update policy margin")
        if self.rule.needs_spread and not hasattr(self.learner, "spread"):
            raise ValueError(f"{learner} has no spread for the rule {rule}")

    def play(self, t, x, y, flip, seen=None, audit_flip=None):
        """Plays round t. If `seen` is given, the decisions use this margin instead of the learner's; the learner does not.
        Golden tests find out with `seen` whether rounding decided a round."""
        self.check(x)
        if self.pacer:
            self.pacer.begin(t, self.rule)
        self.learner.see(x)
        margin = self.learner.margin(x)
        seen = margin if seen is None else seen
        score = Score(seen, self.learner.norm(x), self.spread(x))
        starting = self.learner.starting
        probability = 1.0 if starting else self.rule.probability(t, score)
        if self.pacer and not self.pacer.may_ask():
            probability = 0.0
        by_rule = flip < probability
        audit = self.audit if not self.pacer or self.pacer.may_audit() else 0.0
        asked = by_rule or (audit > 0 and audit_flip < audit)
        if not starting:
            self.rule.decided(t, score)
        if self.pacer:
            self.pacer.end(score, asked, by_rule)
        prediction = sgn(seen - (self.aim.cut if self.aim else 0))
        updated = asked and self.learn(Query(score, probability), x, y)
        if self.aim:
            self.aim.end(seen, y, probability, asked)
        row = Row(t, self.task.index, margin, probability, flip, int(asked), prediction, y, int(updated))
        return AuditedRow(*row, audit, audit_flip, probability + (1 - probability) * audit) if self.audit else row

    def spread(self, x):
        uses = self.rule.needs_spread or (self.rule.uses_spread and hasattr(self.learner, "spread"))
        return self.learner.spread(x) if uses else None

    def learn(self, query, x, y):
        """Returns whether the label made an update. A label that starts a learner makes none, and no rule observes it."""
        if self.learner.starting:
            self.learner.start(x, y)
            return False
        mistake = sgn(query.score.margin) != y
        updated = self.wants_update(query.score.margin, mistake, y)
        if updated:
            self.learner.update(x, y)
        self.rule.observe(query, mistake, updated)
        return updated

    def wants_update(self, margin, mistake, y):
        if self.policy == "margin":
            return self.learner.loses(margin, y)
        return mistake or self.policy == "asked"

    def check(self, x):
        norm = np.sqrt(x @ x)
        if self.learner.unit_norm and norm > 0 and abs(norm - 1) > 1e-6:
            raise ValueError(f"an instance has norm {norm:g}: this learner needs unit norms, use --normalize")


def build(table, spec, task):
    """`name:a=1,kernel=rbf` -> an object of the table. A parameter named like a Python keyword has `_` added."""
    name, _, assignments = spec.partition(":")
    if name not in table:
        raise ValueError(f"no {name!r}: one of {', '.join(table)}")
    params = {}
    for assignment in filter(None, assignments.split(",")):
        key, _, value = assignment.partition("=")
        params[key + "_" if keyword.iskeyword(key) else key] = number_or_name(value)
    return table[name](task, **params)


def number_or_name(text):
    try:
        return float(text)
    except ValueError:
        return text
