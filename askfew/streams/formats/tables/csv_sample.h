#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_guess.h"

namespace askfew {

/// The complete lines at the beginning of a file: the first 1,000 or 64 KiB, but at least two if they are not
/// too long. Waits for a pipe, so that a slow pipe gives the same lines. REQUIRES: nothing was consumed.
std::string_view first_lines(ByteSource& source);

/// The place of the first record that is not an empty line, in the bytes of `peek`.
struct CsvPlace {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< after its line end
};
/// Nothing if there is no record, or the source fails before the record ends. THROWS: DataError if the record
/// is longer than a line may be. REQUIRES: nothing was consumed.
std::optional<CsvPlace> first_record(ByteSource& source, const CsvDialect& dialect);

/// The fields of the first records, at most `most` records; malformed records and empty lines are skipped.
std::vector<TableRecord> split_records(std::string_view bytes, const CsvDialect& dialect, std::size_t most);

/// The number of fields in the first record; 0 if it is malformed.
std::size_t count_fields(std::string_view bytes, const CsvDialect& dialect);

/// The delimiter that cuts nearly all of the first records into the same number of fields, as many fields as
/// possible. 0 if there is none.
char guess_delimiter(std::string_view bytes);

}  // namespace askfew
