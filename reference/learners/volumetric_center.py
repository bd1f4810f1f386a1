"""Volumetric centre. Cesa-Bianchi's slides, "Mistake bounds for various updates"; Vaidya, "A new algorithm for
minimizing convex functions over convex sets", Mathematical Programming 73 (1996); Anstreicher, "On Vaidya's volumetric
cutting plane method for convex programming", Mathematics of Operations Research 22 (1997).

margin w.x, w the minimum of V(u) = 1/2 ln det H(u) over {u: A u >= b}, H = sum a_i a_i' / s_i^2, s = A u - b;
A u >= b is at first the cube |u_j| <= 1
update, a = y x / norm x: add a.u >= a.w - (a' H^-1 a)^1/2 / 4; then, while the smallest leverage
h_i = a_i' H^-1 a_i / s_i^2 is below 1/50, remove its constraint; compute the minimum again after each change
minimum: w += min(1/2, 1/2 / max_i |a_i.p|/s_i) p with p = -Q^-1 grad V, Q = sum h_i a_i a_i' / s_i^2, until
(p'Qp)^1/2 <= 1/1000
If 51 d (a' H^-1 a)^1/2 < 1/(1 + U), no u with the margin is left: the polytope starts again as the cube.
"""

import numpy as np

from reference.learners.learner import Learner


class VolumetricCenter(Learner):
    name = "volumetric-center"
    slow = True
    max_features = 20

    def __init__(self, task, U):
        self.U = U
        self.d = task.dimension
        self.start()

    def start(self):
        self.w = np.zeros(self.d)
        self.A = np.array([side * e for e in np.eye(self.d) for side in (1, -1)])
        self.b = -np.ones(2 * self.d)

    def margin(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        if not np.any(x):
            return
        a = y * x / np.sqrt(x @ x)
        if 51 * self.d * self.width(a) < 1 / (1 + self.U):
            self.start()
        self.b = np.append(self.b, a @ self.w - self.width(a) / 4)
        self.A = np.vstack([self.A, a])
        self.find_minimum()
        while (leverages := self.leverages()).min() < 1 / 50:
            least = leverages.argmin()
            self.A, self.b = np.delete(self.A, least, axis=0), np.delete(self.b, least)
            self.find_minimum()

    def scaled(self):
        """The rows a_i / s_i."""
        return self.A / (self.A @ self.w - self.b)[:, None]

    def inverse_hessian(self):
        rows = self.scaled()
        return np.linalg.inv(rows.T @ rows)

    def width(self, a):
        return np.sqrt(a @ self.inverse_hessian() @ a)

    def leverages(self):
        rows = self.scaled()
        return np.diag(rows @ self.inverse_hessian() @ rows.T)

    def find_minimum(self):
        while True:
            rows, leverages = self.scaled(), self.leverages()
            gradient = -rows.T @ leverages
            Q = rows.T @ np.diag(leverages) @ rows
            step = -np.linalg.solve(Q, gradient)
            if np.sqrt(step @ Q @ step) <= 1e-3:
                return
            self.w = self.w + min(0.5, 0.5 / np.abs(rows @ step).max()) * step
