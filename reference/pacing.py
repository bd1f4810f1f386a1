"""A count of labels B for N rounds, spent early, and the pacer that steers a rule's scale to it. No paper.

plan    labels allowed by round t: A + (B - A) f^a, at most B;  f = t/(0.98 N), A = max(B/10, 10), B/2 where B <= 10 (at least 1),
        a = 0.5 + (B/N - 0.05) 4/3 in [0.5, 0.7];  a straight line from every t whose binary digits after the first 8 are 0 to the next
        end unknown: f = t/(t + 10 B), a = 0.5
rate    the slope of the plan, at most 0.9
scale   exp(level + max(haste, need));  credit = allowed - spent, hurry = 0.01 spent in [2, 50], behind = credit - min(1, left rate/10)
        (1 + hurry/8), left the rounds to come;  haste = behind/hurry in [-2.5, 2.5];  need = 2 ln(labels left/(left + 1)/rate),
        at most 20, nothing where the end is unknown;  after round 4,096 the scale and the level change in every s-th
        round, the level by as many rounds;  s the largest power of two up to r/1024 and (N - r)/64, from 8 to 64, r the last round that
        64 divides
level   starts at ln of the rule's scale;  a round adds behind/hurry in [-2, 2] times rate/(8 hurry)
look    in round 16, then after 16 rounds (64 from round 128 on), or t/16 where that is more: the scale that asks the rate of
        the scores kept; the level goes rate n/(rate n + 10) of the way to its ln, all of it before 10 labels, n scores kept;
        where n < 512 and behind > 4 hurry all of it too, with the last quarter of the scores, at least one
kept    the scores of the first 4,096 rounds, then of every s-th, the last 512 of them
audit   asks each label with probability p: B is then what is left for the rule, the labels in total - those that only the audit
        asked - p left; the rule also leaves 1 + m + 4.25 sqrt(m) of all labels, at most left; m = p left
"""

import math


class Plan:
    def __init__(self, labels, rounds=None, audit=0):
        self.total = min(labels, rounds) if rounds else labels
        self.N = rounds
        self.audit = audit

    def share(self, t):
        """f^a and its slope."""
        if self.N is None:
            half = 10 * self.total
            f, a = t / (t + half), 0.5
            return f**a, a * f ** (a - 1) * half / (t + half) ** 2
        end = 0.98 * self.N
        f, a = min(1, t / end), min(0.7, max(0.5, 0.5 + (self.total / self.N - 0.05) * 4 / 3))
        return f**a, a * f ** (a - 1) / end

    def left(self, t):
        return math.inf if self.N is None else max(0, self.N - t)

    def reserve(self, t):
        """Labels that the rule leaves to the audit."""
        expected = self.audit * self.left(t) if self.audit else 0
        return min(self.left(t), 1 + expected + 4.25 * math.sqrt(expected)) if self.audit else 0

    def at(self, t, audited=0):
        """Labels allowed, if the rule asks, and the rate. audited: labels that only the audit has asked."""
        B = max(0, self.total - audited - self.audit * self.left(t)) if self.audit else self.total
        A = max(1, B / 2) if B <= 10 else max(10, B / 10)
        low = max(0, t.bit_length() - 8)
        bend = t >> low << low
        share, slope = self.share(bend)
        allowed = min(B, A + (B - A) * min(1, share + slope * (t - bend)))
        return min(allowed + audited, self.total - self.reserve(t)), min(0.9, max(B - A, 1) * slope)


class Pacer:
    def __init__(self, plan, scale):
        self.plan = plan
        self.level = math.log(scale)
        self.spent = 0
        self.audited = 0
        self.scores = []
        self.next_look = 16

    def begin(self, t, rule):
        """Sets the scale of the rule for round t."""
        self.t = t
        self.allowed, self.rate = self.plan.at(t, self.audited)
        self.left = self.plan.left(t)
        hurry = min(50, max(2, 0.01 * self.spent))
        behind = self.allowed - self.spent - min(1, self.left * self.rate / 10) * (1 + hurry / 8)
        self.far_behind = behind > 4 * hurry and len(self.scores) < 512
        stride = self.stride()
        moves = t % stride == 0
        if moves:
            self.level += stride * min(2, max(-2, behind / hurry)) * self.rate / (8 * hurry)
        if t == self.next_look:
            self.next_look = t + max(16 if t < 128 else 64, t // 16)
            self.look(rule)
        if moves:
            haste = min(2.5, max(-2.5, behind / hurry))
            rule.set_scale(math.exp(self.level + max(haste, self.need())))

    def stride(self):
        if self.t <= 4096:
            return 1
        begin = self.t // 64 * 64
        few = min(begin / 1024, (self.plan.left(self.t) + self.t - begin) / 64, 64)
        return max(8, 1 << int(few).bit_length() >> 1)

    def need(self):
        labels = 0 if self.plan.N is None else self.plan.total - self.plan.reserve(self.t) - self.spent
        return min(20, 2 * math.log(labels / (self.left + 1) / self.rate)) if labels > 0 else -20

    def look(self, rule):
        seen = self.scores[-max(1, len(self.scores) // 4) :] if self.far_behind else self.scores
        critical = [rule.critical_scale(self.t, score) for score in seen]
        if not critical or None in critical:
            return
        scale = sorted(critical)[max(0, math.ceil(self.rate * len(critical)) - 1)]
        if scale <= math.exp(-300):
            return
        labels = self.rate * len(self.scores)
        trust = 1 if self.spent < 10 or self.far_behind else labels / (labels + 10)
        self.level += trust * (math.log(scale) - self.level)

    def may_ask(self):
        return self.allowed - self.spent >= 1

    def may_audit(self):
        return self.plan.total - self.spent >= 1

    def end(self, score, asked, by_rule):
        t = self.t
        stride = 8 if t <= 4096 else self.stride()
        if t <= 4096 or t % stride == 0:
            if len(self.scores) < 512:
                self.scores.append(score)
            else:
                self.scores[(t if t <= 4096 else t // stride) % 512] = score
        self.spent += asked
        self.audited += asked and not by_rule
