#include "askfew/features/row_sorter.h"

#include "askfew/core/expects.h"

namespace askfew {

void RowSorter::operator()(std::span<FeatureView::Index> indices, std::span<double> values) {
  EXPECTS(indices.size() == values.size());
  // An index and where its value is, in one number: many are sorted at once.
  keys_.clear();
  for (std::size_t k = 0; k < indices.size(); ++k) keys_.push_back(std::uint64_t{indices[k]} << 32 | k);
  sort_(keys_.data(), keys_.size(), hwy::SortAscending());
  values_.assign(values.begin(), values.end());
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    indices[k] = static_cast<FeatureView::Index>(keys_[k] >> 32);
    values[k] = values_[keys_[k] & 0xffffffff];
  }
}

}  // namespace askfew
