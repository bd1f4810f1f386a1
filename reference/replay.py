"""One run over a labelled stream, labels revealed only when asked, and the trace of every decision.

At each round t: margin, prediction, probability of asking, coin, label if coin < probability, update by the policy.
"""

import argparse
import keyword
from collections import namedtuple

import numpy as np

from reference import coin, svmlight
from reference.learners import LEARNERS
from reference.rules import RULES
from reference.rules.rule import Score
from reference.task import Task, sgn

Row = namedtuple("Row", "round task margin probability coin asked prediction label updated")


def replay(instances, labels, learner, rule, policy=None, seed=0, seen=None):
    """Rows of the trace, rounds outer and tasks inner. seen: {(round, task): margin}, see Sampler.play."""
    rounds, tasks = labels.shape
    samplers = [Sampler(learner, rule, policy, Task(instances.shape[1], seed, k)) for k in range(tasks)]
    coins = [coin.generator(seed, k).random(rounds) for k in range(tasks)]
    rows = []
    for t in range(1, rounds + 1):
        for k, sampler in enumerate(samplers):
            x, y, flip = instances[t - 1], int(labels[t - 1, k]), float(coins[k][t - 1])
            rows.append(sampler.play(t, x, y, flip, (seen or {}).get((t, k))))
    return rows


class Sampler:
    """A learner, a query rule and an update policy on one task."""

    def __init__(self, learner, rule, policy, task):
        self.task = task
        self.learner = build(LEARNERS, learner, task)
        self.rule = build(RULES, rule, task)
        self.policy = policy or self.learner.default_policy
        if self.policy not in ("mistake", "asked", "margin"):
            raise ValueError(f"no update policy {self.policy!r}: mistake, asked or margin")
        if self.policy == "margin" and not hasattr(self.learner, "loses"):
            raise ValueError(f"{learner} has no loss for the update policy margin")
        if self.rule.needs_spread and not hasattr(self.learner, "spread"):
            raise ValueError(f"{learner} has no spread for the rule {rule}")

    def play(self, t, x, y, flip, seen=None):
        """Round t. If given, the decisions see this margin in place of the learner's, and the learner does not: the
        golden tests ask with it whether a decision hangs on rounding."""
        self.check(x)
        margin = self.learner.margin(x)
        seen = margin if seen is None else seen
        score = Score(seen, self.learner.norm(x), self.learner.spread(x) if self.rule.needs_spread else None)
        starting = self.learner.starting
        probability = 1.0 if starting else self.rule.probability(t, score)
        asked = flip < probability
        if not starting:
            self.rule.decided(t, score)
        updated = asked and self.learn(score, x, y)
        return Row(t, self.task.index, margin, probability, flip, int(asked), sgn(seen), y, int(updated))

    def learn(self, score, x, y):
        """Whether the answer made an update. The round that starts a learner is none, and no rule observes it."""
        if self.learner.starting:
            self.learner.start(x, y)
            return False
        mistake = sgn(score.margin) != y
        updated = self.wants_update(score.margin, mistake, y)
        if updated:
            self.learner.update(x, y)
        self.rule.observe(score, mistake, updated)
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


def write_trace(rows, path):
    with open(path, "w", newline="\n") as file:
        file.write(",".join(Row._fields) + "\n")
        for row in rows:
            file.write("%d,%d,%.17g,%.17g,%.17g,%d,%d,%d,%d\n" % row)


def summary(rows, task):
    mine = [row for row in rows if row.task == task]
    mistakes = sum(row.prediction != row.label for row in mine)
    return (f"task {task}: rounds {len(mine)}, asked {sum(row.asked for row in mine)}, "
            f"mistakes {mistakes}, updates {sum(row.updated for row in mine)}")


def numbers(text):
    return [float(number) for number in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(prog="reference.replay", description="naive reference of askfew run")
    parser.add_argument("data", help="svmlight file, plain or gzipped")
    parser.add_argument("--learner", required=True, help="name:param=value,..., of " + ", ".join(LEARNERS))
    parser.add_argument("--rule", required=True, help="name:param=value,..., of " + ", ".join(RULES))
    parser.add_argument("--update", choices=("mistake", "asked", "margin"), help="default: the learner's own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--normalize", action="store_true", help="divide each instance by its norm")
    parser.add_argument("--dimension", type=int, help="default: the largest index in the file")
    parser.add_argument("--positive", type=numbers, help="labels that make one positive class")
    parser.add_argument("--labels", type=numbers, help="labels that make one task each")
    parser.add_argument("--trace", required=True, help="CSV file to write")
    return parser.parse_args()


def main():
    args = arguments()
    instances, labels = svmlight.read(args.data, args.labels, args.positive, args.dimension, args.normalize)
    rows = replay(instances, labels, args.learner, args.rule, args.update, args.seed)
    write_trace(rows, args.trace)
    for task in range(labels.shape[1]):
        print(summary(rows, task))


if __name__ == "__main__":
    main()
