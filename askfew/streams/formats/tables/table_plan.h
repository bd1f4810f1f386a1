#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// What the fields of a file become, place by place: its columns are found in the schema by their names.
///
/// Features are numbered in the order of the schema: a numeric column is one, and so is a nominal one of two
/// values, which is 0 or 1; a nominal one of more values has a feature for each. Behind them come those that
/// categorical values and words are hashed to, if the table has such columns.
class TablePlan {
 public:
  using Index = FeatureView::Index;
  using Values = std::map<std::string, Index, std::less<>>;

  struct Slot {
    ColumnKind kind = ColumnKind::ignored;
    Index first = 0;    ///< feature of a numeric or nominal column
    TextField field{};  ///< of a text column: its words are features of their own
    std::string name{};
    Values values{};  ///< of a nominal column or label, with their numbers
    /// So many columns from this one on are numeric, with features in a row.
    std::size_t numbers = 0;
  };

  TablePlan() = default;
  /// `names` are the columns of the file, in its order. THROWS: ConfigError if there are more features than a
  /// learner may have. REQUIRES: no column that makes features is missing.
  TablePlan(const TableSchema& schema, std::span<const std::string> names, const TextFeatures& texts);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// The number of features, or 0 with a dictionary that grows.
  [[nodiscard]] Index dimension() const { return dimension_; }
  /// The first hashed feature; 0 with a dictionary.
  [[nodiscard]] Index hashed_from() const { return hashed_from_; }
  /// Is a number for each feature all that a row has? Then instances are dense.
  [[nodiscard]] bool is_dense() const { return dense_; }
  /// Are features told by their names, because they are in a dictionary?
  [[nodiscard]] bool is_named() const { return named_; }

 private:
  static Slot slot_of(const TableColumn& column, Index first);

  void count_numbers();

  std::vector<Slot> slots_;
  Index hashed_from_ = 0;
  Index dimension_ = 0;
  bool dense_ = true;
  bool named_ = false;
};

/// The name of a column that makes features and is not among these names, or an empty text.
std::string missing_column(const TableSchema& schema, std::span<const std::string> names);

}  // namespace askfew
