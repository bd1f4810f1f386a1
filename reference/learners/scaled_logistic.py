"""Logistic regression on features that are scaled on line. No paper.

Of feature i, over the t instances so far, the present one included: a_i how many have it, b_i and c_i the sums of x_i^2 and x_i.
  centred, where there are at most 2,000 features and a_i > t/2:  v_i = (x_i - c_i/t)/sd_i, at most 5 in size,
    sd_i^2 = max(b_i/t - (c_i/t)^2, 1e-8 b_i/t)
  else, where x_i is not 0:  v_i = x_i exp(-(rho l_i + (1 - rho) g)), at most 5 in size, times 1 + e (h_i - 1),
    l_i = ln(b_i/a_i)/2, h_i = 1 + ln(1 + t) - ln(1 + a_i), t and a_i in h_i rounded down to 8 leading bits;
    then times a_i/(a_i + rare), a_i at most 255 here
  g = mean l, rho = (sd l - 0.5)/0.5 in [0, 1], rounded to quarters, e = 1 - (1 - rho) slope/0.25 in [0, 1], slope that of l over ln h (0 where var ln h is at
    most 1e-4): over the features of the instances of the rounds that have no binary digit 1 after the first 6 (1 to 64, 66, ...), as they
    were in that round
z = v/(|v|^norm q^(1 - norm)) with the constant before its features, q^2 = the mean of |v|^2 so far;  learns as logistic where y m < 1, and where there are at most `full` features d as
logistic-full with the prior prior min(1, 30/(d + 1)), at least prior/5, and drift prior/300, every label
"""

import numpy as np

from reference.learners.learner import Learner
from reference.learners.logistic import Logistic
from reference.learners.logistic_full import LogisticFull


def leading_bits(count, bits=8):
    low = max(0, int(count).bit_length() - bits)
    return int(count) >> low << low


class Scaler:
    def __init__(self, dimension, norm, rare):
        self.norm, self.rare = norm, rare
        self.norms = 0.0
        self.a, self.b, self.c = np.zeros((3, dimension))
        self.t = 0
        self.studied = []
        self.rho, self.e, self.g = 0.0, 1.0, 0.0

    def is_centred(self, i):
        return len(self.a) <= 2000 and self.a[i] > self.t / 2

    def idf(self, i):
        return 1 + np.log(1 + leading_bits(self.t)) - np.log(1 + leading_bits(self.a[i]))

    def log_size(self, i):
        return np.log(self.b[i] / self.a[i]) / 2

    def see(self, x):
        self.t += 1
        self.a, self.b, self.c = self.a + (x != 0), self.b + x**2, self.c + x
        self.study(x)
        v = self.values(x)
        self.norms += v @ v

    def study(self, x):
        if leading_bits(self.t, 6) != self.t:
            return
        self.studied += [(np.log(self.idf(i)), self.log_size(i)) for i in np.flatnonzero(x)
                         if self.b[i] > 0 and not self.is_centred(i)]
        if self.studied:
            H, l = np.array(self.studied).T
            slope = np.mean((H - H.mean()) * (l - l.mean())) / H.var() if H.var() > 1e-4 else 0
            self.g = l.mean()
            self.rho = np.floor(4 * min(1, max(0, (l.std() - 0.5) / 0.5)) + 0.5) / 4
            self.e = min(1, max(0, 1 - (1 - self.rho) * slope / 0.25))

    def damping(self, i):
        often = min(self.a[i], 255)
        return often / (often + self.rare)

    def value(self, i, x):
        if self.is_centred(i):
            mean = self.c[i] / self.t
            variance = max(self.b[i] / self.t - mean**2, 1e-8 * self.b[i] / self.t)
            return np.clip((x - mean) / np.sqrt(variance), -5, 5)
        if x == 0 or self.b[i] == 0:
            return 0
        return np.clip(x * np.exp(-(self.rho * self.log_size(i) + (1 - self.rho) * self.g)), -5, 5) * (1 + self.e * (self.idf(i) - 1)) * self.damping(i)

    def values(self, x):
        return np.array([self.value(i, value) for i, value in enumerate(x)])

    def scale(self, x, constant):
        v = self.values(x)
        length = np.sqrt(v @ v)
        if length > 0:
            v = v / (length**self.norm * np.sqrt(self.norms / self.t) ** (1 - self.norm))
        return np.concatenate(([constant], v))


class ScaledLogistic(Learner):
    name = "scaled-logistic"
    slow = True
    default_policy = "margin"

    def __init__(self, task, prior, decay, floor, constant, full, full_constant, norm, rare):
        self.is_full = task.dimension <= full
        self.constant = full_constant if self.is_full else constant
        self.scaler = Scaler(task.dimension, norm, rare)
        wider = task._replace(dimension=task.dimension + 1)
        if self.is_full:
            prior = prior * min(1, max(1 / 5, 30 / (task.dimension + 1)))
            self.learner = LogisticFull(wider, prior, prior / 300)
        else:
            self.learner = Logistic(wider, prior, decay, floor)

    def see(self, x):
        self.scaler.see(x)

    def scaled(self, x):
        return self.scaler.scale(x, self.constant)

    def norm(self, x):
        return float(np.linalg.norm(self.scaled(x)))

    def margin(self, x):
        return self.learner.margin(self.scaled(x))

    def loses(self, margin, y):
        return self.is_full or y * margin < 1

    def spread(self, x):
        return self.learner.spread(self.scaled(x))

    def update(self, x, y):
        self.learner.update(self.scaled(x), y)
