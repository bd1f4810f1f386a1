#include "askfew/core/examples.h"

#include <algorithm>
#include <cmath>

namespace askfew {

void Examples::end(bool dense, double squared_norm) {
  open_.size = value_count_ - open_.values;
  open_.label_count = labels_.size() - open_.labels;
  open_.dense = dense;
  open_.squared_norm = squared_norm;
  open_.extent = dense || open_.size == 0 ? static_cast<Index>(open_.size) : indices_[index_count_ - 1] + 1;
  rows_.push_back(open_);
}

Examples::Bulk Examples::add_bulk(std::size_t indices, std::size_t values, std::size_t labels) {
  open_ = {.indices = index_count_, .values = value_count_, .labels = labels_.size()};
  grow(indices_, index_count_ + indices);
  grow(values_, value_count_ + values);
  labels_.resize(labels_.size() + labels);
  index_count_ += indices;
  value_count_ += values;
  return {.indices = {indices_.data() + open_.indices, indices},
          .values = {values_.data() + open_.values, values},
          .labels = {labels_.data() + open_.labels, labels}};
}

void Examples::append(const Examples& from, std::size_t row) {
  const Row& source = from.rows_[row];
  const FeatureView x = from.x(row);
  begin(from.line(row));
  open_.line -= std::min(open_.line, lines_before_);
  open_.time = source.time;
  for (const LabelId label : from.labels(row)) add_label(label);
  grow(values_, value_count_ + x.size());
  std::copy_n(x.values(), x.size(), values_.data() + value_count_);
  value_count_ += x.size();
  if (!x.is_dense()) {
    grow(indices_, index_count_ + x.size());
    std::copy_n(x.indices(), x.size(), indices_.data() + index_count_);
    index_count_ += x.size();
  }
  end(x.is_dense(), x.squared_norm());
}

void Examples::normalize(std::size_t index) {
  Row& row = rows_[index];
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
