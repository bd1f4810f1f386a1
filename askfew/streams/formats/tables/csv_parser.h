#pragma once

#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Turns records of a CSV file into examples.
class CsvParser final : public Parser {
 public:
  /// REQUIRES: the plan, the text features and the labels outlive this object.
  CsvParser(const CsvDialect& dialect, const TablePlan& plan, const TextFeatures& texts,
            const MixedLabels& labels, const TableRow::Options& options)
      : dialect_(dialect), plan_(plan), row_(plan, texts, labels, options) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  struct Wrong {
    const char* at = nullptr;
    std::string why;  // empty: no error
  };

  Wrong read_record(CsvCursor& cursor);
  /// Reads the numbers from this column on with the fast path; returns their count.
  std::size_t read_numbers(CsvCursor& cursor, const TablePlan::Slot& slot);
  Wrong read_field(CsvCursor& cursor, const TablePlan::Slot& slot);

  CsvDialect dialect_;
  const TablePlan& plan_;
  TableRow row_;
};

}  // namespace askfew
