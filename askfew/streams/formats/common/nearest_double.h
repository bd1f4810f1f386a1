#pragma once

// The double that is nearest to a decimal number.

#include <bit>
#include <cstdint>
#include <fast_float/fast_float.h>

namespace askfew {

/// Powers of ten that a double holds exactly.
inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The double nearest to mantissa * 10^exponent, by the algorithm of Eisel and Lemire. False if the result is
/// infinite, if it is 0 although the mantissa is not, and in the rare cases that the algorithm does not
/// decide: then the digits must be read in another way.
inline bool nearest_double(std::uint64_t mantissa, std::int64_t exponent, double& value) {
  using Binary = fast_float::binary_format<double>;
  const fast_float::adjusted_mantissa found = fast_float::compute_float<Binary>(exponent, mantissa);
  const auto power = static_cast<std::uint64_t>(found.power2);
  value = std::bit_cast<double>(power << Binary::mantissa_explicit_bits() | found.mantissa);
  const bool is_zero = found.mantissa == 0 && found.power2 == 0;
  return found.power2 >= 0 && found.power2 < Binary::infinite_power() && (!is_zero || mantissa == 0);
}

}  // namespace askfew
