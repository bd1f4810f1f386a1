"""What a learner or a rule may know before the stream starts."""

from collections import namedtuple

Task = namedtuple("Task", "dimension seed index", defaults=(0, 0))


def sgn(margin):
    """SGN of Cesa-Bianchi, Gentile and Zaniboni (2006), footnote 1: sgn(0) = -1."""
    return 1 if margin > 0 else -1
