"""What a rule may hear of a round; each rule adds probability(t, margin, x)."""


class Rule:
    def decided(self, t, margin, x):
        """Round t is decided, its label asked or not, and nothing is learned from it yet."""

    def observe(self, x, mistake, updated):
        """The label of this round was asked, and the learner has used it or not."""
