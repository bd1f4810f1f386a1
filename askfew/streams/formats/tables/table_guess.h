#pragma once

// Finds out what the columns of a table are from its first rows.

#include <span>
#include <string>
#include <vector>

#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// The fields of a row, as texts.
using TableRecord = std::vector<std::string>;

/// Does the field stand for an unknown value?
inline bool is_missing(std::string_view field) {
  return field.empty() || field == "?";
}

/// label, class, target or y.
bool is_usual_label_name(std::string_view name);

/// The names of columns from a header; numbers replace empty and repeated names.
std::vector<std::string> column_names(const TableRecord& header);
/// The numbers from 1, for a file without a header.
std::vector<std::string> column_numbers(std::size_t count);

/// Is this the header again? The mark of an encoding may be before it. REQUIRES: neither is empty.
bool repeats(const TableRecord& record, const TableRecord& header);
/// Files that were joined have the header of each of them: leaves out the records that repeat the first one,
/// unless all do. REQUIRES: at least one record.
void leave_out_joined_headers(std::vector<TableRecord>& records);

/// Finds the roles of a table's columns from its first records, as far as the options do not give them:
///
/// * The first record is a header if a column has numbers below the first record but not in it, or if one of
///   its fields is a usual name of a label (label, class, target, y), id, text, or a name in the options.
/// * The label is the column with such a name, else the last column.
/// * A column is numeric if all its values are numbers; else text if its name is text, or if the values have
///   more than three words on average; else categorical.
///
/// REQUIRES: at least one record. THROWS: ConfigError if an option names a missing column, or if several
/// columns have the name of the label.
TableSchema guess_schema(std::span<const TableRecord> records, const TableOptions& told);

/// May the table be without the column of labels that an option names, and is it?
bool lacks_label(std::span<const TableColumn> columns, const TableOptions& told);

/// A column of numbers with a few other values is more likely a mistake than a column of categories: its
/// numbers would become names that have no order. REQUIRES: the schema is the guess from these records.
/// THROWS: ConfigError for such a column, unless an option says that it is categorical.
void expect_no_mixed_columns(std::span<const TableRecord> records, const TableSchema& schema,
                             const TableOptions& told);

/// A table without a label has one of its columns taken for it. REQUIRES: the schema is the guess from these
/// records. THROWS: ConfigError if neither an option nor a name says where the labels are, and the guessed
/// column is empty, or has texts or names of which most differ.
void expect_labels_that_repeat(std::span<const TableRecord> records, const TableSchema& schema,
                               const TableOptions& told);

/// Does the first column have the numbers of the rows? Some programs write their index so. REQUIRES:
/// the first record is the header.
bool counts_rows(std::span<const TableRecord> records);

/// A few values of the label column of these records, for messages.
std::vector<std::string> first_labels(std::span<const TableRecord> records, std::size_t column);

}  // namespace askfew
