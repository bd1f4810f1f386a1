#include "askfew/trials/dataset.h"

#include <algorithm>
#include <numeric>

#include "askfew/core/coin.h"

namespace askfew {
namespace {

/// The memory of the columns of a data set.
class OwnedColumns {
 public:
  using Index = DatasetColumns::Index;

  explicit OwnedColumns(std::size_t tasks) : tasks_(tasks) {}

  [[nodiscard]] std::size_t size() const { return value_ends_.size(); }
  /// Room for the labels of the next row; `append` completes the row.
  [[nodiscard]] std::span<Label> next_labels() {
    labels_.resize((size() + 1) * tasks_);
    return std::span(labels_).last(tasks_);
  }
  void append(const FeatureView& x) { append_values(x, {x.values(), x.size()}, x.squared_norm()); }
  /// The instance with other values.
  void append(const FeatureView& x, std::span<const double> values) {
    append_values(x, values, FeatureView::sum_of_squares(values));
  }

  static Dataset finish(OwnedColumns&& columns, Index dimension) {
    const auto owner = std::make_shared<const OwnedColumns>(std::move(columns));
    const std::size_t labels = owner->size() * owner->tasks_;
    return {{.value_ends = owner->value_ends_,
             .index_ends = owner->index_ends_,
             .squared_norms = owner->squared_norms_,
             .extents = owner->extents_,
             .values = owner->values_,
             .indices = owner->indices_,
             .labels = std::span(owner->labels_).first(labels),
             .tasks = owner->tasks_,
             .dimension = dimension},
            owner};
  }

 private:
  void append_values(const FeatureView& x, std::span<const double> values, double squared_norm) {
    values_.insert(values_.end(), values.begin(), values.end());
    if (!x.is_dense()) indices_.insert(indices_.end(), x.indices(), x.indices() + x.size());
    value_ends_.push_back(values_.size());
    index_ends_.push_back(indices_.size());
    squared_norms_.push_back(squared_norm);
    extents_.push_back(x.extent());
  }

  std::size_t tasks_;
  std::vector<std::uint64_t> value_ends_;
  std::vector<std::uint64_t> index_ends_;
  std::vector<double> squared_norms_;
  std::vector<Index> extents_;
  std::vector<double> values_;
  std::vector<Index> indices_;
  std::vector<Label> labels_;
};

}  // namespace

void DatasetColumns::check() const {
  const std::size_t rows = value_ends.size();
  bool fits = index_ends.size() == rows && squared_norms.size() == rows && extents.size() == rows &&
              labels.size() == rows * tasks &&
              (rows == 0 ? values.empty() : value_ends.back() == values.size()) &&
              (rows == 0 ? indices.empty() : index_ends.back() == indices.size());
  for (std::size_t row = 0; fits && row < rows; ++row) {
    const std::uint64_t first_value = row == 0 ? 0 : value_ends[row - 1];
    const std::uint64_t first_index = row == 0 ? 0 : index_ends[row - 1];
    const bool ascends = first_value <= value_ends[row] && first_index <= index_ends[row];
    const std::uint64_t in_indices = index_ends[row] - first_index;
    fits = ascends && value_ends[row] <= values.size() && index_ends[row] <= indices.size() &&
           (in_indices == value_ends[row] - first_value || in_indices == 0) && extents[row] <= dimension;
  }
  if (!fits) throw DataError({.why = "the columns of the data set do not belong together"});
}

Dataset::Dataset(const DatasetColumns& columns, std::shared_ptr<const void> owner)
    : columns_(columns), owner_(std::move(owner)) {
  columns_.check();
}

Dataset Dataset::read(Stream& stream, const Labelling& labelling, FeatureState& features, std::size_t most) {
  OwnedColumns data(labelling.tasks());
  FeatureView::Index dimension = 0;
  Examples block;
  auto more = stream.next(block);
  for (; more && *more && data.size() < most; more = stream.next(block)) {
    features.finish(block, 0, block.size());
    const std::size_t rows = std::min(block.size(), most - data.size());
    for (std::size_t row = 0; row < rows; ++row) {
      if (const auto assigned = labelling.assign(block.labels(row), data.next_labels()); !assigned) {
        throw DataError(
            {.line = block.line(row), .column = 1, .why = assigned.error(), .file = stream.name()});
      }
      data.append(block.x(row));
      dimension = std::max(dimension, block.x(row).extent());
    }
  }
  if (!more) throw DataError(more.error());
  return OwnedColumns::finish(std::move(data), dimension);
}

Dataset Dataset::selected(std::size_t most, std::size_t tasks, const Choose& choose) const {
  OwnedColumns part(tasks);
  std::vector<Label> labels(tasks);
  for (std::size_t row = 0; row < size() && part.size() < most; ++row) {
    if (!choose(row, labels)) continue;
    std::ranges::copy(labels, part.next_labels().begin());
    part.append(x(row));
  }
  return OwnedColumns::finish(std::move(part), dimension());
}

Dataset Dataset::scaled(const std::function<double(FeatureView::Index)>& factor) const {
  std::vector<double> factors(dimension());
  for (std::size_t k = 0; k < factors.size(); ++k) factors[k] = factor(static_cast<FeatureView::Index>(k));
  OwnedColumns other(tasks());
  std::vector<double> values;
  for (std::size_t row = 0; row < size(); ++row) {
    const FeatureView from = x(row);
    values.assign(from.values(), from.values() + from.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] *= factors[from.is_dense() ? k : from.indices()[k]];
    std::ranges::copy(columns_.labels.subspan(row * tasks(), tasks()), other.next_labels().begin());
    other.append(from, values);
  }
  return OwnedColumns::finish(std::move(other), dimension());
}

Dataset Dataset::with_identifiers() const {
  OwnedColumns other(tasks());
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
  for (std::size_t row = 0; row < size(); ++row) {
    indices.clear();
    values.clear();
    x(row).for_each([&](FeatureView::Index feature, double value) {
      indices.push_back(feature);
      values.push_back(value);
    });
    indices.push_back(static_cast<FeatureView::Index>(dimension() + row));
    values.push_back(1);
    std::ranges::copy(columns_.labels.subspan(row * tasks(), tasks()), other.next_labels().begin());
    other.append(FeatureView::sparse(indices, values));
  }
  return OwnedColumns::finish(std::move(other), static_cast<FeatureView::Index>(dimension() + size()));
}

std::size_t Dataset::positives(std::size_t task) const {
  std::size_t count = 0;
  for (std::size_t row = 0; row < size(); ++row) count += label(row, task) == Label::positive ? 1U : 0U;
  return count;
}

}  // namespace askfew
