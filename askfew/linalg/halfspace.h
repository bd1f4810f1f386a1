#pragma once

// Half-spaces of consistent hyperplanes, for the cutting-plane learners.

#include <span>
#include <string_view>

#include "askfew/core/concepts.h"

namespace askfew {

/// The dimension of a learner that works only in few dimensions. THROWS: ConfigError if the dimension is
/// unknown, or above `most`.
std::size_t small_dimension(std::string_view learner, const Setting& setting, std::size_t most);

/// The halfspace {u : y u.x >= 0} of all hyperplanes that classify x correctly, seen from a centre w that
/// does not: y w.x <= 0.
struct Halfspace {
  double length = 0;  ///< |x|; 0 if x has no direction, and then every u is equally good
  double height = 0;  ///< height of w above the border: y w.x / |x|
};

/// Writes the inward normal y x / |x| and returns the rest. THROWS: ConfigError if x has features beyond the
/// normal's dimension, NumericFailure if |x| is too large for a number.
Halfspace halfspace_of(const FeatureView& x, Label y, double margin, std::span<double> normal,
                       std::string_view learner);

}  // namespace askfew
