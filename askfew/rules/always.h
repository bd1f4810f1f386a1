#pragma once

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// Asks for every label: supervised on-line learning, the baseline of every paper.
class Always {
 public:
  using Params = NoParams;
  static constexpr RuleInfo info{
      .name = "always", .formula = "p = 1", .paper = "no paper: supervised learning, for comparison"};
  static constexpr bool needs_spread = false;

  Always(const Params& /*params*/, const Setting& /*setting*/) {}

  [[nodiscard]] double ask_probability(const Score& /*score*/, const Tally& /*tally*/) const { return 1; }
};

}  // namespace askfew
