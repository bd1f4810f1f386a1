#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// What each field of a file becomes: the columns are found in the schema by their names.
///
/// Features are numbered in the order of the schema. A numeric column is one feature. A nominal column with
/// two values is one feature, 0 or 1; a nominal column with more values has one feature per value. The hashed
/// features of categorical values and words follow, if the table has such columns.
class TablePlan {
 public:
  using Index = FeatureView::Index;
  using Values = std::map<std::string, Index, std::less<>>;

  struct Slot {
    ColumnKind kind = ColumnKind::ignored;
    Index first = 0;    ///< first feature of a numeric or nominal column
    TextField field{};  ///< for a text column: its words are separate features
    std::string name{};
    Values values{};  ///< values of a nominal column or label, with their numbers
    /// The number of consecutive numeric columns from this column on, with consecutive features.
    std::size_t numbers = 0;
  };

  TablePlan() = default;
  /// `names` are the columns of the file, in order. THROWS: ConfigError if there are more features than a
  /// learner may have. REQUIRES: no column with features is missing.
  TablePlan(const TableSchema& schema, std::span<const std::string> names, const TextFeatures& texts);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// The number of features; 0 with a growing dictionary.
  [[nodiscard]] Index dimension() const { return dimension_; }
  /// The first hashed feature; 0 with a dictionary.
  [[nodiscard]] Index hashed_from() const { return hashed_from_; }
  /// Does a row consist of one number per feature? Then instances are dense.
  [[nodiscard]] bool is_dense() const { return dense_; }
  /// Do features have names, because they are in a dictionary?
  [[nodiscard]] bool is_named() const { return named_; }

 private:
  static Slot slot_of(const TableColumn& column, Index first);

  /// Data for a model may have ids that the data before it had not.
  void take_usual_id(const TableSchema& schema, std::span<const std::string> names);
  void count_numbers();

  std::vector<Slot> slots_;
  Index hashed_from_ = 0;
  Index dimension_ = 0;
  bool dense_ = true;
  bool named_ = false;
};

/// The name of a column with features that is not among these names, or an empty text.
std::string missing_column(const TableSchema& schema, std::span<const std::string> names);

}  // namespace askfew
