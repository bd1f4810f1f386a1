"""Second-order Perceptron. Cesa-Bianchi, Conconi and Gentile (2005); Cesa-Bianchi, Gentile and Zaniboni (2006),
Figure 3. With the update policy asked it is the RLS classifier of Cavallanti, Cesa-Bianchi and Gentile (2008), (2).

margin v'(A + x x')^-1 x, A starts at a I, v at 0;  update v += y x, A += x x';  spread x' A^-1 x
`form` selects how askfew computes this, and changes no result.
"""

import numpy as np

from reference.learners.learner import Learner


class SecondOrder(Learner):
    name = "second-order"
    slow = True

    def __init__(self, task, a=1.0, form="auto"):
        self.A = a * np.eye(task.dimension)
        self.v = np.zeros(task.dimension)

    def margin(self, x):
        return float(self.v @ np.linalg.solve(self.A + np.outer(x, x), x))

    def spread(self, x):
        return float(x @ np.linalg.solve(self.A, x))

    def update(self, x, y):
        self.v = self.v + y * x
        self.A = self.A + np.outer(x, x)


class Rls(SecondOrder):
    name = "rls"
    default_policy = "asked"
