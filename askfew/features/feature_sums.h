#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/features/row_sorter.h"

namespace askfew {

/// Features that come in any order, and some of them more than once: those of one index are added up, in the
/// order in which they came. It keeps its room, so that an example allocates nothing.
class FeatureSums {
 public:
  using Index = FeatureView::Index;

  /// REQUIRES: indices will be below 2^bits.
  explicit FeatureSums(unsigned bits) : bits_(bits) {}

  void clear() { size_ = 0; }
  void add(Index index, double value) {
    if (size_ == indices_.size()) grow();
    indices_[size_] = index;
    values_[size_++] = value;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Of what was added, in that order; to be changed in place.
  [[nodiscard]] double* values() { return values_.data(); }

  /// Adds the sums that are not 0 to the example that is being built, and ends it. ENSURES: it is cleared.
  void finish(Examples& block);

 private:
  void grow() {
    indices_.resize(std::max<std::size_t>(256, 2 * size_));
    values_.resize(indices_.size());
  }
  void sort_into(const Examples::Room& out);
  /// Most examples are short, and a hash spreads them evenly.
  void sort_few_into(const Examples::Room& out) const;

  unsigned bits_;
  std::size_t size_ = 0;
  std::vector<Index> indices_;
  std::vector<double> values_;
  RowSorter sort_many_;
};

}  // namespace askfew
