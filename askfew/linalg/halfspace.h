#pragma once

#include <span>
#include <string_view>

#include "askfew/core/concepts.h"

namespace askfew {

/// The dimension of a learner that works in few dimensions only. THROWS: ConfigError if it is not known, or
/// above `most`.
std::size_t small_dimension(std::string_view learner, const Setting& setting, std::size_t most);

/// The halfspace {u : y u.x >= 0} that holds every hyperplane which is right about x, seen from a centre w
/// that is not: y w.x <= 0.
struct Halfspace {
  double length = 0;  ///< |x|; 0 if x has no direction, and then every u is as good
  double height = 0;  ///< of w above its border: y w.x / |x|
};

/// Writes its inward normal y x / |x| and returns the rest. THROWS: ConfigError if x has features beyond the
/// normal's dimension, NumericFailure if x is too long for a number.
Halfspace halfspace_of(const FeatureView& x, Label y, double margin, std::span<double> normal,
                       std::string_view learner);

}  // namespace askfew
