#include "askfew/streams/formats/tables/csv_parser.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/streams/formats/tables/table_guess.h"

namespace askfew {
namespace {

std::uint64_t line_ends(const char* from, const char* past) {
  return static_cast<std::uint64_t>(std::count(from, past, '\n'));
}

/// The column of a position in a record that may have several lines.
std::size_t column_of(const char* record, const char* place) {
  const char* line = place;
  while (line != record && line[-1] != '\n') --line;
  return static_cast<std::size_t>(place - line) + 1;
}

}  // namespace

void CsvParser::parse(const Chunk& chunk, ParsedChunk& out) {
  CsvCursor cursor(dialect_, chunk.bytes);
  const char* const end = chunk.bytes.data() + chunk.bytes.size();
  while (!cursor.at_end()) {
    const char* const record = cursor.at();
    cursor.skip_blanks();
    Wrong wrong;
    if (!cursor.at_record_end()) {  // otherwise the line is empty
      wrong = read_record(cursor);
      if (wrong.why.empty()) {
        row_.end(out, out.lines + 1);
      } else {
        const auto rest = static_cast<std::size_t>(end - record);
        cursor.go_to(record + dialect_.first_record({record, rest}));
      }
    }
    if (wrong.why.empty()) cursor.end_record();
    const std::uint64_t line = out.lines + 1;
    out.lines += line_ends(record, cursor.at()) + (cursor.at()[-1] == '\n' ? 0 : 1);
    if (wrong.why.empty()) continue;
    ParseError error{.line = line + line_ends(record, wrong.at),
                     .column = column_of(record, wrong.at),
                     .why = std::move(wrong.why)};
    if (!out.fail(std::move(error))) return;
  }
}

CsvParser::Wrong CsvParser::read_record(CsvCursor& cursor) {
  const std::size_t columns = plan_.slots().size();
  row_.begin();
  std::size_t count = 0;
  for (auto next = CsvCursor::Next::field; next == CsvCursor::Next::field; next = cursor.next()) {
    if (count < columns) count += read_numbers(cursor, plan_.slots()[count]);
    if (count == columns) return {cursor.at(), fmt::format("a field too many, expected {}", columns)};
    if (Wrong wrong = read_field(cursor, plan_.slots()[count++]); !wrong.why.empty()) return wrong;
  }
  if (!cursor.at_record_end()) {
    return {cursor.at(), "expected a delimiter or the end of the line after a quote"};
  }
  if (count == columns) return {};
  return {cursor.at(), fmt::format("the line ends after {} fields, expected {}", count, columns)};
}

std::size_t CsvParser::read_numbers(CsvCursor& cursor, const TablePlan::Slot& slot) {
  double* const numbers = row_.numbers_from(slot);
  return numbers == nullptr ? 0 : cursor.numbers(numbers, slot.numbers);
}

CsvParser::Wrong CsvParser::read_field(CsvCursor& cursor, const TablePlan::Slot& slot) {
  const char* const from = cursor.at();
  if (double value = 0; slot.kind == ColumnKind::numeric && cursor.number(value)) {
    row_.add_number(slot, value);
    return {};
  }
  const auto field = cursor.field();
  if (!field)
    return {from, fmt::format("a quote that is not closed within {} bytes", CsvDialect::max_quoted)};
  return {from, is_missing(*field) ? row_.add_missing(slot) : row_.add(slot, *field)};
}

}  // namespace askfew
