#include "askfew/core/examples.h"

#include <algorithm>
#include <cmath>

#include "askfew/core/expects.h"

namespace askfew {
namespace {

/// A zero vector stays zero.
void scale_to_unit(std::span<double> values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  if (largest == 0) return;
  // The squares of very large and very small values overflow or underflow. A power of two moves the values
  // into a safe range without changing a digit; so the result is the same for values that need no scaling.
  constexpr int safe = 300;
  if (const int exponent = -std::ilogb(largest); std::abs(exponent) > safe) {
    for (double& v : values) v = std::scalbn(v, exponent);
  }
  const double norm = std::sqrt(FeatureView::sum_of_squares(values));
  for (double& v : values) v /= norm;
}

}  // namespace

void Examples::end(bool dense, double squared_norm) {
  open_.size = value_count_ - open_.values;
  open_.label_count = labels_.size() - open_.labels;
  open_.dense = dense;
  open_.squared_norm = squared_norm;
  open_.extent = extent_of(open_);
  rows_.push_back(open_);
}

Examples::Bulk Examples::add_bulk(std::size_t indices, std::size_t values, std::size_t labels) {
  EXPECTS(!has_bias());
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

void Examples::sort_features() {
  sorted_.clear();
  for (std::size_t k = open_.indices; k < index_count_; ++k)
    sorted_.emplace_back(indices_[k], values_[open_.values + k - open_.indices]);
  std::sort(sorted_.begin(), sorted_.end());
  index_count_ = open_.indices;
  value_count_ = open_.values;
  for (const auto& [index, value] : sorted_) {
    if (index_count_ > open_.indices && indices_[index_count_ - 1] == index) {
      values_[value_count_ - 1] += value;
    } else {
      add_at(index, value);
    }
  }
}

void Examples::append_words(const Examples& from, FeatureView x) {
  const std::size_t first = has_bias() ? 1 : 0;
  const auto word = [&](Index index) { return from.words_[static_cast<WordTable::Number>(index - first)]; };
  sorted_.clear();
  for (std::size_t k = 0; k < x.size(); ++k) sorted_.emplace_back(x.indices()[k], x.values()[k]);
  std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.end(),
            [&](const auto& a, const auto& b) { return word(a.first) < word(b.first); });
  for (std::size_t k = 0; k < sorted_.size(); ++k) {
    const auto& [index, value] = sorted_[k];
    add_at(k < first ? index : static_cast<Index>(words_.add(word(index)) + first), value);
  }
}

void Examples::append(const Examples& from, std::size_t row) {
  const Row& source = from.rows_[row];
  const FeatureView x = from.x(row);
  bias_ = 0;  // the copied example already contains the bias
  begin(from.line(row));
  bias_ = from.bias_;
  open_.line -= std::min(open_.line, lines_before_);
  open_.time = source.time;
  for (const LabelId label : from.labels(row)) add_label(label);
  if (const std::string_view id = from.id(row); !id.empty()) set_id(id);
  if (from.words_.size() > 0 && !x.is_dense()) {
    append_words(from, x);
    end(false, squares_of_open());
    return;
  }
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

Examples::Features Examples::features(std::size_t row) {
  const Row& r = rows_[row];
  return {.indices = {indices_.data() + r.indices, r.dense ? 0 : r.size},
          .values = {values_.data() + r.values, r.size}};
}

void Examples::changed(std::size_t row, std::size_t size) {
  Row& r = rows_[row];
  r.size = size;
  r.squared_norm = FeatureView::sum_of_squares({values_.data() + r.values, size});
  r.extent = extent_of(r);
}

void Examples::normalize(std::size_t row) {
  const std::span<double> values = features(row).values;
  if (has_bias()) scale_to_unit(values.subspan(1));
  scale_to_unit(values);
  changed(row, values.size());
}

}  // namespace askfew
