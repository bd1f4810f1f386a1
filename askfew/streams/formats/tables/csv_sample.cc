#include "askfew/streams/formats/tables/csv_sample.h"

#include <algorithm>

namespace askfew {
namespace {

constexpr std::size_t usual_lines = 1'000;
constexpr std::size_t usual_bytes = std::size_t{1} << 16;
constexpr std::size_t least_lines = 2;
constexpr std::size_t max_bytes = std::size_t{1} << 26;

/// Reads more; false if there is none.
bool peek_more(ByteSource& source, std::string_view& bytes) {
  const std::size_t before = bytes.size();
  bytes = source.peek(before + 1);
  return bytes.size() > before;
}

/// The fields of the record that begins here, or nothing if it is malformed.
std::optional<TableRecord> split_record(CsvCursor& cursor) {
  TableRecord record;
  while (true) {
    const auto field = cursor.field();
    if (!field) return std::nullopt;
    record.emplace_back(*field);
    switch (cursor.next()) {
      case CsvCursor::Next::field:
        break;
      case CsvCursor::Next::record_end:
        return record;
      case CsvCursor::Next::neither:
        return std::nullopt;
    }
  }
}

}  // namespace

std::string_view first_lines(ByteSource& source) {
  std::string_view bytes = source.peek();
  std::size_t lines = 0;
  std::size_t end = 0;  // behind the last of them
  while (true) {
    const bool enough = lines == usual_lines || (end >= usual_bytes && lines >= least_lines);
    if (enough || end >= max_bytes) return bytes.substr(0, end);
    const std::size_t line_end = bytes.find('\n', end);
    if (line_end != std::string_view::npos) {
      const bool fits = line_end < usual_bytes || lines < least_lines;
      if (!fits) return bytes.substr(0, end);
      end = line_end + 1;
      ++lines;
    } else if ((bytes.size() >= usual_bytes && lines >= least_lines) || bytes.size() >= max_bytes) {
      return bytes.substr(0, end);
    } else if (!peek_more(source, bytes)) {
      return source.failure().empty() ? bytes : bytes.substr(0, end);
    }
  }
}

std::optional<CsvPlace> first_record(ByteSource& source, const CsvDialect& dialect) {
  std::string_view bytes = source.peek(byte_order_mark.size());
  CsvPlace place{.begin = bytes.starts_with(byte_order_mark) ? byte_order_mark.size() : 0};
  bool more = true;
  while (true) {
    // Only what ends within the bytes is sure to be whole.
    const std::string_view rest = bytes.substr(place.begin);
    if (more && dialect.whole_records(rest) == 0) {
      if (bytes.size() >= max_bytes) {
        throw DataError(
            {.line = 1, .column = 1, .why = "the first record is too long", .file = source.name()});
      }
      more = peek_more(source, bytes);
      if (!more && !source.failure().empty()) return std::nullopt;
      continue;
    }
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
  while (!bytes.empty() && records.size() < most) {
    const std::size_t size = dialect.first_record(bytes);
    CsvCursor cursor(dialect, bytes.substr(0, size));
    bytes.remove_prefix(size);
    cursor.skip_blanks();
    if (cursor.at_record_end()) continue;
    if (auto record = split_record(cursor)) records.push_back(std::move(*record));
  }
  return records;
}

char guess_delimiter(std::string_view bytes) {
  constexpr std::size_t few = 100;
  char best = 0;
  std::size_t most = 1;
  for (const char delimiter : {',', ';', '\t', '|'}) {
    const std::vector<TableRecord> records = split_records(bytes, CsvDialect(delimiter), few);
    if (records.empty() || records[0].size() <= most) continue;
    const auto odd = static_cast<std::size_t>(std::ranges::count_if(
        records, [&](const TableRecord& record) { return record.size() != records[0].size(); }));
    if (odd > records.size() / 10) continue;
    most = records[0].size();
    best = delimiter;
  }
  return best;
}

}  // namespace askfew
