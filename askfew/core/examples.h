#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// A block of examples in a row, owned: what a stream fills and a run consumes. Cleared and filled again, it
/// allocates nothing once it has grown to its size.
class Examples {
 public:
  using Index = FeatureView::Index;
  using LabelId = std::int32_t;

  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] FeatureView x(std::size_t row) const {
    const Row& r = rows_[row];
    const std::span<const double> values(values_.data() + r.values, r.size);
    if (r.dense) return FeatureView::dense(values, r.squared_norm);
    return FeatureView::sparse(std::span<const Index>(indices_.data() + r.indices, r.size), values,
                               r.squared_norm);
  }
  /// The labels of an example, as the stream names them: one, several or none.
  [[nodiscard]] std::span<const LabelId> labels(std::size_t row) const {
    return {labels_.data() + rows_[row].labels, rows_[row].label_count};
  }
  /// The line in the file where the example begins, 0 if the format has none.
  [[nodiscard]] std::uint64_t line(std::size_t row) const {
    return rows_[row].line == 0 ? 0 : lines_before_ + rows_[row].line;
  }
  /// When the example happened, in seconds since 1970; `no_time` if the format does not say.
  [[nodiscard]] std::int64_t time(std::size_t row) const { return rows_[row].time; }

  /// Lines that come before the block in its file: those given to `begin` count from here.
  void set_lines_before(std::uint64_t lines) { lines_before_ = lines; }

  void clear() {
    lines_before_ = 0;
    rows_.clear();
    indices_.clear();
    values_.clear();
    labels_.clear();
  }

  // An example is added piece by piece: begin, labels and features in any order, then end.
  void begin(std::uint64_t line) {
    open_ = {.indices = indices_.size(), .values = values_.size(), .labels = labels_.size(), .line = line};
  }
  void add_label(LabelId label) { labels_.push_back(label); }
  void set_time(std::int64_t seconds) { open_.time = seconds; }
  /// REQUIRES: indices ascend.
  void add_feature(Index index, double value) {
    indices_.push_back(index);
    values_.push_back(value);
  }
  void add_dense(double value) { values_.push_back(value); }
  void end_sparse() { end(false); }
  void end_dense() { end(true); }
  /// Takes back what was added since `begin`.
  void abandon() {
    indices_.resize(open_.indices);
    values_.resize(open_.values);
    labels_.resize(open_.labels);
  }

  /// Adds a copy of an example of another block.
  void append(const Examples& from, std::size_t row);

  /// Scales an example to norm 1; a zero vector stays one.
  void normalize(std::size_t row);

 private:
  struct Row {
    std::size_t indices = 0;
    std::size_t values = 0;
    std::size_t size = 0;
    std::size_t labels = 0;
    std::size_t label_count = 0;
    std::uint64_t line = 0;
    std::int64_t time = no_time;
    double squared_norm = 0;
    bool dense = false;
  };

  void end(bool dense);

  Row open_;
  std::uint64_t lines_before_ = 0;
  std::vector<Row> rows_;
  std::vector<Index> indices_;
  std::vector<double> values_;
  std::vector<LabelId> labels_;
};

}  // namespace askfew
