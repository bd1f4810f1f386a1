#include "askfew/core/examples.h"

#include <algorithm>
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
  const std::span<double> values(values_.data() + row.values, row.size);
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  if (largest == 0) return;
  // A power of two first, which changes no digit: the squares of very large and very small values are no
  // numbers.
  const int exponent = -std::ilogb(largest);
  for (double& v : values) v = std::scalbn(v, exponent);
  const double norm = std::sqrt(FeatureView::sum_of_squares(values));
  for (double& v : values) v /= norm;
  row.squared_norm = FeatureView::sum_of_squares(values);
}

}  // namespace askfew
