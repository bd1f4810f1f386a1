#pragma once

// The tables of exp and log, which the compiler computes.

#include <array>
#include <bit>
#include <cstdint>

#include "askfew/math/double_double.h"

namespace askfew::math {

/// ln 2, whose next 53 bits are 0x1.7b39...p-109.
inline constexpr DoubleDouble ln_2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/// 2^(i/128) = value (1 + rest), value a double.
struct RootOfTwo {
  std::uint64_t bits;  ///< bits of the value, minus i in the lowest bits of the exponent: see scaled()
  double rest;
};

inline constexpr int roots = 128;

consteval std::array<RootOfTwo, roots> make_roots_of_two() {
  std::array<RootOfTwo, roots> table{};
  for (int i = 0; i < roots; ++i) {
    const DoubleDouble x = ln_2 * DoubleDouble{static_cast<double>(i) / roots};
    DoubleDouble sum{1};
    for (int n = 30; n > 0; --n) sum = DoubleDouble{1} + sum * x / n;  // e^x by its Taylor series
    table[static_cast<std::size_t>(i)] = {
        std::bit_cast<std::uint64_t>(sum.hi) - (static_cast<std::uint64_t>(i) << 45), sum.lo / sum.hi};
  }
  return table;
}

/// For z near c: ln z = -ln(inverse) + ln(1 + r), r = z inverse - 1 with |r| < 0.0041, where inverse is 1/c
/// as a multiple of 2^-12, and -ln(inverse) = log_hi + log_lo with log_hi a multiple of 2^-42.
struct Center {
  double inverse;
  double log_hi;
  double log_lo;
};

inline constexpr int centers = 128;

/// The intervals are counted in the bits of z, 2^45 each. 1 is the center of an interval, so that logarithms
/// near 0 lose no digits. The first interval begins here, at 0.705; the last interval ends at twice that
/// value.
inline constexpr std::uint64_t first_center_begin =
    std::bit_cast<std::uint64_t>(1.0) - (std::uint64_t{75} << 45) - (std::uint64_t{1} << 44);

/// Adding and then subtracting the result rounds a number to a multiple of `step`.
consteval double shifter(double step) {
  return step * 0x1.8p52;
}

consteval std::array<Center, centers> make_centers() {
  std::array<Center, centers> table{};
  for (int i = 0; i < centers; ++i) {
    const auto c = std::bit_cast<double>(first_center_begin + (static_cast<std::uint64_t>(i) << 45) +
                                         (std::uint64_t{1} << 44));
    const double inverse = (1 / c + shifter(0x1p-12)) - shifter(0x1p-12);
    // -ln(inverse) = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...)
    const DoubleDouble s = DoubleDouble{1 - inverse} / (1 + inverse);
    DoubleDouble sum;
    for (int n = 45; n > 0; n -= 2) sum = DoubleDouble{1} / n + sum * s * s;
    const DoubleDouble log = sum * s * DoubleDouble{2};
    const double log_hi = (log.hi + shifter(0x1p-42)) - shifter(0x1p-42);
    table[static_cast<std::size_t>(i)] = {inverse, log_hi, (log.hi - log_hi) + log.lo};
  }
  return table;
}

}  // namespace askfew::math
