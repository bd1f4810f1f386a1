"""Synthetic streams, computed naively from their definitions: (t, x, y) for t = 1, 2, ..., n.

The random numbers of a piece (the example of round t, or a teacher) come from numpy's Philox with the seed as key and a
counter that starts at (0, piece, 0, purpose).
"""

import math

import numpy as np

EXAMPLE = 2
TEACHER = 3


class Draws:
    def __init__(self, seed, purpose, piece):
        key = np.array([seed, 0], dtype=np.uint64)
        self.generator = np.random.Generator(np.random.Philox(counter=[0, piece, 0, purpose], key=key))
        self.spare = None

    def uniform(self):
        return self.generator.random()

    def normal(self):
        """Marsaglia's polar method: a random point of the unit disc gives two normal numbers."""
        if self.spare is not None:
            normal, self.spare = self.spare, None
            return normal
        while True:
            a, b = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            if 0 < (s := a * a + b * b) < 1:
                self.spare = b * math.sqrt(-2 * math.log(s) / s)
                return a * math.sqrt(-2 * math.log(s) / s)

    def normals(self, d):
        return np.array([self.normal() for _ in range(d)])


def shifting_gaussian(d=50, n=10_000, switch=500, seed=1):
    """Moroshko and Crammer 2014, section 5."""
    for t in range(1, n + 1):
        u = Draws(seed, TEACHER, (t - 1) // switch).normals(d)
        x = Draws(seed, EXAMPLE, t).normals(d)
        yield t, x, 1 if u @ x > 0 else -1


def linear_noise(d=50, n=10_000, alpha=1, reach=1, seed=1):
    """Cavallanti et al. 2008, section 2, with P(|u.x| <= e) = (e/reach)^alpha."""
    u = direction(Draws(seed, TEACHER, 0).normals(d))
    for t in range(1, n + 1):
        draws = Draws(seed, EXAMPLE, t)
        m = reach * (1 - draws.uniform())**(1 / alpha)
        if draws.uniform() >= 0.5:
            m = -m
        y = 1 if draws.uniform() < (1 + m) / 2 else -1
        yield t, at_margin(u, m, draws.normals(d)), y


def separable(d=50, n=10_000, margin=0.1, noise=0, seed=1):
    u = direction(Draws(seed, TEACHER, 0).normals(d))
    for t in range(1, n + 1):
        draws = Draws(seed, EXAMPLE, t)
        m = margin + (1 - margin) * (1 - draws.uniform())
        y = 1 if draws.uniform() < 0.5 else -1
        flipped = draws.uniform() < noise
        yield t, at_margin(u, y * m, draws.normals(d)), -y if flipped else y


def direction(x):
    return x / np.linalg.norm(x)


def at_margin(u, m, x):
    """m u + sqrt(1 - m^2) w, where w is the direction of the component of x orthogonal to u."""
    return m * u + math.sqrt(1 - m * m) * direction(x - (u @ x) * u)


STREAMS = {"shifting-gaussian": shifting_gaussian, "linear-noise": linear_noise, "separable": separable}
