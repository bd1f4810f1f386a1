#pragma once

#include <cstdint>

namespace askfew {

/// A figure with its 95% interval.
struct Measured {
  double value = 0;
  double low = 0;
  double high = 1;
};

/// A share with Wilson's interval.
Measured share_of(std::uint64_t part, std::uint64_t whole);

/// The mean of numbers that are not negative, with the interval of the normal distribution. `squares`: the
/// sum of their squares.
Measured mean_of(double sum, double squares, std::uint64_t count);

}  // namespace askfew
