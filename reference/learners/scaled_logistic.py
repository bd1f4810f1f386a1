"""Logistic regression on features that are scaled on line. No paper.

Of feature i, over the t instances so far, the present one included: a_i how many have it, b_i and c_i the sums of x_i^2 and x_i.
  d is the number of features: with grow=2 how many were not 0 so far, with grow=1 that of the last one; else it is given
    from grow=3 on the most so far of: how many have a_i > 1, and u
  u is the number of features with a_i = 1; from grow=3 on, where settled, at most 3 times the number of those with a_i = 2
  with grow, the features are settled where a_i = 1 for at most a quarter: from grow=2 on of the sum of all a_i,
    with grow=1 of d; or d above 2,000
  from grow=3 on the first `full` features to come, and those that come a second time, have places; c_i begins with
    |x_i| of the first time if there was no place then. With d above 2,000, and above `full`, none has
  centred, where d is at most 2,000, from grow=2 on only where settled, from grow=3 on only with a place, and a_i > t/2 and, with grow, a_i = t or
    c_i^2 <= (1 - 1e-6) a_i b_i (not only one value besides 0):
    v_i = (x_i - c_i/t)/exp(r ln sd_i + (1 - r) f), at most 5 in size, sd_i^2 = max(b_i/t - (c_i/t)^2, 1e-8 b_i/t)
    with grow, f is the mean of ln sd over these features, r = (their deviation - 0.5)/0.5 in [0, 1], rounded to quarters, over those with
    sd_i^2 > 1e-6 b_i/t, in the rounds that g, below, is taken in; else r = 1
  else, where x_i is not 0:  v_i = x_i exp(-(rho l_i + (1 - rho) g)), at most 5 in size, times 1 + e (h_i - 1),
    with grow=4 half of e where d is at most `full` and the features are settled,
    l_i = ln(b_i/a_i)/2, h_i = 1 + ln(1 + t) - ln(1 + a_i), t and a_i in h_i rounded down to 8 leading bits;
    then times a_i/(a_i + rare), a_i at most 255 here; from grow=3 on, where there are places, those with a_i = 1 also
    times u over their number
  g = mean l, rho = (sd l - 0.5)/0.5 in [0, 1], rounded to quarters, e = 1 - (1 - rho) slope/0.25 in [0, 1], slope that of l over ln h (0 where var ln h is at
    most 1e-4): over the features of the instances of the rounds that have no binary digit 1 after the first 6 (1 to 64, 66, ...), as they
    were in that round
z = v/(|v|^norm q^(1 - norm)) with the constant before its features, q^2 = the mean of |v|^2 so far;  learns as logistic where y m < 1
Where d is at most `full`, logistic-full learns every label, from z with full_constant, with drift prior/300 (with grow=4
  and fall=30), the prior `full_prior` if it is not 0, c = min(1, 30/(d + 1)), at least 1/5;
  with grow=2 u is added to d here; from grow=3 on d is here how many have a_i > 1, and 2 u; features without a place are left out of z
  with grow: from z times the root of c. While there is a matrix the logistic learns too; it goes on alone when d is above `full`, and it
    gives the margin where the features are not settled
  else: with the prior c prior, and alone
"""

import numpy as np

from reference.learners.learner import Learner
from reference.learners.logistic import Logistic
from reference.learners.logistic_full import LogisticFull


def leading_bits(count, bits=8):
    step = 2.0 ** np.maximum(0, np.frexp(count)[1] - bits)
    return np.floor(count / step) * step


def quarters(value):
    return np.floor(4 * min(1, max(0, value)) + 0.5) / 4


