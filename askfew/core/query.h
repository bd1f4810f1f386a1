#pragma once

#include <cstdint>

#include "askfew/core/label.h"
#include "askfew/core/score.h"

namespace askfew {

/// The first half of a round: what `ask(x)` decided. `tell(x, y, query)` is the second half, now or a week
/// later.
///
/// A learner with a spread may have been settled by bounds alone (see protocol/sampler.h); then the spread is
/// 0, the margin is the undivided one, and the probability is an upper bound of the exact one. Where the
/// probability is 0 or 1 the coin may be left at 0: it decides nothing. A sampler in exact mode never does
/// either.
struct Query {
  std::uint64_t round = 0;  ///< t, from 1
  Label prediction = Label::negative;
  Score score;
  double probability = 0;     ///< with which the label is asked
  double coin = 0;            ///< uniform in [0,1); the label is asked if coin < probability
  bool asked = false;         ///< whether the label is worth its price
  double audit = 0;           ///< with which it is asked whatever the rule says, on a coin of its own
  bool audited = false;       ///< that coin said yes
  std::uint64_t version = 0;  ///< how often the learner had changed when the margin was computed

  /// With which the label is asked, by the rule or by the audit.
  [[nodiscard]] double chance() const { return probability + (1 - probability) * audit; }
};

}  // namespace askfew
