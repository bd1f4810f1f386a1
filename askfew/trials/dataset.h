#pragma once

// All examples of a stream in memory, for experiments.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// All examples of a stream as columns, not owned. Other processes can read them where they are.
struct DatasetColumns {
  using Index = FeatureView::Index;

  // By row. A row with values and without indices is dense.
  std::span<const std::uint64_t> value_ends;
  std::span<const std::uint64_t> index_ends;
  std::span<const double> squared_norms;
  std::span<const Index> extents;

  std::span<const double> values;
  std::span<const Index> indices;
  std::span<const Label> labels;  ///< row by row, one per task
  std::size_t tasks = 1;
  Index dimension = 0;  ///< one past the largest index of a feature

  /// THROWS: DataError for columns that do not belong together.
  void check() const;
};

/// All examples of a stream in memory, for experiments that read them many times, also in other orders.
/// Copies share the examples, which never change.
class Dataset {
 public:
  Dataset() = default;
  /// Examples in somebody else's memory, which `owner` keeps alive. THROWS: DataError.
  Dataset(const DatasetColumns& columns, std::shared_ptr<const void> owner);

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

  /// The same examples, each with one more feature, 1, that no other example has: a column of identifiers.
  [[nodiscard]] Dataset with_identifiers() const;

  [[nodiscard]] const DatasetColumns& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return columns_.value_ends.size(); }
  [[nodiscard]] std::size_t tasks() const { return columns_.tasks; }
  [[nodiscard]] FeatureView x(std::size_t row) const {
    const auto part = [row](const auto& all, std::span<const std::uint64_t> ends) {
      const std::uint64_t begin = row == 0 ? 0 : ends[row - 1];
      return all.subspan(begin, ends[row] - begin);
    };
    const std::span<const double> values = part(columns_.values, columns_.value_ends);
    const std::span<const FeatureView::Index> indices = part(columns_.indices, columns_.index_ends);
    if (indices.size() < values.size()) {
      return FeatureView::unchecked_dense(values, columns_.squared_norms[row]);
    }
    return FeatureView::unchecked_sparse(indices, values, columns_.squared_norms[row], columns_.extents[row]);
  }
  [[nodiscard]] Label label(std::size_t row, std::size_t task) const {
    return columns_.labels[row * columns_.tasks + task];
  }
  /// One past the largest index of a feature.
  [[nodiscard]] FeatureView::Index dimension() const { return columns_.dimension; }
  /// Number of examples with a positive label.
  [[nodiscard]] std::size_t positives(std::size_t task) const;

 private:
  DatasetColumns columns_;
  std::shared_ptr<const void> owner_;
};

}  // namespace askfew
