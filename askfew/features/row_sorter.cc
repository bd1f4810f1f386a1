#include "askfew/features/row_sorter.h"

#include <algorithm>
#include <bit>

#include "askfew/core/expects.h"

namespace askfew {

void RowSorter::operator()(std::span<FeatureView::Index> indices, std::span<double> values) {
  EXPECTS(indices.size() == values.size());
  // One number contains an index and the position of its value.
  keys_.clear();
  FeatureView::Index largest = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    keys_.push_back(std::uint64_t{indices[k]} << 32 | k);
    largest = std::max(largest, indices[k]);
  }
  sort_(keys_, 32, 32 + static_cast<unsigned>(std::bit_width(largest)));
  values_.assign(values.begin(), values.end());
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    indices[k] = static_cast<FeatureView::Index>(keys_[k] >> 32);
    values[k] = values_[keys_[k] & 0xffffffff];
  }
}

}  // namespace askfew
