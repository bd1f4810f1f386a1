#pragma once

#include <cmath>

#include "askfew/core/errors.h"

namespace askfew {

/// What a second-order learner starts from: P = scale I, w = 0, and P grows by noise I before each update.
struct CovarianceStart {
  double scale = 1;
  double noise = 0;
};

/// The spread r as computed, given a bound of it: 0 where rounding made it barely negative. THROWS:
/// NumericFailure where it is far below 0, which no positive definite P gives, or not a number.
inline double checked_spread(double r, double bound) {
  constexpr double rounding = 1e-8;
  if (!(r >= -rounding * bound)) {
    throw NumericFailure(
        "the learner's matrix is no longer positive definite: its numbers have lost their precision");
  }
  return r > 0 ? r : 0;
}

/// A bound that also holds for the spread as computed, with its rounding.
inline double with_rounding(double bound) {
  constexpr double rounding = 1e-9;
  return bound * (1 + rounding);
}

}  // namespace askfew
