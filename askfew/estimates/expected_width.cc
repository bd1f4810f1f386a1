#include "askfew/estimates/expected_width.h"

#include <algorithm>
#include <cmath>

namespace askfew {

double expected_width(double audit, std::uint64_t rounds) {
  constexpr double limit = 3.7;  // ln(2/alpha) at 5%
  constexpr double error = 0.1;
  constexpr double mixture = 1.12;
  const double variance = error * (1 - std::min(1.0, audit)) / audit / static_cast<double>(rounds);
  return std::min(1.0, 2 * mixture * std::sqrt(2 * limit * variance));
}

}  // namespace askfew
