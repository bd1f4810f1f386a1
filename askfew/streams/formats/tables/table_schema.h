#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/streams/formats/tables/table_options.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// What a column is for.
enum class ColumnKind : std::uint8_t {
  ignored,
  label,
  numeric,      ///< its value is a feature
  nominal,      ///< one of values that are known beforehand
  categorical,  ///< each value is a feature, hashed
  text          ///< each word is a feature, hashed
};

std::string_view text_of(ColumnKind kind);
/// Nothing if the text is no kind.
std::optional<ColumnKind> parse_column_kind(std::string_view text);

struct TableColumn {
  std::string name;  ///< its number if the file names none
  ColumnKind kind = ColumnKind::ignored;
  std::vector<std::string>
      values{};  ///< that a nominal column may have; of a label: none if all are accepted

  bool operator==(const TableColumn&) const = default;
};

/// About what a column takes in memory, with all that is made of it to read it.
inline std::size_t memory_of_column(std::string_view name) {
  return 1000 + 8 * name.size();
}

/// What was told and found out about a table, so that others are read in the same way. A model keeps it.
struct TableSchema {
  std::vector<TableColumn> columns;  ///< as the first file has them
  LabelKind labels = LabelKind::binary;
  bool header = true;    ///< of CSV files
  char delimiter = ',';  ///< of CSV files

  bool operator==(const TableSchema&) const = default;

  /// THROWS: ConfigError if there cannot be such a table.
  void check() const;
};

/// The place of a column that is told by its name or, where none has this name, by its number.
/// THROWS: ConfigError with the known names.
std::size_t find_column(std::span<const TableColumn> columns, const std::string& told,
                        std::string_view option);

/// Sets the kinds of columns that are told. THROWS: ConfigError for a column that is not there or told twice.
void set_told_kinds(std::vector<TableColumn>& columns, const TableOptions& told);

/// What the labels are, from some of them: -1, 0 and 1, or 1 and 2, or classes.
LabelKind kind_of_labels(std::span<const std::string> labels);

}  // namespace askfew
