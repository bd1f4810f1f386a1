#include "askfew/streams/memory/memory_rows.h"

#include <cmath>
#include <fmt/core.h>
#include <string>
#include <type_traits>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t max_columns = FeatureView::Index(-2);

[[noreturn]] void refuse(std::size_t row, const std::string& why) {
  throw DataError({.why = why, .file = fmt::format("X[{}]", row)});
}
[[noreturn]] void refuse(const std::string& why) {
  throw DataError({.why = why, .file = "X"});
}

void check_columns(std::size_t columns) {
  if (columns > max_columns)
    refuse(fmt::format("{} columns are too many, accepted: at most {}", columns, max_columns));
}

void check_value(std::size_t row, std::size_t feature, double value) {
  if (!std::isfinite(value)) refuse(row, fmt::format("value {} of feature {} is not finite", value, feature));
}

}  // namespace

template <class Value>
DenseRows<Value>::DenseRows(const Value* values, std::size_t rows, std::size_t columns)
    : values_(values), rows_(rows), columns_(columns) {
  check_columns(columns);
}

template <class Value>
std::optional<FeatureView> DenseRows<Value>::in_place(std::size_t row) const {
  if constexpr (std::is_same_v<Value, double>) {
    const std::span<const double> values(values_ + row * columns_, columns_);
    // A sum of squares that is finite has finite terms only.
    const FeatureView x = FeatureView::unchecked_dense(values);
    if (!std::isfinite(x.squared_norm())) {
      for (std::size_t k = 0; k < columns_; ++k) check_value(row, k, values[k]);
    }
    return x;
  }
  return std::nullopt;
}

template <class Value>
void DenseRows<Value>::add(std::size_t row, Examples& block) {
  const Value* values = values_ + row * columns_;
  for (std::size_t k = 0; k < columns_; ++k) {
    const auto value = static_cast<double>(values[k]);
    check_value(row, k, value);
    block.add_dense(value);
  }
  block.end_dense();
}

template <class Index, class Value>
CsrRows<Index, Value>::CsrRows(std::span<const Index> begins, std::span<const Index> indices,
                               std::span<const Value> values, std::size_t columns)
    : begins_(begins), indices_(indices), values_(values), columns_(columns) {
  check_columns(columns);
  if (begins.empty()) refuse("a sparse matrix needs a pointer to the end of its rows");
  if (indices.size() != values.size()) {
    refuse(
        fmt::format("{} indices and {} values: each entry needs one of both", indices.size(), values.size()));
  }
}

template <class Index, class Value>
typename CsrRows<Index, Value>::Entries CsrRows<Index, Value>::entries(std::size_t row) const {
  const std::size_t most = columns_ == 0 ? max_columns : columns_;
  const Index begin = begins_[row];
  const Index end = begins_[row + 1];
  if (begin < 0 || end < begin || static_cast<std::size_t>(end) > indices_.size()) {
    refuse(row,
           fmt::format("its entries [{}, {}) are not among the {} entries", begin, end, indices_.size()));
  }
  for (Index k = begin; k < end; ++k) {
    const Index index = indices_[static_cast<std::size_t>(k)];
    if (index < 0 || static_cast<std::size_t>(index) >= most) {
      refuse(row, fmt::format("index {} is out of range, accepted: 0 to {}", index, most - 1));
    }
    if (k > begin && index <= indices_[static_cast<std::size_t>(k - 1)]) {
      refuse(row, fmt::format("index {} after {}: indices must ascend", index,
                              indices_[static_cast<std::size_t>(k - 1)]));
    }
  }
  return {.begin = static_cast<std::size_t>(begin), .size = static_cast<std::size_t>(end - begin)};
}

template <class Index, class Value>
std::optional<FeatureView> CsrRows<Index, Value>::in_place(std::size_t row) const {
  if constexpr (std::is_same_v<Index, std::int32_t> && std::is_same_v<Value, double>) {
    const auto [begin, size] = entries(row);
    // An integer may be read as the unsigned integer of its size; no index is negative.
    const auto* indices = reinterpret_cast<const FeatureView::Index*>(indices_.data() + begin);
    const FeatureView x = FeatureView::unchecked_sparse({indices, size}, values_.subspan(begin, size));
    if (!std::isfinite(x.squared_norm())) {
      for (std::size_t k = 0; k < size; ++k) check_value(row, indices[k], values_[begin + k]);
    }
    return x;
  }
  return std::nullopt;
}

template <class Index, class Value>
void CsrRows<Index, Value>::add(std::size_t row, Examples& block) {
  const auto [begin, size] = entries(row);
  for (std::size_t k = begin; k < begin + size; ++k) {
    const auto value = static_cast<double>(values_[k]);
    check_value(row, static_cast<std::size_t>(indices_[k]), value);
    block.add_feature(static_cast<FeatureView::Index>(indices_[k]), value);
  }
  block.end_sparse();
}

void WordRows::set_text_options(const TextOptions& options) {
  features_.emplace(options);
  scratch_.emplace(*features_);
}

void WordRows::add(std::size_t row, Examples& block) {
  const auto& [text, named] = rows_[row];
  if (!is_utf8(text)) refuse(row, "the text is not UTF-8");
  features_->add(text, block, *scratch_);
  features_->finish(block, *scratch_);
  double sum = 0;
  for (const Named& feature : named) {
    if (feature.value == 0) continue;
    block.add_feature(features_->named(feature.name, block, *scratch_), feature.value);
    sum += std::abs(feature.value);
  }
  if (!named.empty()) block.sort_features();
  if (!std::isfinite(sum)) refuse(row, "the features are too large to be added up, or not finite");
  block.end_sparse();
}

void append_row(MemoryRows& rows, std::size_t row, std::span<const Examples::LabelId> labels,
                const FeatureOptions& options, Examples& block) {
  block.set_bias(options.bias);
  block.begin(0);
  for (const Examples::LabelId label : labels) block.add_label(label);
  try {
    rows.add(row, block);
  } catch (...) {
    block.abandon();
    throw;
  }
  if (options.normalize && !options.need_state()) block.normalize(block.size() - 1);
}

template class DenseRows<double>;
template class DenseRows<float>;
template class CsrRows<std::int32_t, double>;
template class CsrRows<std::int32_t, float>;
template class CsrRows<std::int64_t, double>;
template class CsrRows<std::int64_t, float>;

}  // namespace askfew
