#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/word_table.h"

namespace askfew {

/// A block of consecutive examples, owned. A stream fills a block and a run consumes it. A block that is
/// cleared and filled again stops allocating once it has reached its full size.
class Examples {
 public:
  using Index = FeatureView::Index;
  using LabelId = std::int32_t;

  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] FeatureView x(std::size_t row) const {
    const Row& r = rows_[row];
    const std::span<const double> values(values_.data() + r.values, r.size);
    if (r.dense) return FeatureView::unchecked_dense(values, r.squared_norm);
    return FeatureView::unchecked_sparse(std::span<const Index>(indices_.data() + r.indices, r.size), values,
                                         r.squared_norm, r.extent);
  }
  /// The labels of an example, with the stream's label numbers: none, one or several.
  [[nodiscard]] std::span<const LabelId> labels(std::size_t row) const {
    return {labels_.data() + rows_[row].labels, rows_[row].label_count};
  }
  /// The line in the file where the example begins, 0 if the format has none.
  [[nodiscard]] std::uint64_t line(std::size_t row) const {
    return rows_[row].line == 0 ? 0 : lines_before_ + rows_[row].line;
  }
  /// When the example happened, in seconds since 1970; `no_time` if the format does not say.
  [[nodiscard]] std::int64_t time(std::size_t row) const { return rows_[row].time; }
  /// The name of the example in its data, which is not a feature; empty: it has none.
  [[nodiscard]] std::string_view id(std::size_t row) const {
    if (row >= id_ends_.size()) return {};
    const std::size_t begin = row == 0 ? 0 : id_ends_[row - 1];
    return std::string_view(ids_).substr(begin, id_ends_[row] - begin);
  }

  /// The number of lines before the block in its file; the lines given to `begin` count from here.
  void set_lines_before(std::uint64_t lines) { lines_before_ = lines; }

  /// The words of the block, for a dictionary. Until a FeatureState has settled an example, its features are
  /// word numbers of this table.
  [[nodiscard]] WordTable& words() { return words_; }
  [[nodiscard]] const WordTable& words() const { return words_; }
  /// The words' numbers in the dictionary, as far as they were looked up.
  [[nodiscard]] std::vector<Index>& dictionary_numbers() { return dictionary_numbers_; }

  /// The constant feature 0 of every example added from now on; all other features move up by one. 0: no
  /// constant.
  void set_bias(double value) { bias_ = value; }
  [[nodiscard]] double bias() const { return bias_; }
  [[nodiscard]] bool has_bias() const { return bias_ != 0; }
  /// By how much the other features move up.
  [[nodiscard]] Index shift() const { return has_bias() ? 1 : 0; }

  /// Memory in use, in bytes.
  [[nodiscard]] std::size_t memory() const {
    return words_.memory() + dictionary_numbers_.capacity() * sizeof(Index) + rows_.capacity() * sizeof(Row) +
           indices_.capacity() * sizeof(Index) + values_.capacity() * sizeof(double) +
           labels_.capacity() * sizeof(LabelId) + sorted_.capacity() * sizeof(sorted_[0]) + ids_.capacity() +
           id_ends_.capacity() * sizeof(id_ends_[0]);
  }

  void clear() {
    lines_before_ = 0;
    words_.clear();
    dictionary_numbers_.clear();
    rows_.clear();
    index_count_ = 0;
    value_count_ = 0;
    labels_.clear();
    ids_.clear();
    id_ends_.clear();
  }

  // An example is added piece by piece: begin, labels and features in any order, then end.
  void begin(std::uint64_t line) {
    open_ = {.indices = index_count_, .values = value_count_, .labels = labels_.size(), .line = line};
    open_words_ = words_.size();
    if (has_bias()) add_at(0, bias_);
  }
  void add_label(LabelId label) { labels_.push_back(label); }
  void set_time(std::int64_t seconds) { open_.time = seconds; }
  /// Call at most once for an example.
  void set_id(std::string_view id) {
    id_ends_.resize(rows_.size(), ids_.size());  // the examples before it may have none
    ids_ += id;
    id_ends_.push_back(ids_.size());
  }
  /// REQUIRES: indices ascend, or `sort_features` comes before the end.
  void add_feature(Index index, double value) { add_at(index + shift(), value); }
  void add_dense(double value) {
    grow(values_, value_count_ + 1);
    values_[value_count_++] = value;
  }
  void add_dense(std::span<const double> values) {
    grow(values_, value_count_ + values.size());
    std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>(value_count_));
    value_count_ += values.size();
  }
  /// Sorts the features so far; values with the same index are added up.
  void sort_features();
  void end_sparse() { end(false, squares_of_open()); }
  /// REQUIRES: squared_norm is FeatureView::sum_of_squares of the values.
  void end_sparse(double squared_norm) { end(false, squared_norm); }
  void end_dense() { end(true, squares_of_open()); }
  /// Takes back what was added since `begin`.
  void abandon() {
    index_count_ = open_.indices;
    value_count_ = open_.values;
    labels_.resize(open_.labels);
    words_.forget_from(static_cast<WordTable::Number>(open_words_));
    if (id_ends_.size() <= rows_.size()) return;
    id_ends_.pop_back();
    ids_.resize(id_ends_.empty() ? 0 : id_ends_.back());
  }

  /// The place for the next features of a sparse example, for code that writes many features at once.
  /// REQUIRES: written indices include `shift`.
  struct Room {
    Index* indices;
    double* values;
  };
  Room room_for(std::size_t features) {
    grow(indices_, index_count_ + features);
    grow(values_, value_count_ + features);
    return {indices_.data() + index_count_, values_.data() + value_count_};
  }
  /// The first `features` entries of the room were written. REQUIRES: indices ascend; no more features than
  /// the room holds.
  void added(std::size_t features) {
    index_count_ += features;
    value_count_ += features;
  }

  /// Many examples at once: the caller writes features and labels here, one example after the other, and then
  /// adds each example by its shape. The memory is not initialised. REQUIRES: there is no bias.
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
  /// Adds the next example of a bulk. REQUIRES: the bulk contains the example's features and labels.
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

  /// Adds a copy of an example of another block. Words are added in alphabetical order, so that the result
  /// does not depend on the rest of that block.
  void append(const Examples& from, std::size_t row);

  /// The features of an example, to be changed in place. Afterwards, call `changed` with the number of
  /// remaining features.
  struct Features {
    std::span<Index> indices;  ///< empty for a dense example
    std::span<double> values;
  };
  [[nodiscard]] Features features(std::size_t row);
  void changed(std::size_t row, std::size_t size);

  /// Scales an example to norm 1; a zero vector stays zero. With a bias, the other features are scaled to
  /// norm 1 first, so that the constant weighs the same in every example.
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
    Index extent = 0;  // kept here because reading the last index would load it into the cache too early
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
  // Vectors never shrink: only the first entries are in use.
  std::vector<Index> indices_;
  std::vector<double> values_;
  std::size_t index_count_ = 0;
  std::size_t value_count_ = 0;
  std::vector<LabelId> labels_;
  std::string ids_;                               // one after the other
  std::vector<std::size_t> id_ends_;              // by row, up to the last example with an id
  std::vector<std::pair<Index, double>> sorted_;  // scratch
};

}  // namespace askfew
