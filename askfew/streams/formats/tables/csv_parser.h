#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/pairs.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Turns records of a CSV file into examples.
class CsvParser final : public Parser {
 public:
  /// `header`: its bytes, empty if there is none; a record that repeats it is malformed. REQUIRES: the plan,
  /// the text features and the labels outlive this object.
  CsvParser(const CsvDialect& dialect, std::string header, const TablePlan& plan, const TextFeatures& texts,
            const MixedLabels& labels, const TableRow::Options& options)
      : dialect_(dialect),
        header_(std::move(header)),
        plan_(plan),
        row_(plan, texts, labels, options),
        numbers_(plan.is_dense() ? plan.slots().size() + pair_slack : 0) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  struct Wrong {
    const char* at = nullptr;
    std::string why;  // empty: no error
  };

  /// Finds the marks of the next records, if those of this record are not known. `rest`: from the beginning
  /// of this record to the end of the chunk. Returns the next end of a line, null if it is far away.
  const char* find_marks(std::string_view rest);
  /// `rest`: from the beginning of a record on.
  [[nodiscard]] bool is_header(std::string_view rest) const;
  Wrong read_record(CsvCursor& cursor);
  /// A fast path: reads fields from this column on several at a time, while they are numbers without quotes
  /// and blanks. Returns their count.
  std::size_t read_numbers(CsvCursor& cursor, const TablePlan::Slot& slot);
  Wrong read_field(CsvCursor& cursor, const TablePlan::Slot& slot);

  CsvDialect dialect_;
  std::string header_;
  const TablePlan& plan_;
  TableRow row_;
  FieldMarks marks_;
  const char* marked_ = nullptr;  // the text of the marks; null: no marks
  std::size_t mark_ = 0;          // no mark before this one is at or after the cursor
  std::size_t line_ = 0;          // the same for ends of lines
  std::vector<double> numbers_;   // scratch
};

}  // namespace askfew
