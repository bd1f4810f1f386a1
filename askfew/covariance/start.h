#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"

namespace askfew {

/// The initial state of a second-order learner: P = scale I, w = 0; P grows by noise I before each update.
struct CovariancePrior {
  double scale = 1;
  double noise = 0;
};

/// The start of LASEC (Moroshko, Crammer 2014, Figure 1): D = bc/(c-b) I, so P = (1/b - 1/c) I, and the noise
/// 1/c. THROWS: ConfigError.
inline CovariancePrior lasec_start(std::string_view learner, double b, double c) {
  if (b >= c) throw ConfigError(std::string(learner) + ": b must be below c");
  return {.scale = 1 / b - 1 / c, .noise = 1 / c};
}

inline constexpr std::string_view lost_precision_advice =
    "scale the instances down, or raise the a, b or r that it starts from";

/// The computed spread r, given a bound: 0 where rounding made it slightly negative. THROWS: NumericFailure
/// if it is far below 0, which is impossible for a positive definite P, or not a number.
inline double checked_spread(double r, double bound) {
  constexpr double rounding = 1e-8;
  if (!(r >= -rounding * bound)) {
    throw NumericFailure("the learner's matrix is no longer positive definite; " +
                         std::string(lost_precision_advice));
  }
  return r > 0 ? r : 0;
}

/// The spread r of an instance, summed in two orders. An update reduces r to r/(1 + r). THROWS:
/// NumericFailure if rounding errors are as large as the reduced spread.
inline void check_health(double r, double r_again) {
  constexpr double most = 1e-3;
  constexpr double denormal = std::numeric_limits<double>::min();
  if (!(std::abs(r_again - r) <= most * r / (1 + r) + denormal)) {
    throw NumericFailure("the learner's matrix has lost its precision; " +
                         std::string(lost_precision_advice));
  }
}

/// A bound that also holds for the computed spread with its rounding error.
inline double with_rounding(double bound) {
  constexpr double rounding = 1e-9;
  return bound * (1 + rounding);
}

}  // namespace askfew
