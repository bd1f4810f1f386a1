#pragma once

#include <cstddef>
#include <span>

namespace askfew {

/// The k-th smallest number, from 0; changes the order of the numbers. As std::nth_element, but without
/// branches that depend on single numbers: the processor guesses them wrong half of the time. REQUIRES:
/// k < numbers.size(), no number is a NaN.
double kth_smallest(std::span<double> numbers, std::size_t k);

}  // namespace askfew
