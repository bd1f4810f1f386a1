"""The base class of rules, and what a rule learns about a round. Every rule adds probability(t, score)."""

from collections import namedtuple

# norm: the norm of x in the learner's space; spread: the learner's spread(x), for the rules that need it
Score = namedtuple("Score", "margin norm spread", defaults=(None, None))
# probability: the probability with which the label was asked
Query = namedtuple("Query", "score probability", defaults=(None,))


class Rule:
    """A rule of the catalog defines `name`, its name there."""

    needs_spread = False  # the rule works only with learners that have a spread
    uses_spread = False  # the rule uses the spread of learners that have one

    def decided(self, t, score):
        """Called when round t is decided, asked or not, and before the learner learns from it."""

    def observe(self, query, mistake, updated):
        """Called when the label of this query has come, after the learner's possible update."""
