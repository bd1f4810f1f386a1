#pragma once

#include <functional>
#include <span>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// All examples of a stream in memory, for experiments that read them many times, also in other orders.
class Dataset {
 public:
  /// Reads a stream to its end, or up to the given number of examples. Features are the same as in a run over
  /// the stream; `features` has the options of the stream. THROWS: DataError for a malformed example,
  /// MemoryError.
  static Dataset read(Stream& stream, const Labelling& labelling, FeatureState& features,
                      std::size_t most = std::size_t{1} << 32);

  /// At most so many rows, with other labels: `choose` writes the labels of a row, or skips the row.
  using Choose = std::function<bool(std::size_t row, std::span<Label> labels)>;
  [[nodiscard]] Dataset selected(std::size_t most, std::size_t tasks, const Choose& choose) const;

  /// The same examples, each feature multiplied by its factor.
  [[nodiscard]] Dataset scaled(const std::function<double(FeatureView::Index)>& factor) const;

  [[nodiscard]] std::size_t size() const { return examples_.size(); }
  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  [[nodiscard]] FeatureView x(std::size_t row) const { return examples_.x(row); }
  [[nodiscard]] std::int64_t time(std::size_t row) const { return examples_.time(row); }
  [[nodiscard]] Label label(std::size_t row, std::size_t task) const { return labels_[row * tasks_ + task]; }
  /// One past the largest index of a feature.
  [[nodiscard]] FeatureView::Index dimension() const { return dimension_; }
  /// Number of examples with a positive label.
  [[nodiscard]] std::size_t positives(std::size_t task) const;

 private:
  Examples examples_;
  std::size_t tasks_ = 1;
  FeatureView::Index dimension_ = 0;
  std::vector<Label> labels_;  // row by row
};

/// Rows 0, 1, ..., size-1.
std::vector<std::uint32_t> in_order(std::size_t size);
/// The same in a random order that depends on the seed and k: the k-th shuffle of an experiment.
std::vector<std::uint32_t> shuffled(std::size_t size, std::uint64_t seed, std::uint64_t k);

}  // namespace askfew
