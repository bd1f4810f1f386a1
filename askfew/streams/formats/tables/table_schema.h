#pragma once

// What each column of a table is for; a model stores it.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/streams/formats/tables/table_options.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The role of a column.
enum class ColumnKind : std::uint8_t {
  ignored,
  label,
  id,           ///< the name of the example
  time,         ///< when the example happened
  numeric,      ///< its value is a feature
  nominal,      ///< one of several known values
  categorical,  ///< each value is a feature, hashed
  text          ///< each word is a feature, hashed
};

std::string_view text_of(ColumnKind kind);
/// Nothing if the text is not a kind.
std::optional<ColumnKind> parse_column_kind(std::string_view text);

struct TableColumn {
  std::string name;  ///< the column's number if the file has no name for it
  ColumnKind kind = ColumnKind::ignored;
  std::vector<std::string>
      values{};  ///< allowed values of a nominal column; for a label: empty if all values are accepted

  bool operator==(const TableColumn&) const = default;
};

/// The approximate memory of a column, including everything needed to read it.
inline std::size_t memory_of_column(std::string_view name) {
  return 1000 + 8 * name.size();
}

/// The properties of a table, from options or guesses, so that other tables are read in the same way. Stored
/// in a model.
struct TableSchema {
  std::vector<TableColumn> columns;  ///< as in the first file
  LabelKind labels = LabelKind::binary;
  bool header = true;    ///< for CSV files
  char delimiter = ',';  ///< for CSV files

  bool operator==(const TableSchema&) const = default;

  /// THROWS: ConfigError if such a table is impossible.
  void check() const;
};

/// The index of a column, given by its name or, if no column has this name, by its number. THROWS:
/// ConfigError with the known names.
std::size_t find_column(std::span<const TableColumn> columns, const std::string& told,
                        std::string_view option);

/// id, in any letters.
bool is_usual_id_name(std::string_view name);
/// A column with the name id, in any letters, is the id and not a feature, unless it is the label.
void find_id(std::vector<TableColumn>& columns);

/// Sets the kinds of columns from the options. THROWS: ConfigError for a column that is missing or given
/// twice.
void set_told_kinds(std::vector<TableColumn>& columns, const TableOptions& told);

/// The kind of labels, from a sample: -1, 0 and 1, or 1 and 2, or classes.
LabelKind kind_of_labels(std::span<const std::string> labels);

}  // namespace askfew
