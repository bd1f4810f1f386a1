"""Several classes: one learner per class against the rest, and one decision per round.

prediction  the class with the largest margin; among equals the first
score       the largest margin minus the second largest
asked       the learner of every class gets +1 or -1 and updates by its policy

Until the learners have started, every label is asked. A round counts as an update if any learner made one; the rule
observes whether the predicted class was wrong.
"""

import numpy as np

from reference import coin
from reference.rules import RULES
from reference.rules.rule import Query, Score
from reference.sampler import Row, Sampler, build
from reference.task import Task


def replay(instances, labels, names, learner, rule, policy=None, seed=0, seen=None):
    """Rows of the trace, with the names of classes. labels: -1, +1 (rounds x classes), one +1 per round. seen: {(round,
    0): Row}; the decisions use the margin and class of these rows instead of the learners'."""
    rounds, classes = labels.shape
    samplers = [Sampler(learner, "always", policy, Task(instances.shape[1], seed, k)) for k in range(classes)]
    decisions = build(RULES, rule, Task(instances.shape[1], seed, 0))
    coins = coin.generator(seed, 0).random(rounds)
    rows = []
    for t in range(1, rounds + 1):
        x, flip = instances[t - 1], float(coins[t - 1])
        for sampler in samplers:
            sampler.learner.see(x)
        margins = [sampler.learner.margin(x) for sampler in samplers]
        row = (seen or {}).get((t, 0))
        first = names.index(row.prediction) if row else int(np.argmax(margins))
        margin = margins[first] - max(margins[:first] + margins[first + 1:])
        score = Score(row.margin if row else margin, samplers[0].learner.norm(x), None)
        starting = samplers[0].learner.starting
        probability = 1.0 if starting else decisions.probability(t, score)
        asked = flip < probability
        if not starting:
            decisions.decided(t, score)
        updated = asked and any([told(sampler, x, int(y), m) for sampler, y, m in zip(samplers, labels[t - 1], margins)])
        truth = int(np.argmax(labels[t - 1]))
        if asked and not starting:
            decisions.observe(Query(score, probability), first != truth, updated)
        rows.append(Row(t, 0, margin, probability, flip, int(asked), names[first], names[truth], int(updated)))
    return rows


def told(sampler, x, y, margin):
    sampler.check(x)
    return sampler.learn(Query(Score(margin, sampler.learner.norm(x), None), 1.0), x, y)
