#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/formats/tables/table_guess.h"

namespace askfew {

/// The whole lines that a file begins with: the first 1,000 or 64 KiB, but at least two if they are no longer
/// than a line may be. A pipe is waited for, so that they are the same however slowly they come.
/// REQUIRES: nothing was consumed.
std::string_view first_lines(ByteSource& source);

/// Where the first record of a file is that is no empty line, in what `peek` gives.
struct CsvPlace {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind the end of its line
};
/// Nothing if there is none, or the source fails before its end. THROWS: DataError if it is longer than a
/// line may be. REQUIRES: nothing was consumed.
std::optional<CsvPlace> first_record(ByteSource& source, const CsvDialect& dialect);

/// The fields of records, up to `most` of them; malformed ones and empty lines are left out.
std::vector<TableRecord> split_records(std::string_view bytes, const CsvDialect& dialect, std::size_t most);

/// Of the first record; 0 if it is malformed.
std::size_t count_fields(std::string_view bytes, const CsvDialect& dialect);

/// The delimiter that parts the first records, but for a few, into the same number of fields, as many as
/// possible. 0 if there is none.
char guess_delimiter(std::string_view bytes);

}  // namespace askfew
