"""Centre of gravity by hit-and-run. Cesa-Bianchi's slides, "Mistake bounds for various updates"; Bertsimas and Vempala,
"Solving convex programs by random walks", Journal of the ACM 51 (2004).

margin w.x, w the mean of N = samples d random points of K = {norm u <= 1, a_i.u >= c_i}, 0 before the first cut
update, a = y x / norm x: add a.u >= c with c = min(0, max(a.w, the N/8-th largest a.p of the points p)); N points, taken
in turn from those that satisfy the new constraint, walk four steps each
step: move along the difference of two random points from before the cut to a random place on the chord in K
The first points come in pairs: one starts at 0 and makes ten sweeps over its coordinates, each drawn from its chord in the
unit ball; the other is its mirror image.
After d ln(1 + U) / ln(4/3) cuts, or if no a.p exceeds a.w by 1e-12, everything starts again.
"""

import numpy as np

from reference import coin
from reference.learners.learner import Learner


class GravityCenter(Learner):
    name = "gravity-center"
    slow = True
    rounding = 16  # a point is the sum of all steps of its walk
    max_features = 4

    def __init__(self, task, U, samples):
        self.d = task.dimension
        self.N = int(samples) * self.d
        self.most_cuts = int(self.d * np.log(1 + U) / np.log(4 / 3)) + 1
        self.draws = coin.generator(task.seed, task.index, coin.LEARNING)
        self.w = np.zeros(self.d)
        self.points = None

    def margin(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        if not np.any(x):
            return
        a = y * x / np.sqrt(x @ x)
        if self.points is None or self.empty(a):
            self.start()
        heights = self.points @ a
        c = min(0.0, max(a @ self.w, np.sort(heights)[-max(1, self.N // 8)]))
        self.a, self.c = np.vstack([self.a, a]), np.append(self.c, c)
        left = self.points[heights >= c]
        self.points = np.array([self.walk(left[k % len(left)]) for k in range(self.N)])
        self.w = self.points.mean(axis=0)

    def empty(self, a):
        return len(self.c) == self.most_cuts or (self.points @ a).max() <= a @ self.w + 1e-12

    def start(self):
        self.w = np.zeros(self.d)
        self.a, self.c = np.zeros((0, self.d)), np.zeros(0)
        self.points = np.zeros((self.N, self.d))
        for k, point in enumerate(self.points):
            if k % 2 == 1:
                point[:] = -self.points[k - 1]
                continue
            for _ in range(10):
                for i in range(self.d):
                    rest = np.delete(point, i)
                    point[i] = (2 * self.draws.random() - 1) * np.sqrt(1 - rest @ rest)

    def walk(self, point):
        for _ in range(4):
            one, other, place = self.draws.random(3)
            direction = self.points[int(one * self.N)] - self.points[int(other * self.N)]
            if np.any(direction):
                start, end = self.chord(point, direction)
                if start < end:
                    point = point + (start + place * (end - start)) * direction
        return point

    def chord(self, point, v):
        """The times t at which point + t v is in K."""
        vv, pv = v @ v, point @ v
        root = np.sqrt(max(0.0, pv**2 + vv * (1 - point @ point)))
        rates, room = self.a @ v, self.a @ point - self.c
        times = -room[rates != 0] / rates[rates != 0]
        rising = rates[rates != 0] > 0
        return (max([(-pv - root) / vv, *times[rising]]), min([(-pv + root) / vv, *times[~rising]]))