class Scaler:
    """The numbers of all features are arrays; `chosen` is an array of bool, or of numbers of features."""

    def __init__(self, dimension, norm, rare, grow, at_once):
        self.norm, self.rare, self.grow, self.at_once = norm, rare, grow, at_once
        self.placed = np.full(dimension, grow < 3)
        self.d = 0 if grow else dimension
        self.norms = 0.0
        self.a, self.b, self.c = np.zeros((3, dimension))
        self.t = 0
        self.studied = []
        self.last = None
        self.rho, self.e, self.g = 0.0, 1.0, 0.0
        self.r, self.f = 1.0, 0.0

    def centred(self):
        have_one_value = (self.a < self.t) & (self.c**2 > (1 - 1e-6) * self.a * self.b) if self.grow else False
        may_be_centred = self.d <= 2000 and (self.is_settled() or self.grow < 2)
        return may_be_centred & self.placed & (self.a > self.t / 2) & ~np.array(have_one_value)

    def most_come_again(self):
        return 4 * np.sum(self.a == 1) <= (self.a.sum() if self.grow >= 2 else self.d)

    def is_settled(self):
        return self.d > 2000 or self.most_come_again()

    def once_that_count(self):
        once, twice = np.sum(self.a == 1), np.sum(self.a == 2)
        return min(once, 3 * twice) if self.grow >= 3 and self.most_come_again() else once

    def gives_places(self):
        return self.d <= max(2000, self.at_once)

    def variance(self):
        return np.maximum(self.b / self.t - (self.c / self.t) ** 2, 1e-8 * self.b / self.t)

    def idf(self, chosen):
        return 1 + np.log(1 + leading_bits(self.t)) - np.log(1 + leading_bits(self.a[chosen]))

    def log_size(self, chosen):
        return np.log(self.b[chosen] / self.a[chosen]) / 2

    def see(self, x):
        self.t += 1
        if self.grow >= 3 and self.gives_places():
            self.give_places(x)
        self.a, self.b, self.c = self.a + (x != 0), self.b + x**2, self.c + x
        self.count_features()
        self.study(x)
        self.last, self.last_values = x, self.values(x)
        self.norms += self.last_values @ self.last_values

    def give_places(self, x):
        for i in np.flatnonzero((x != 0) & ~self.placed):
            if self.a[i] > 0 or self.placed.sum() < self.at_once:
                self.placed[i] = True
                self.c[i] = abs(self.c[i])

    def count_features(self):
        if self.grow >= 3 and self.gives_places():
            self.d = max(self.d, np.sum(self.a > 1) + self.once_that_count())
            self.placed = self.placed & self.gives_places()
        elif self.grow == 2:
            self.d = np.count_nonzero(self.a)
        elif self.grow == 1 and self.a.any():
            self.d = 1 + int(np.flatnonzero(self.a)[-1])

    def study(self, x):
        if leading_bits(self.t, 6) != self.t:
            return
        if self.grow:
            self.study_deviations()
        chosen = (x != 0) & (self.b > 0) & ~self.centred()
        self.studied += zip(np.log(self.idf(chosen)), self.log_size(chosen))
        if self.studied:
            H, l = np.array(self.studied).T
            slope = np.mean((H - H.mean()) * (l - l.mean())) / H.var() if H.var() > 1e-4 else 0
            self.g = l.mean()
            self.rho = quarters((l.std() - 0.5) / 0.5)
            self.e = min(1, max(0, 1 - (1 - self.rho) * slope / 0.25))

    def study_deviations(self):
        chosen = self.centred() & (self.variance() > 1e-6 * self.b / self.t)
        if chosen.any():
            l = np.log(self.variance()[chosen]) / 2
            self.r, self.f = quarters((l.std() - 0.5) / 0.5), l.mean()

    def damping(self, chosen):
        often = np.minimum(self.a[chosen], 255)
        once = np.sum(self.a == 1)
        worth = self.once_that_count() / once if once > 0 and self.gives_places() else 1
        return often / (often + self.rare) * np.where(often == 1, worth, 1)

    def part_of_idf(self):
        return self.e / 2 if self.grow == 4 and self.d <= self.at_once and self.is_settled() else self.e

    def values(self, x):
        v = np.zeros(len(x))
        centred = self.centred()
        size = np.exp(self.r * np.log(self.variance()[centred]) / 2 + (1 - self.r) * self.f)
        v[centred] = np.clip((x - self.c / self.t)[centred] / size, -5, 5)
        others = (x != 0) & (self.b > 0) & ~centred
        size = np.exp(self.rho * self.log_size(others) + (1 - self.rho) * self.g)
        v[others] = np.clip(x[others] / size, -5, 5) * (1 + self.part_of_idf() * (self.idf(others) - 1)) * self.damping(others)
        return v

    def scale(self, x, constant):
        v = self.last_values if x is self.last else self.values(x)
        length = np.sqrt(v @ v)
        if length > 0:
            v = v / (length**self.norm * np.sqrt(self.norms / self.t) ** (1 - self.norm))
        return np.concatenate(([constant], v))


class ScaledLogistic(Learner):
    name = "scaled-logistic"
    slow = True
    default_policy = "margin"

    def __init__(self, task, prior, decay, floor, constant, full, full_constant, full_prior, norm, rare, grow):
        self.most, self.constant, self.full_constant, self.grow = full, constant, full_constant, grow
        self.scaler = Scaler(task.dimension, norm, rare, grow, full)
        wider = task._replace(dimension=task.dimension + 1)
        self.diagonal = Logistic(wider, prior, decay, floor)
        prior = (full_prior or prior) * (1 if grow else self.part_of_prior())
        self.full = LogisticFull(wider, prior, prior / 300, 30 if grow == 4 else 0)

    def is_full(self):
        return 0 < self.most and self.scaler.d <= self.most

    def part_of_prior(self):
        seen = np.sum(self.scaler.a > 1) + 2 * self.scaler.once_that_count()
        return min(1, max(1 / 5, 30 / ((seen if self.grow >= 2 else self.scaler.d) + 1)))

    def see(self, x):
        self.scaler.see(x)

    def decides_by_full(self):
        return self.is_full() and (self.scaler.is_settled() or not self.grow)

    def present(self):
        return self.full if self.decides_by_full() else self.diagonal

    def scaled_for_full(self, x):
        z = self.scaler.scale(x, self.full_constant) * np.append(True, self.scaler.placed)
        return z * np.sqrt(self.part_of_prior()) if self.grow else z

    def scaled(self, x):
        return self.scaled_for_full(x) if self.decides_by_full() else self.scaler.scale(x, self.constant)

    def norm(self, x):
        return float(np.linalg.norm(self.scaled(x)))

    def margin(self, x):
        return self.present().margin(self.scaled(x))

    def loses(self, margin, y):
        return self.is_full() or y * margin < 1

    def spread(self, x):
        return self.present().spread(self.scaled(x))

    def update(self, x, y):
        if self.is_full():
            self.full.update(self.scaled_for_full(x), y)
        z = self.scaler.scale(x, self.constant)
        if not self.is_full() or y * self.diagonal.margin(z) < 1:
            self.diagonal.update(z, y)
