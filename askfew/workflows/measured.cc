#include "askfew/workflows/measured.h"

#include <algorithm>
#include <cmath>

namespace askfew {
namespace {

constexpr double z = 1.959963984540054;  // 95%

}  // namespace

Measured share_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return {};
  const auto n = static_cast<double>(whole);
  const double p = static_cast<double>(part) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {.value = p, .low = std::max(0.0, middle - half), .high = std::min(1.0, middle + half)};
}

Measured mean_of(double sum, double squares, std::uint64_t count) {
  if (count == 0) return {};
  const auto n = static_cast<double>(count);
  const double mean = sum / n;
  const double half = z * std::sqrt(std::max(0.0, squares / n - mean * mean) / n);
  return {.value = mean, .low = std::max(0.0, mean - half), .high = mean + half};
}

}  // namespace askfew
