"""A weighted vote of several learners. No paper; the weights follow fixed share, Herbster and Warmuth (1998).

members pa-1, arow-diagonal and perceptron; with at most `dense` features also arow and second-order
members see x with the feature `constant` in front;  m_k is the margin of member k
s_k^2 is the mean of m_k^2 over the labels so far; s_k = 1 before the first label
margin shift + sum of w_k m_k / s_k, w starts at 1/K
update w_k times exp(-eta) where y m_k <= 0, scaled to sum 1, then w = (1 - share) w + share/K;  s;  members learn

shift, with m the sum above: P = 1/(1 + exp(-(a m + b))) with one Newton step of the logistic loss per label, from a = 3,
b = 0, H = I; the shift is 0, 1/2 or 1 times (b - ln(t/(1-t)))/a, whichever has the largest F on the labels so far, measured
before each label is learned; 0 also wins if the other two are less than 0.4/sqrt(positives + 1) better;  t = F/2 with the
full shift, measured after each label is learned
"""

import numpy as np

from reference.learners.arow import Arow
from reference.learners.arow_diagonal import ArowDiagonal
from reference.learners.learner import Learner
from reference.learners.pa import Pa1
from reference.learners.perceptron import Perceptron
from reference.learners.second_order import SecondOrder
from reference.task import sgn


def half_f(seen):
    right = sum(1 for y, margin in seen if y == 1 and margin > 1e-12)
    either = sum(int(y == 1) + int(margin > 1e-12) for y, margin in seen)
    return right / either if either > 0 else 0.5


class FThreshold:
    shares = (0.0, 0.5, 1.0)

    def __init__(self):
        self.ab = np.array([3.0, 0.0])
        self.H = np.eye(2)
        self.calibrated = []
        self.tried = ([], [], [])
        self.used = 0

    def whole(self):
        t = min(max(half_f(self.calibrated), 0.02), 0.98)
        return (self.ab[1] - np.log(t / (1 - t))) / self.ab[0]

    def shift(self):
        return self.shares[self.used] * self.whole()

    def learn(self, m, y):
        whole = self.whole()
        for share, seen in zip(self.shares, self.tried):
            seen.append((y, m + share * whole))
        positives = sum(1 for label, _ in self.tried[0] if label == 1)
        doubt = 0.2 / np.sqrt(positives + 1)
        self.used = int(np.argmax([half_f(seen) + (doubt if k == 0 else 0) for k, seen in enumerate(self.tried)]))
        z = np.array([m, 1.0])
        if abs(self.ab @ z) <= 20:  # otherwise P is 0 or 1
            p = 1 / (1 + np.exp(-self.ab @ z))
            self.H = self.H + max(p * (1 - p), 1e-3) * np.outer(z, z)
            self.ab = self.ab + np.linalg.solve(self.H, ((y == 1) - p) * z)
            self.ab[0] = max(self.ab[0], 0.05)
        self.calibrated.append((y, m + self.whole()))


class Council(Learner):
    name = "council"
    slow = True
    default_policy = "asked"

    def __init__(self, task, eta, share, dense, constant):
        self.eta = eta
        self.share = share
        self.constant = constant
        wider = task._replace(dimension=task.dimension + 1)
        self.members = [Pa1(wider, 1), ArowDiagonal(wider, 1), Perceptron(wider, 1)]
        if task.dimension <= dense:
            self.members += [Arow(wider, 1), SecondOrder(wider, 1)]
        self.w = np.full(len(self.members), 1 / len(self.members))
        self.squares = np.zeros(len(self.members))
        self.labels = 0
        self.threshold = FThreshold()

    def margins(self, x):
        margins = np.array([member.margin(x) for member in self.members])
        return np.where(np.abs(margins) < 1e-12, 0.0, margins)  # 0 in exact arithmetic

    def vote(self, margins):
        sizes = np.sqrt(np.where(self.squares > 0, self.squares / max(self.labels, 1), 1))
        return float(self.w @ (margins / sizes))

    def margin(self, x):
        return self.vote(self.margins(np.concatenate(([self.constant], x)))) + self.threshold.shift()

    def update(self, x, y):
        x = np.concatenate(([self.constant], x))
        margins = self.margins(x)
        self.threshold.learn(self.vote(margins), y)
        weighed = self.w * np.where(y * margins <= 0, np.exp(-self.eta), 1)
        self.w = (1 - self.share) * weighed / weighed.sum() + self.share / len(self.members)
        self.squares = self.squares + margins**2
        self.labels += 1
        for member, margin in zip(self.members, margins):
            loses = member.loses(margin, y) if hasattr(member, "loses") else sgn(margin) != y
            if loses:
                member.update(x, y)
