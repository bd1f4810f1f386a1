"""What a rule may hear of a round; each rule adds probability(t, score)."""

from collections import namedtuple

# norm: that of x in the learner's space; spread: the learner's spread(x), for the rules that need it
Score = namedtuple("Score", "margin norm spread", defaults=(None, None))
# probability: with which the label was asked
Query = namedtuple("Query", "score probability", defaults=(None,))


class Rule:
    """A rule of the catalog has its `name` there."""

    needs_spread = False  # whether it works only with learners that have a spread

    def decided(self, t, score):
        """Round t is decided, its label asked or not, and nothing is learned from it yet."""

    def observe(self, query, mistake, updated):
        """The label of this query has come, and the learner has used it or not."""
