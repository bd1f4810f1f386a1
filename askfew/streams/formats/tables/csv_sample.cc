#include "askfew/streams/formats/tables/csv_sample.h"

#include <algorithm>

namespace askfew {
namespace {

constexpr std::size_t usual_lines = 1'000;
constexpr std::size_t usual_bytes = std::size_t{1} << 16;
constexpr std::size_t least_lines = 2;

/// Gives the fields of the record that begins here to `take`; false if it is malformed.
template <class Take>
bool read_record(CsvCursor& cursor, Take&& take) {
  while (true) {
    const auto field = cursor.field();
    if (!field) return false;
    take(*field);
    switch (cursor.next()) {
      case CsvCursor::Next::field:
        break;
      case CsvCursor::Next::record_end:
        return true;
      case CsvCursor::Next::neither:
        return false;
    }
  }
}

/// Calls read(cursor) at the beginning of each record that is no empty line, as long as it returns true.
template <class Read>
void for_each_record(std::string_view bytes, const CsvDialect& dialect, Read&& read) {
  bool goes_on = true;
  while (goes_on && !bytes.empty()) {
    const std::size_t size = dialect.first_record(bytes);
    CsvCursor cursor(dialect, bytes.substr(0, size));
    bytes.remove_prefix(size);
    cursor.skip_blanks();
    if (!cursor.at_record_end()) goes_on = read(cursor);
  }
}

/// How many fields the first records have; malformed ones are left out.
std::vector<std::size_t> field_counts(std::string_view bytes, const CsvDialect& dialect) {
  constexpr std::size_t few = 100;
  std::vector<std::size_t> counts;
  for_each_record(bytes, dialect, [&](CsvCursor& cursor) {
    std::size_t count = 0;
    if (read_record(cursor, [&](std::string_view) { ++count; })) counts.push_back(count);
    return counts.size() < few;
  });
  return counts;
}

}  // namespace

std::string_view first_lines(ByteSource& source) {
  std::string_view bytes = source.peek();
  std::size_t lines = 0;
  std::size_t end = 0;        // behind the last of them
  std::size_t looked_at = 0;  // there is no end of a line between both
  while (true) {
    const bool enough = lines == usual_lines || (end >= usual_bytes && lines >= least_lines);
    if (enough) return bytes.substr(0, end);
    const std::size_t line_end = bytes.find('\n', looked_at);
    looked_at = line_end == std::string_view::npos ? bytes.size() : line_end + 1;
    if (line_end != std::string_view::npos) {
      const bool fits = line_end < usual_bytes || lines < least_lines;
      if (!fits) return bytes.substr(0, end);
      end = line_end + 1;
      ++lines;
    } else if ((bytes.size() >= usual_bytes && lines >= least_lines) ||
               bytes.size() - end > source.limits().max_line) {
      return bytes.substr(0, end);
    } else if (!source.peek_more()) {
      bytes = source.peek();  // which may have moved
      return source.failure().empty() ? bytes : bytes.substr(0, end);
    } else {
      bytes = source.peek();
    }
  }
}

std::optional<CsvPlace> first_record(ByteSource& source, const CsvDialect& dialect) {
  std::string_view bytes = source.peek(byte_order_mark.size());
  CsvPlace place{.begin = bytes.starts_with(byte_order_mark) ? byte_order_mark.size() : 0};
  std::size_t whole = place.begin;  // records are whole up to here
  std::size_t looked_at = 0;        // of what begins there
  bool more = true;
  while (true) {
    // Only what ends within the bytes is sure to be whole.
    if (more && place.begin == whole) {
      const std::size_t found = dialect.whole_records(bytes.substr(whole), looked_at);
      if (found == 0) {
        if (bytes.size() - whole > source.limits().max_line) {
          throw DataError({.line = 1, .column = 1, .why = source.too_long(), .file = source.name()});
        }
        more = source.peek_more();
        if (!more && !source.failure().empty()) return std::nullopt;
        bytes = source.peek();
        continue;
      }
      whole += found;
      looked_at = 0;
    }
    const std::string_view rest = bytes.substr(place.begin);
    if (rest.empty()) return std::nullopt;
    place.end = place.begin + dialect.first_record(rest);
    CsvCursor cursor(dialect, bytes.substr(place.begin, place.end - place.begin));
    cursor.skip_blanks();
    if (!cursor.at_record_end()) return place;
    place.begin = place.end;
  }
}

std::vector<TableRecord> split_records(std::string_view bytes, const CsvDialect& dialect, std::size_t most) {
  std::vector<TableRecord> records;
  if (most == 0) return records;
  for_each_record(bytes, dialect, [&](CsvCursor& cursor) {
    TableRecord record;
    if (read_record(cursor, [&](std::string_view field) { record.emplace_back(field); })) {
      records.push_back(std::move(record));
    }
    return records.size() < most;
  });
  return records;
}

std::size_t count_fields(std::string_view bytes, const CsvDialect& dialect) {
  const std::vector<std::size_t> counts = field_counts(bytes, dialect);
  return counts.empty() ? 0 : counts[0];
}

char guess_delimiter(std::string_view bytes) {
  char best = 0;
  std::size_t most = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const std::vector<std::size_t> fields = field_counts(bytes, CsvDialect(delimiter));
    if (fields.empty() || fields[0] <= most) continue;
    const auto odd = static_cast<std::size_t>(
        std::ranges::count_if(fields, [&](std::size_t count) { return count != fields[0]; }));
    if (odd > fields.size() / 10) continue;
    most = fields[0];
    best = delimiter;
  }
  return best;
}

}  // namespace askfew
