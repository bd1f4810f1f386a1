#pragma once

#include <cmath>

namespace askfew {

/// The largest length of a vector (or size of a number) that one update may add to a learner's state. Sums of
/// 2^60 such numbers and their squares are finite, so the state stays finite. Streams of sensible numbers
/// stay far below.
inline constexpr double max_update = 0x1.0p+450;
inline constexpr double max_squared_update = max_update * max_update;

/// THROWS: NumericFailure, always.
[[noreturn]] void refuse_update();

/// Call with the squared length of the vector that an update will add, before changing anything. THROWS:
/// NumericFailure if the vector is too long, or the length is not a number.
inline void expect_update(double squared_length) {
  if (!(std::abs(squared_length) <= max_squared_update)) refuse_update();
}
/// The same for a vector `a x`, given x.x. This order of multiplications overflows only if the result does.
inline void expect_update(double a, double xx) {
  expect_update(a * xx * a);
}

}  // namespace askfew
