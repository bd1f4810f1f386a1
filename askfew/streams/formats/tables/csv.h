#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_guess.h"
#include "askfew/streams/formats/tables/table_opening.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Tables with one record per line and a delimiter between fields: CSV, TSV and similar formats. Properties
/// that the options do not give are found from the first lines, or known from an earlier file.
class CsvFormat final : public Format {
 public:
  /// Do these bytes begin a table? Lines of svmlight are not a table.
  static bool recognizes(std::string_view first_bytes);
  static bool recognizes_name(std::string_view path);

  /// THROWS: DataError for a malformed header or a missing column, ConfigError.
  CsvFormat(ByteSource& source, const TableOpening& opening, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const override {
    return dialect_.whole_records(bytes, looked_at);
  }
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::optional<std::uint64_t> examples_in(std::string_view records) const override {
    if (records.find('"') != std::string_view::npos) return std::nullopt;  // a record may have several lines
    return lines_with_content(records);
  }
  [[nodiscard]] std::size_t memory_per_byte() const override { return 16 + texts_.memory_per_byte(); }
  [[nodiscard]] std::uint64_t header_lines() const override { return header_lines_; }
  Examples::LabelId label_id(std::string_view name) override { return label_number(name, labels_); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }
  [[nodiscard]] std::vector<std::string> notes() const override;

 private:
  void find_out(ByteSource& source, const TableOptions& told);
  /// Reads everything before the first row, and returns the names of the columns.
  std::vector<std::string> read_names(ByteSource& source);
  void look_at_labels(std::string_view first_bytes);
  /// THROWS: DataError if the header is malformed, or lacks a column.
  [[nodiscard]] std::vector<std::string> names_in_header(std::string_view record, ParseError place) const;
  /// The names of the schema, without the label if the file seems to have no label and that is allowed.
  [[nodiscard]] std::vector<std::string> names_by_place(std::string_view first_record) const;

  /// Counts the memory of a record's columns. THROWS: MemoryError.
  void count_columns(std::string_view record, const CsvDialect& dialect);

  ReadingShare columns_share_;
  TableSchema schema_;
  CsvDialect dialect_;
  TextFeatures texts_;
  Unlabelled unlabelled_;
  MixedLabels labels_;
  std::vector<std::string> some_labels_;
  TablePlan plan_;
  std::string note_;    // empty: none
  std::string header_;  // its bytes, without the line end; empty: no header
  std::uint64_t header_lines_ = 0;
  std::size_t before_rows_ = 0;  // bytes of the header
};

}  // namespace askfew
