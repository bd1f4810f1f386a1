#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "askfew/math/elementary.h"

namespace askfew {

/// ln(1 + count) with the count rounded down to its 8 leading bits, from a table: a logarithm takes longer
/// than everything else that is done with a feature.
class CountLogs {
 public:
  CountLogs() {
    constexpr double leads = 1 << (leading_bits - 1);
    for (double power = 1; power < std::ldexp(1, max_bits); power *= 2) {
      for (double lead = 0; lead < leads; ++lead) {
        const double count = power * (1 + lead / leads);
        logs_[place_of(count)] = math::log(1 + count);
      }
    }
  }
  [[nodiscard]] double operator()(double count) const { return logs_[place_of(count)]; }

  // For code that looks up several at once: the logarithm of a count >= 1 is at the count's bits without the
  // dropped ones, minus `below_one`.
  static constexpr int leading_bits = 8;
  static constexpr int dropped_bits = 52 - (leading_bits - 1);
  static constexpr std::int64_t below_one = (std::bit_cast<std::int64_t>(1.0) >> dropped_bits) - 1;
  [[nodiscard]] const double* data() const { return logs_.data(); }

 private:
  static constexpr int max_bits = 62;  // more rounds than any stream has

  /// A place for numbers below 1, then one for each exponent and leading bits of a double.
  static std::size_t place_of(double count) {
    const std::int64_t place = std::bit_cast<std::int64_t>(count) >> dropped_bits;
    return static_cast<std::size_t>(std::max(place, below_one) - below_one);
  }

  std::array<double, 1 + (max_bits << (leading_bits - 1))> logs_{};
};

inline const CountLogs& count_logs() {
  static const CountLogs logs;
  return logs;
}

}  // namespace askfew
