#include "askfew/core/examples.h"

#include <algorithm>
#include <cmath>

#include "askfew/core/expects.h"

namespace askfew {
namespace {

/// A zero vector stays one.
void scale_to_unit(std::span<double> values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  if (largest == 0) return;
  // Very large and very small values have squares that are no numbers. A power of two takes them to where
  // they have, and changes no digit; so it is the same with values that need none.
  constexpr int safe = 300;
  if (const int exponent = -std::ilogb(largest); std::abs(exponent) > safe) {
    for (double& v : values) v = std::scalbn(v, exponent);
  }
  const double norm = std::sqrt(FeatureView::sum_of_squares(values));
  for (double& v : values) v /= norm;
}

}  // namespace

void Examples::end(bool dense) {
  open_.size = values_.size() - open_.values;
  open_.label_count = labels_.size() - open_.labels;
  open_.dense = dense;
  open_.squared_norm = FeatureView::sum_of_squares({values_.data() + open_.values, open_.size});
  rows_.push_back(open_);
}

void Examples::append(const Examples& from, std::size_t row) {
  EXPECTS(from.words_.size() == 0);
  const Row& source = from.rows_[row];
  const FeatureView x = from.x(row);
  bias_ = 0;  // the copy has it already
  begin(from.line(row));
  bias_ = from.bias_;
  open_.line -= std::min(open_.line, lines_before_);
  open_.time = source.time;
  for (const LabelId label : from.labels(row)) add_label(label);
  if (!x.is_dense()) indices_.insert(indices_.end(), x.indices(), x.indices() + x.size());
  values_.insert(values_.end(), x.values(), x.values() + x.size());
  end(x.is_dense());
}

Examples::Features Examples::features(std::size_t row) {
  const Row& r = rows_[row];
  return {.indices = {indices_.data() + r.indices, r.dense ? 0 : r.size},
          .values = {values_.data() + r.values, r.size}};
}

void Examples::changed(std::size_t row, std::size_t size) {
  Row& r = rows_[row];
  r.size = size;
  r.squared_norm = FeatureView::sum_of_squares({values_.data() + r.values, size});
}

void Examples::normalize(std::size_t row) {
  const std::span<double> values = features(row).values;
  if (has_bias()) scale_to_unit(values.subspan(1));
  scale_to_unit(values);
  changed(row, values.size());
}

}  // namespace askfew
