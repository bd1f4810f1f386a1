#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
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

  static constexpr std::size_t slack = 16;

  void clear() { size_ = 0; }
  void add(Index index, double value) {
    const std::span<Index> one = add_ones(1);
    one[0] = index;
    values_[size_ - 1] = value;
  }
  /// Adds features with the value 1; the caller writes their indices. Up to `slack` more elements may be
  /// overwritten.
  std::span<Index> add_ones(std::size_t count) {
    if (size_ + count + slack > indices_.size()) grow(size_ + count + slack);
    std::fill_n(values_.data() + size_, count, 1.0);
    size_ += count;
    return {indices_.data() + size_ - count, count};
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The values added so far, in order, to be changed in place. As many more may be overwritten.
  [[nodiscard]] double* values() { return values_.data(); }

  /// Adds the sums that are not 0 to the example under construction, and ends the example. ENSURES: the sums
  /// are cleared.
  void finish(Examples& block);

 private:
  void grow(std::size_t size) {
    indices_.resize(std::max<std::size_t>({256, size, 2 * indices_.size()}));
    values_.resize(indices_.size());
  }

  unsigned bits_;
  std::size_t size_ = 0;
  std::vector<Index> indices_;
  std::vector<double> values_;
  RowSorter sort_many_;
};

}  // namespace askfew
