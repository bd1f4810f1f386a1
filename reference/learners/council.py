"""A council of learners. No paper; the weights are those of fixed share, Herbster and Warmuth (1998).

members pa-1, arow-diagonal and perceptron, and for at most `dense` features arow and second-order;  s_k^2 the mean of m_k^2 over the labels so far, s_k = 1 before there is one
margin sum of w_k m_k / s_k, w starts at 1/K
update w_k times exp(-eta) where y m_k <= 0, scaled to sum 1, then w = (1 - share) w + share/K;  s;  members learn
"""

import numpy as np

from reference.learners.arow import Arow
from reference.learners.arow_diagonal import ArowDiagonal
from reference.learners.learner import Learner
from reference.learners.pa import Pa1
from reference.learners.perceptron import Perceptron
from reference.learners.second_order import SecondOrder
from reference.task import sgn


class Council(Learner):
    default_policy = "asked"

    def __init__(self, task, eta, share, dense):
        self.eta = eta
        self.share = share
        self.members = [Pa1(task, 1), ArowDiagonal(task, 1), Perceptron(task, 1)]
        if task.dimension <= dense:
            self.members += [Arow(task, 1), SecondOrder(task, 1)]
        self.w = np.full(len(self.members), 1 / len(self.members))
        self.squares = np.zeros(len(self.members))
        self.labels = 0

    def margins(self, x):
        margins = np.array([member.margin(x) for member in self.members])
        return np.where(np.abs(margins) < 1e-13, 0.0, margins)  # 0 in exact arithmetic

    def margin(self, x):
        sizes = np.sqrt(np.where(self.squares > 0, self.squares / max(self.labels, 1), 1))
        return float(self.w @ (self.margins(x) / sizes))

    def update(self, x, y):
        margins = self.margins(x)
        weighed = self.w * np.where(y * margins <= 0, np.exp(-self.eta), 1)
        self.w = (1 - self.share) * weighed / weighed.sum() + self.share / len(self.members)
        self.squares = self.squares + margins**2
        self.labels += 1
        for member, margin in zip(self.members, margins):
            loses = member.loses(margin, y) if hasattr(member, "loses") else sgn(margin) != y
            if loses:
                member.update(x, y)
