#include "askfew/spending/kth_smallest.h"

#include <algorithm>

#include "askfew/core/expects.h"

namespace askfew {
namespace {

/// Puts the numbers that belong to the left first, from `begin` on; returns their end.
template <class IsLeft>
std::size_t partition(std::span<double> numbers, std::size_t begin, IsLeft&& is_left) {
  std::size_t end = begin;
  for (std::size_t k = begin; k < numbers.size(); ++k) {
    const double number = numbers[k];
    numbers[k] = numbers[end];
    numbers[end] = number;
    end += is_left(number) ? 1 : 0;
  }
  return end;
}

double median(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace

double kth_smallest(std::span<double> numbers, std::size_t k) {
  EXPECTS(k < numbers.size());
  std::size_t begin = 0;  // the number is in [begin, numbers.size())
  while (true) {
    const double pivot = median(numbers[begin], numbers[(begin + numbers.size()) / 2], numbers.back());
    const std::size_t smaller = partition(numbers, begin, [=](double number) { return number < pivot; });
    if (k < smaller) {
      numbers = numbers.first(smaller);
      continue;
    }
    begin = partition(numbers, smaller, [=](double number) { return number == pivot; });
    if (k < begin) return pivot;
  }
}

}  // namespace askfew
