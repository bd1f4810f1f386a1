#pragma once

#include <cstddef>
#include <span>

#include "askfew/composed/feature_record.h"

namespace askfew {

/// Which features are centred in a round: those that more than half of the instances have.
struct Centring {
  double rounds = 0;
  std::size_t places = 0;             ///< features with a place below this number may be centred
  bool needs_several_values = false;  ///< earlier versions also centred what has only one value besides 0, as
                                      ///< columns of names have
  std::span<const double> sums{};     ///< of the values, by place

  [[nodiscard]] bool has(std::size_t place, const FeatureRecord& seen) const {
    if (!(seen.count > 0.5 * rounds) || place >= places) return false;
    if (!needs_several_values || seen.count == rounds) return true;
    return sums[place] * sums[place] <= (1 - 1e-6) * seen.count * seen.squares;
  }
};

}  // namespace askfew
