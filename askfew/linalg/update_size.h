#pragma once

#include <cmath>

namespace askfew {

/// How long a vector (or large a number) one update may add to what a learner keeps. Sums of 2^60 of them and
/// their squares are finite numbers, so what a learner keeps stays finite. No stream of sensible numbers
/// comes near it.
inline constexpr double max_update = 0x1.0p+450;
inline constexpr double max_squared_update = max_update * max_update;

/// THROWS: NumericFailure, always.
[[noreturn]] void refuse_update();

/// To be called with the squared length of what an update is about to add, before it changes anything.
/// THROWS: NumericFailure if that is too long, or no number.
inline void expect_update(double squared_length) {
  if (!(std::abs(squared_length) <= max_squared_update)) refuse_update();
}
/// The same for a vector `a x`, given x.x. In this order nothing overflows that fits.
inline void expect_update(double a, double xx) {
  expect_update(a * xx * a);
}

}  // namespace askfew
