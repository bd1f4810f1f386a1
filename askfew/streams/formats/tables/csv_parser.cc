#include "askfew/streams/formats/tables/csv_parser.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>

#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/tables/table_guess.h"

namespace askfew {
namespace {

/// There are few: most records have one.
std::uint64_t line_ends(const char* from, const char* past) {
  std::uint64_t count = 0;
  while ((from = static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(past - from))))) {
    ++count;
    ++from;
  }
  return count;
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
  marked_ = nullptr;
  while (!cursor.at_end()) {
    const char* const record = cursor.at();
    const char* const line_end =
        plan_.is_dense() ? find_marks({record, static_cast<std::size_t>(end - record)}) : nullptr;
    cursor.skip_blanks();
    Wrong wrong;
    if (!cursor.at_record_end()) {  // otherwise the line is empty
      wrong = is_header({record, static_cast<std::size_t>(end - record)})
                  ? Wrong{record, "the header again, as in files that were joined: leave it out here"}
                  : read_record(cursor);
      if (wrong.why.empty()) {
        row_.end(out, out.lines + 1);
      } else {
        const auto rest = static_cast<std::size_t>(end - record);
        cursor.go_to(record + dialect_.first_record({record, rest}));
      }
    }
    if (wrong.why.empty()) cursor.end_record();
    const std::uint64_t line = out.lines + 1;
    const bool is_one_line = cursor.at() - 1 == line_end;
    out.lines += is_one_line ? 1 : line_ends(record, cursor.at()) + (cursor.at()[-1] == '\n' ? 0 : 1);
    if (wrong.why.empty()) continue;
    ParseError error{.line = line + line_ends(record, wrong.at),
                     .column = column_of(record, wrong.at),
                     .why = std::move(wrong.why)};
    if (!out.fail(std::move(error))) return;
  }
}

bool CsvParser::is_header(std::string_view rest) const {
  rest = without_mark(rest);
  if (header_.empty() || !rest.starts_with(header_)) return false;
  return rest.size() == header_.size() || rest[header_.size()] == '\r' || rest[header_.size()] == '\n';
}

CsvParser::Wrong CsvParser::read_record(CsvCursor& cursor) {
  const std::size_t columns = plan_.slots().size();
  row_.begin();
  std::size_t count = 0;
  for (auto next = CsvCursor::Next::field; next == CsvCursor::Next::field; next = cursor.next()) {
    if (count == columns) return {cursor.at(), fmt::format("a field too many, expected {}", columns)};
    const TablePlan::Slot& slot = plan_.slots()[count];
    if (const std::size_t numbers = read_numbers(cursor, slot); numbers > 0) {
      count += numbers;
      continue;
    }
    if (Wrong wrong = read_field(cursor, slot); !wrong.why.empty()) return wrong;
    ++count;
  }
  if (!cursor.at_record_end()) {
    return {cursor.at(), "expected a delimiter or the end of the line after a quote"};
  }
  if (count == columns) return {};
  return {cursor.at(), fmt::format("the line ends after {} fields, expected {}", count, columns)};
}

const char* CsvParser::find_marks(std::string_view rest) {
  const auto line_end = [&] { return marked_ + marks_.marks()[marks_.lines()[line_]]; };
  if (marked_ != nullptr) {
    while (line_ < marks_.line_count() && line_end() < rest.data()) ++line_;
    if (line_ < marks_.line_count()) return line_end();
  }
  marks_.find(rest, dialect_.delimiter());
  marked_ = rest.data();
  mark_ = 0;
  line_ = 0;
  return marks_.line_count() > 0 ? line_end() : nullptr;
}

std::size_t CsvParser::read_numbers(CsvCursor& cursor, const TablePlan::Slot& slot) {
  double* const numbers = row_.numbers_from(slot);
  if (numbers == nullptr || slot.numbers == 0) return 0;
  const auto begin = static_cast<std::size_t>(cursor.at() - marked_);
  const Position* const marks = marks_.marks();
  while (mark_ < marks_.count() && marks[mark_] < begin) ++mark_;
  while (line_ < marks_.line_count() && marks[marks_.lines()[line_]] < begin) ++line_;
  if (mark_ == 0 || marks[mark_ - 1] + 1 != begin) return 0;
  std::size_t past = marks_.count();
  if (line_ < marks_.line_count()) {
    past = marks_.lines()[line_];
    if (marked_[marks[past] - 1] != '\r') ++past;  // the last field ends with the line
  }
  const std::size_t count = read_values(marked_, marks + mark_ - 1, marks + mark_,
                                        std::min(slot.numbers, past - mark_), numbers_.data());
  if (count == 0) return 0;
  std::copy_n(numbers_.data(), count, numbers);
  mark_ += count;
  cursor.go_to(marked_ + marks[mark_ - 1]);
  return count;
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
