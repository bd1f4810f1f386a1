#pragma once

#include <cstdint>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/features/radix_sort.h"

namespace askfew {

/// Features that come in any order, and some of them more than once: those of one index are added up, in the
/// order in which they came. It keeps its room, so that an example allocates nothing.
class FeatureSums {
 public:
  using Index = FeatureView::Index;

  void clear() {
    keys_.clear();
    values_.clear();
  }
  void add(Index index, double value) {
    keys_.push_back(std::uint64_t{index} << 32 | values_.size());
    values_.push_back(value);
  }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// Of what was added, in that order; to be changed in place.
  [[nodiscard]] double* values() { return values_.data(); }

  /// Adds the sums that are not 0 to the example that is being built, and ends it. REQUIRES: indices are
  /// below 2^bits. ENSURES: it is cleared.
  void finish(unsigned bits, Examples& block);

 private:
  std::vector<std::uint64_t> keys_;  // an index and the place of its value
  std::vector<double> values_;
  RadixSorter<std::uint64_t> sort_;
};

}  // namespace askfew
