#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// The fields of a row, as texts.
using TableRecord = std::vector<std::string>;

/// Is it written for a value that is not known?
inline bool is_missing(std::string_view field) {
  return field.empty() || field == "?";
}

/// label, class, target or y.
bool is_usual_label_name(std::string_view name);

/// The names of columns: those of a header, with numbers in the place of empty and repeated ones.
std::vector<std::string> column_names(const TableRecord& header);
/// The numbers from 1, for a file without a header.
std::vector<std::string> column_numbers(std::size_t count);

/// Finds out what the columns of a table are for, as far as it is not told, from its first records:
///
/// * The first is a header if a column has numbers below it but not in it, or if one of its fields is a usual
///   name of a label (label, class, target, y) or a name that was told.
/// * The label is the column with such a name, else the last.
/// * A column is numeric if all its values are numbers; else text if they have more than three words on
///   average; else categorical.
///
/// REQUIRES: at least one record. THROWS: ConfigError for a column that is told but not there.
TableSchema guess_schema(std::span<const TableRecord> records, const TableOptions& told);

/// What the label column of these records holds, a few of them, for messages.
std::vector<std::string> first_labels(std::span<const TableRecord> records, std::size_t column);

}  // namespace askfew
