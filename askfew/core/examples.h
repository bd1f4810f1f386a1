#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/word_table.h"

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
  /// When the example happened, in seconds since 1970; `no_time` if the format does not say.
  [[nodiscard]] std::int64_t time(std::size_t row) const { return rows_[row].time; }

  /// Lines that come before the block in its file: those given to `begin` count from here.
  void set_lines_before(std::uint64_t lines) { lines_before_ = lines; }

  /// Words of the block, for a dictionary: until a FeatureState has settled an example, its features are
  /// their numbers in here.
  [[nodiscard]] WordTable& words() { return words_; }
  [[nodiscard]] const WordTable& words() const { return words_; }
  /// What the words' numbers are in the dictionary, as far as it was asked.
  [[nodiscard]] std::vector<Index>& dictionary_numbers() { return dictionary_numbers_; }

  /// The constant that every example added from now on begins with, as feature 0; all others move up by one.
  /// 0: none.
  void set_bias(double value) { bias_ = value; }
  [[nodiscard]] double bias() const { return bias_; }
  [[nodiscard]] bool has_bias() const { return bias_ != 0; }
  /// By how much the other features move up.
  [[nodiscard]] Index shift() const { return has_bias() ? 1 : 0; }

  /// What it takes in memory.
  [[nodiscard]] std::size_t memory() const {
    return words_.memory() + dictionary_numbers_.capacity() * sizeof(Index) + rows_.capacity() * sizeof(Row) +
           indices_.capacity() * sizeof(Index) + values_.capacity() * sizeof(double) +
           labels_.capacity() * sizeof(LabelId) + sorted_.capacity() * sizeof(sorted_[0]);
  }

  void clear() {
    lines_before_ = 0;
    words_.clear();
    dictionary_numbers_.clear();
    rows_.clear();
    index_count_ = 0;
    value_count_ = 0;
    labels_.clear();
  }

  // An example is added piece by piece: begin, labels and features in any order, then end.
  void begin(std::uint64_t line) {
    open_ = {.indices = index_count_, .values = value_count_, .labels = labels_.size(), .line = line};
    open_words_ = words_.size();
    if (has_bias()) add_at(0, bias_);
  }
  void add_label(LabelId label) { labels_.push_back(label); }
  void set_time(std::int64_t seconds) { open_.time = seconds; }
  /// REQUIRES: indices ascend, or `sort_features` comes before the end.
  void add_feature(Index index, double value) { add_at(index + shift(), value); }
  void add_dense(double value) {
    grow(values_, value_count_ + 1);
    values_[value_count_++] = value;
  }
  /// Puts the features so far in order; those of one index are added up.
  void sort_features();
  void end_sparse() { end(false, squares_of_open()); }
  /// REQUIRES: it is FeatureView::sum_of_squares of the values.
  void end_sparse(double squared_norm) { end(false, squared_norm); }
  void end_dense() { end(true, squares_of_open()); }
  /// Takes back what was added since `begin`.
  void abandon() {
    index_count_ = open_.indices;
    value_count_ = open_.values;
    labels_.resize(open_.labels);
    words_.forget_from(static_cast<WordTable::Number>(open_words_));
  }

  /// Where the next features of a sparse example go, for those who write many at once. REQUIRES: what they
  /// write as indices has been moved up by `shift`.
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
  /// each is added by its shape. What the room holds before that is anything. REQUIRES: there is no bias.
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
    std::int64_t time = no_time;
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

  /// Adds a copy of an example of another block. Words come in the order of their letters, which does not
  /// depend on what else is in that block.
  void append(const Examples& from, std::size_t row);

  /// The features of an example, to be changed in place. After that, `changed` says how many of them remain.
  struct Features {
    std::span<Index> indices;  ///< empty for a dense example
    std::span<double> values;
  };
  [[nodiscard]] Features features(std::size_t row);
  void changed(std::size_t row, std::size_t size);

  /// Scales an example to norm 1; a zero vector stays one. With a bias, the rest is scaled to norm 1 first,
  /// so that the constant weighs the same in every example.
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
    Index extent = 0;  // a look at the last index would fetch it long before it is needed
    bool dense = false;
  };

  void add_at(Index index, double value) {
    const Room room = room_for(1);
    room.indices[0] = index;
    room.values[0] = value;
    added(1);
  }
  template <class T>
  static void grow(std::vector<T>& array, std::size_t size) {
    if (size > array.size()) array.resize(std::max(size, 2 * array.size()));
  }
  [[nodiscard]] double squares_of_open() const {
    return FeatureView::sum_of_squares({values_.data() + open_.values, value_count_ - open_.values});
  }
  [[nodiscard]] Index extent_of(const Row& row) const {
    if (row.dense || row.size == 0) return static_cast<Index>(row.size);
    return indices_[row.indices + row.size - 1] + 1;
  }
  void end(bool dense, double squared_norm);
  void append_words(const Examples& from, FeatureView x);

  Row open_;
  std::size_t open_words_ = 0;  // words before the example being built
  double bias_ = 0;
  WordTable words_;
  std::vector<Index> dictionary_numbers_;
  std::uint64_t lines_before_ = 0;
  std::vector<Row> rows_;
  // As large as they ever had to be: only the first so many are in use.
  std::vector<Index> indices_;
  std::vector<double> values_;
  std::size_t index_count_ = 0;
  std::size_t value_count_ = 0;
  std::vector<LabelId> labels_;
  std::vector<std::pair<Index, double>> sorted_;  // scratch
};

}  // namespace askfew
