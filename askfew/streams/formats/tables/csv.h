#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_guess.h"
#include "askfew/streams/formats/tables/table_opening.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Tables of one record a line, their fields parted by a delimiter: CSV, TSV and the like. What is not told
/// of them is found out from their first lines, or known from a file that was read before.
class CsvFormat final : public Format {
 public:
  /// Do these bytes begin a table? Lines of svmlight do not.
  static bool recognizes(std::string_view first_bytes);
  static bool recognizes_name(std::string_view path);

  /// THROWS: DataError for a malformed header or a missing column, ConfigError.
  CsvFormat(ByteSource& source, const TableOpening& opening, std::shared_ptr<LabelNames> names);

  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const override {
    return dialect_.whole_records(bytes, looked_at);
  }
  [[nodiscard]] std::unique_ptr<Parser> parser() const override;
  [[nodiscard]] std::uint64_t header_lines() const override { return header_lines_; }
  Examples::LabelId label_id(std::string_view name) override { return label_number(name, labels_); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return labels_.name(id); }
  [[nodiscard]] LabelKind label_kind() const override { return schema_.labels; }
  [[nodiscard]] std::vector<std::string> some_labels() const override { return some_labels_; }
  [[nodiscard]] FeatureView::Index dimension() const override { return plan_.dimension(); }
  [[nodiscard]] const TableSchema* table() const override {
    return schema_.columns.empty() ? nullptr : &schema_;
  }

 private:
  void find_out(ByteSource& source, const TableOptions& told);
  /// Reads what comes before the first row, and returns the names of the columns.
  std::vector<std::string> read_names(ByteSource& source);
  void look_at_labels(std::string_view first_bytes);
  /// THROWS: DataError if the header is malformed, or a column is missing in it.
  [[nodiscard]] std::vector<std::string> names_in_header(std::string_view record, ParseError place) const;
  /// Those of the schema, without the label if there seems to be none and that is allowed.
  [[nodiscard]] std::vector<std::string> names_by_place(std::string_view first_record) const;

  /// Counts the columns that a record will make. THROWS: MemoryError.
  void count_columns(std::string_view record, const CsvDialect& dialect);

  ReadingShare columns_share_;
  TableSchema schema_;
  CsvDialect dialect_;
  TextFeatures texts_;
  bool needs_labels_;
  MixedLabels labels_;
  std::vector<std::string> some_labels_;
  TablePlan plan_;
  std::uint64_t header_lines_ = 0;
  std::size_t before_rows_ = 0;  // bytes of the header
};

}  // namespace askfew
