#include "askfew/streams/formats/tables/arff_parser.h"

#include <fmt/core.h>

namespace askfew {
namespace {

tl::unexpected<ParseError> wrong(std::size_t column, std::string why) {
  return tl::make_unexpected(ParseError{.line = 0, .column = column, .why = std::move(why)});
}

}  // namespace

void ArffParser::parse(const Chunk& chunk, ParsedChunk& out) {
  std::string_view rest = chunk.bytes;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++out.lines;
    Result row = read(line);
    if (row && *row) row_.end(out, out.lines);
    if (row) continue;
    row.error().line = out.lines;
    if (!out.fail(std::move(row.error()))) return;
  }
}

ArffParser::Result ArffParser::read(std::string_view line) {
  ArffCursor cursor(line);
  cursor.skip_blanks();
  if (cursor.at_end()) return false;
  return cursor.accept('{') ? read_sparse(cursor) : read_dense(cursor);
}

ArffParser::Result ArffParser::read_dense(ArffCursor& cursor) {
  row_.begin();
  for (std::size_t count = 0; count < slots_.size(); ++count) {
    if (count > 0) cursor.skip_separator();
    if (cursor.at_end()) {
      return wrong(cursor.column(),
                   fmt::format("the line ends after {} values, expected {}", count, slots_.size()));
    }
    if (auto read = read_value(cursor, slots_[count]); !read) return read;
  }
  return read_end(cursor);
}

ArffParser::Result ArffParser::read_sparse(ArffCursor& cursor) {
  row_.begin_sparse();
  left_out_ = 0;
  std::size_t next = 0;  // attribute
  while (!cursor.accept('}')) {
    const std::size_t column = cursor.column();
    const auto index = cursor.index();
    if (!index) return wrong(column, "expected an attribute's number and its value, or }");
    if (*index >= slots_.size()) {
      return wrong(column,
                   fmt::format("attribute {} is out of range, accepted: 0 to {}", *index, slots_.size() - 1));
    }
    if (*index < next)
      return wrong(column, fmt::format("attribute {} after {}: they must ascend", *index, next - 1));
    if (auto left_out = leave_out(*index, column); !left_out) return left_out;
    if (left_out_ < unwritten_.size() && unwritten_[left_out_].attribute == *index) ++left_out_;
    next = *index + 1;
    cursor.skip_blanks();
    if (auto read = read_value(cursor, slots_[*index]); !read) return read;
    cursor.skip_separator();
  }
  if (auto left_out = leave_out(slots_.size(), cursor.column()); !left_out) return left_out;
  return read_end(cursor);
}

ArffParser::Result ArffParser::leave_out(std::size_t attribute, std::size_t column) {
  for (; left_out_ < unwritten_.size() && unwritten_[left_out_].attribute < attribute; ++left_out_) {
    const Unwritten& of = unwritten_[left_out_];
    const TablePlan::Slot& slot = slots_[of.attribute];
    std::string why = of.value ? row_.add(slot, *of.value) : row_.add_missing(slot);
    if (!why.empty()) return wrong(column, std::move(why));
  }
  return true;
}

ArffParser::Result ArffParser::read_value(ArffCursor& cursor, const TablePlan::Slot& slot) {
  const std::size_t column = cursor.column();
  double number = 0;
  if (slot.kind == ColumnKind::numeric && cursor.number(number)) {
    row_.add_number(slot, number);
    return true;
  }
  const auto value = cursor.value();
  if (!value) return wrong(column, "expected a value, or its quote is not closed; a missing one is ?");
  std::string why = value->is_missing ? row_.add_missing(slot) : row_.add(slot, value->text);
  if (!why.empty()) return wrong(column, std::move(why));
  return true;
}

ArffParser::Result ArffParser::read_end(ArffCursor& cursor) {
  cursor.skip_separator();
  if (cursor.accept('{')) {
    cursor.skip_blanks();
    double weight = 0;
    const std::size_t column = cursor.column();
    if (!cursor.number(weight) || !cursor.accept('}')) return wrong(column, "expected a weight and }");
  }
  cursor.skip_blanks();
  if (!cursor.at_end()) return wrong(cursor.column(), "expected the end of the line");
  return true;
}

}  // namespace askfew
