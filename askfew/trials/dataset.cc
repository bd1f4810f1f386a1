#include "askfew/trials/dataset.h"

#include <algorithm>
#include <numeric>

#include "askfew/core/coin.h"

namespace askfew {

Dataset Dataset::read(Stream& stream, const Labelling& labelling, FeatureState& features, std::size_t most) {
  Dataset data;
  data.tasks_ = labelling.tasks();
  Examples block;
  auto more = stream.next(block);
  for (; more && *more && data.size() < most; more = stream.next(block)) {
    features.finish(block, 0, block.size());
    const std::size_t rows = std::min(block.size(), most - data.size());
    for (std::size_t row = 0; row < rows; ++row) {
      data.labels_.resize((data.size() + 1) * data.tasks_);
      const auto labels = std::span(data.labels_).last(data.tasks_);
      if (const auto assigned = labelling.assign(block.labels(row), labels); !assigned) {
        throw DataError(
            {.line = block.line(row), .column = 1, .why = assigned.error(), .file = stream.name()});
      }
      data.examples_.append(block, row);
      data.dimension_ = std::max(data.dimension_, block.x(row).extent());
    }
  }
  if (!more) throw DataError(more.error());
  return data;
}

Dataset Dataset::selected(std::size_t most, std::size_t tasks, const Choose& choose) const {
  Dataset part;
  part.tasks_ = tasks;
  part.dimension_ = dimension_;
  std::vector<Label> labels(tasks);
  for (std::size_t row = 0; row < size() && part.size() < most; ++row) {
    if (!choose(row, labels)) continue;
    part.labels_.insert(part.labels_.end(), labels.begin(), labels.end());
    part.examples_.append(examples_, row);
  }
  return part;
}

Dataset Dataset::scaled(const std::function<double(FeatureView::Index)>& factor) const {
  std::vector<double> factors(dimension_);
  for (std::size_t k = 0; k < factors.size(); ++k) factors[k] = factor(static_cast<FeatureView::Index>(k));
  Dataset other = *this;
  for (std::size_t row = 0; row < size(); ++row) {
    const Examples::Features features = other.examples_.features(row);
    const bool dense = features.indices.empty();
    for (std::size_t k = 0; k < features.values.size(); ++k)
      features.values[k] *= factors[dense ? k : features.indices[k]];
    other.examples_.changed(row, features.values.size());
  }
  return other;
}

std::size_t Dataset::positives(std::size_t task) const {
  std::size_t count = 0;
  for (std::size_t row = 0; row < size(); ++row) count += label(row, task) == Label::positive ? 1U : 0U;
  return count;
}

std::vector<std::uint32_t> in_order(std::size_t size) {
  std::vector<std::uint32_t> rows(size);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::vector<std::uint32_t> shuffled(std::size_t size, std::uint64_t seed, std::uint64_t k) {
  std::vector<std::uint32_t> rows = in_order(size);
  Coin coin({.seed = seed, .task = k}, CoinPurpose::shuffle);
  for (std::size_t left = size; left > 1; --left) {
    const auto other = static_cast<std::size_t>(coin(size - left + 1) * static_cast<double>(left));
    std::swap(rows[left - 1], rows[other]);
  }
  return rows;
}

}  // namespace askfew
