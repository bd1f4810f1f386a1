#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace askfew {

/// A set of numbers below a limit that gives them in order without sorting: a bit each, and a bit for each 64
/// of them that says where to look.
class IndexSet {
 public:
  explicit IndexSet(std::size_t limit) : bits_(limit / 64 + 1), groups_(limit / 4096 + 1) {}

  /// Was it new?
  bool insert(std::uint32_t index) {
    std::uint64_t& group = bits_[index / 64];
    const std::uint64_t bit = std::uint64_t{1} << (index % 64);
    const bool is_new = (group & bit) == 0;
    group |= bit;
    groups_[index / 4096] |= std::uint64_t{1} << (index / 64 % 64);
    return is_new;
  }

  /// Calls f(index) for all of them, in ascending order; none is left.
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
