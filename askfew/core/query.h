#pragma once

#include <cstdint>

#include "askfew/core/label.h"
#include "askfew/core/score.h"

namespace askfew {

/// The first half of a round: the decision of `ask(x)`. `tell(x, y, query)` is the second half, at any later
/// time.
///
/// For a learner with a spread, bounds alone may have decided the round (see protocol/sampler.h); then the
/// spread is 0, the margin is the undivided margin, and the probability is an upper bound of the exact
/// probability. Where the probability is 0 or 1, the coin may stay 0 because it decides nothing. A sampler in
/// exact mode computes all of these exactly.
struct Query {
  std::uint64_t round = 0;  ///< t, from 1
  Label prediction = Label::negative;
  Score score;
  double probability = 0;     ///< the probability that the rule asks the label
  double coin = 0;            ///< uniform in [0,1); the label is asked if coin < probability
  bool asked = false;         ///< the label is worth its price
  double audit = 0;           ///< the probability that the audit asks the label, with a separate coin
  double audit_coin = 0;      ///< the audit's coin, drawn in every round of a sampler with an audit
  bool audited = false;       ///< the audit's coin chose the label: audit_coin < audit
  std::uint64_t version = 0;  ///< number of learner changes before the margin was computed

  /// The probability that the label is asked, by the rule or by the audit.
  [[nodiscard]] double chance() const { return probability + (1 - probability) * audit; }
};

}  // namespace askfew
