"""What a rule may hear of a round; each rule adds probability(t, score)."""

from collections import namedtuple

# norm: that of x in the learner's space; spread: the learner's spread(x), for the rules that need it
Score = namedtuple("Score", "margin norm spread", defaults=(None, None))


class Rule:
    needs_spread = False  # whether it works only with learners that have a spread

    def decided(self, t, score):
        """Round t is decided, its label asked or not, and nothing is learned from it yet."""

    def observe(self, score, mistake, updated):
        """The label of this round was asked, and the learner has used it or not."""
