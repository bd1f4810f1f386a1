#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/features/row_sorter.h"

namespace askfew {

/// Features in any order, possibly repeated: values with the same index are added up, in the order in which
/// they came. The object keeps its memory, so that an example allocates nothing.
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
  /// The values added so far, in order, to be changed in place. Up to `slack` more elements may be
  /// overwritten.
  static constexpr std::size_t slack = 16;
  [[nodiscard]] double* values() { return values_.data(); }

  /// Adds the sums that are not 0 to the example under construction, and ends the example. ENSURES: the sums
  /// are cleared.
  void finish(Examples& block);

 private:
  void grow() {
    indices_.resize(std::max<std::size_t>(256, 2 * size_));
    values_.resize(indices_.size() + slack);
  }
  void sort_into(const Examples::Room& out);
  /// For short examples, which are the most frequent; a hash spreads their indices evenly.
  void sort_few_into(const Examples::Room& out) const;

  unsigned bits_;
  std::size_t size_ = 0;
  std::vector<Index> indices_;
  std::vector<double> values_;
  RowSorter sort_many_;
};

}  // namespace askfew
