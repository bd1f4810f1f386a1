#include "askfew/core/examples.h"

#include <cmath>

namespace askfew {

void Examples::end(bool dense) {
  open_.size = values_.size() - open_.values;
  open_.label_count = labels_.size() - open_.labels;
  open_.dense = dense;
  open_.squared_norm = FeatureView::sum_of_squares({values_.data() + open_.values, open_.size});
  rows_.push_back(open_);
}

void Examples::normalize_last() {
  Row& row = rows_.back();
  if (row.squared_norm == 0) return;
  const double norm = std::sqrt(row.squared_norm);
  for (std::size_t k = row.values; k < row.values + row.size; ++k) values_[k] /= norm;
  row.squared_norm = FeatureView::sum_of_squares({values_.data() + row.values, row.size});
}

}  // namespace askfew
