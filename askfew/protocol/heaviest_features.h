#pragma once

#include <cmath>

#include "askfew/core/concepts.h"
#include "askfew/protocol/explanation.h"

namespace askfew {

/// The features that weigh most in a margin. Empty if the margin is not linear, that is, if the shares of the
/// features and the offset do not add up to the margin. Kernels are skipped: their margins are not linear,
/// and the check would be slow. (The function does not depend on the rule, so that it is compiled once per
/// learner.)
template <class L, bool decides_by_spread>
HeaviestFeatures heaviest_features(const L& learner, const FeatureView& x, const Score& score) {
  HeaviestFeatures heaviest;
  if constexpr (HasShares<L>) {
    learner.for_each_share(x, [&](FeatureView::Index index, double share) { heaviest.add({index, share}); });
  } else if constexpr (!HasNorm<L>) {
    const auto share_of = [&](const FeatureView& one) {
      if constexpr (decides_by_spread) {
        return learner.undivided_margin(one) / (L::margin_is_divided ? 1 + score.spread : 1);
      } else {
        return learner.margin(one);
      }
    };
    const double alone = share_of(FeatureView());
    double sum = alone;
    double size = std::abs(alone);
    x.for_each([&](FeatureView::Index index, double value) {
      const double share = share_of(FeatureView::unchecked_sparse({&index, 1}, {&value, 1})) - alone;
      sum += share;
      size += std::abs(share) + std::abs(alone);
      heaviest.add({index, share});
    });
    constexpr double rounding = 1e-9;
    if (!(std::abs(sum - score.margin) <= rounding * size)) return {};
  }
  return heaviest;
}

}  // namespace askfew
