#pragma once

#include <algorithm>
#include <cstdint>
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

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] FeatureView x(std::size_t row) const {
    const Row& r = rows_[row];
    const std::span<const double> values(values_.data() + r.values, r.size);
    if (r.dense) return FeatureView::dense(values, r.squared_norm);
    return FeatureView::sparse(std::span<const Index>(indices_.data() + r.indices, r.size), values,
                               r.squared_norm, r.extent);
  }
  /// The labels of an example, as the stream names them: one, several or none.
  [[nodiscard]] std::span<const LabelId> labels(std::size_t row) const {
    return {labels_.data() + rows_[row].labels, rows_[row].label_count};
  }
  /// The line in the file where the example begins, 0 if the format has none.
  [[nodiscard]] std::uint64_t line(std::size_t row) const {
    return rows_[row].line == 0 ? 0 : lines_before_ + rows_[row].line;
  }
  /// When the example happened, in seconds since 1970; 0 if the format does not say.
  [[nodiscard]] std::int64_t time(std::size_t row) const { return rows_[row].time; }

  /// Lines that come before the block in its file: those given to `begin` count from here.
  void set_lines_before(std::uint64_t lines) { lines_before_ = lines; }

  void clear() {
    lines_before_ = 0;
    rows_.clear();
    index_count_ = 0;
    value_count_ = 0;
    labels_.clear();
  }

  // An example is added piece by piece: begin, labels and features in any order, then end.
  void begin(std::uint64_t line) {
    open_ = {.indices = index_count_, .values = value_count_, .labels = labels_.size(), .line = line};
  }
  void add_label(LabelId label) { labels_.push_back(label); }
  void set_time(std::int64_t seconds) { open_.time = seconds; }
  /// REQUIRES: indices ascend.
  void add_feature(Index index, double value) {
    const Room room = room_for(1);
    room.indices[0] = index;
    room.values[0] = value;
    added(1);
  }
  void add_dense(double value) {
    grow(values_, value_count_ + 1);
    values_[value_count_++] = value;
  }
  void end_sparse() { end(false, squares_of_open()); }
  /// REQUIRES: it is FeatureView::sum_of_squares of the values.
  void end_sparse(double squared_norm) { end(false, squared_norm); }
  void end_dense() { end(true, squares_of_open()); }
  /// Takes back what was added since `begin`.
  void abandon() {
    index_count_ = open_.indices;
    value_count_ = open_.values;
    labels_.resize(open_.labels);
  }

  /// Where the next features of a sparse example go, for those who write many at once.
  struct Room {
    Index* indices;
    double* values;
  };
  Room room_for(std::size_t features) {
    grow(indices_, index_count_ + features);
    grow(values_, value_count_ + features);
    return {indices_.data() + index_count_, values_.data() + value_count_};
  }
  /// The first of the room have been written. REQUIRES: indices ascend; no more than there was room for.
  void added(std::size_t features) {
    index_count_ += features;
    value_count_ += features;
  }

  /// Many examples at once: their features and labels are written here, one example after the other, and then
  /// each is added by its shape. What the room holds before that is anything.
  struct Bulk {
    std::span<Index> indices;
    std::span<double> values;
    std::span<LabelId> labels;
  };
  Bulk add_bulk(std::size_t indices, std::size_t values, std::size_t labels);
  struct Shape {
    std::size_t size = 0;
    std::size_t label_count = 0;
    std::uint64_t line = 0;
    std::int64_t time = 0;
    double squared_norm = 0;
    Index extent = 0;
    bool dense = false;
  };
  /// Adds the next example of a bulk. REQUIRES: the bulk has its features and labels.
  void add_shaped(const Shape& shape) {
    rows_.push_back({.indices = open_.indices,
                     .values = open_.values,
                     .size = shape.size,
                     .labels = open_.labels,
                     .label_count = shape.label_count,
                     .line = shape.line,
                     .time = shape.time,
                     .squared_norm = shape.squared_norm,
                     .extent = shape.extent,
                     .dense = shape.dense});
    open_.indices += shape.dense ? 0 : shape.size;
    open_.values += shape.size;
    open_.labels += shape.label_count;
  }
  /// Keeps the first examples only.
  void keep_first(std::size_t rows) { rows_.resize(rows); }

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
    std::int64_t time = 0;
    double squared_norm = 0;
    Index extent = 0;  // a look at the last index would fetch it long before it is needed
    bool dense = false;
  };

  template <class T>
  static void grow(std::vector<T>& array, std::size_t size) {
    if (size > array.size()) array.resize(std::max(size, 2 * array.size()));
  }
  [[nodiscard]] double squares_of_open() const {
    return FeatureView::sum_of_squares({values_.data() + open_.values, value_count_ - open_.values});
  }
  void end(bool dense, double squared_norm);

  Row open_;
  std::uint64_t lines_before_ = 0;
  std::vector<Row> rows_;
  // As large as they ever had to be: only the first so many are in use.
  std::vector<Index> indices_;
  std::vector<double> values_;
  std::size_t index_count_ = 0;
  std::size_t value_count_ = 0;
  std::vector<LabelId> labels_;
};

}  // namespace askfew
