#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace askfew {

/// A set of numbers below a limit that lists them in order without sorting: one bit per number, and one bit
/// per 64 numbers to find them.
class IndexSet {
 public:
  explicit IndexSet(std::size_t limit) : bits_(limit / 64 + 1), groups_(limit / 4096 + 1) {}

  /// Returns 1 if the set has grown, else 0.
  std::uint64_t insert(std::uint32_t index) {
    std::uint64_t& group = bits_[index / 64];
    const std::uint64_t was_there = group >> (index % 64) & 1;
    group |= std::uint64_t{1} << (index % 64);
    groups_[index / 4096] |= std::uint64_t{1} << (index / 64 % 64);
    return 1 - was_there;
  }

  /// Calls f(index) for all numbers, in ascending order, and empties the set.
  template <class F>
  void drain(F&& f) {
    for (std::size_t high = 0; high < groups_.size(); ++high) {
      for (std::uint64_t groups = std::exchange(groups_[high], 0); groups != 0; groups &= groups - 1) {
        const std::size_t middle = high * 64 + static_cast<std::size_t>(std::countr_zero(groups));
        for (std::uint64_t bits = std::exchange(bits_[middle], 0); bits != 0; bits &= bits - 1) {
          f(static_cast<std::uint32_t>(middle * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
      }
    }
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> groups_;
};

}  // namespace askfew
