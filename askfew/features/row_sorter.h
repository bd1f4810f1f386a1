#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/features/radix_sort.h"

namespace askfew {

/// Sorts the features of an instance. The object keeps its memory, so that a row allocates nothing.
class RowSorter {
 public:
  /// Features with the same index stay in their order. REQUIRES: as many indices as values.
  void operator()(std::span<FeatureView::Index> indices, std::span<double> values);

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<double> values_;
  RadixSorter<std::uint64_t> sort_;
};

}  // namespace askfew
