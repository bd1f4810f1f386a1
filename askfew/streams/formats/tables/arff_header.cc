#include "askfew/streams/formats/tables/arff_header.h"

#include <fmt/core.h>
#include <set>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/common/letters.h"
#include "askfew/streams/formats/tables/arff_cursor.h"
#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {
namespace {

class HeaderReader {
 public:
  HeaderReader(ByteSource& source, ReadingShare& share) : source_(source), share_(share) {}

  ArffHeader read();

 private:
  [[noreturn]] void refuse(std::size_t column, std::string why) const {
    throw DataError({.line = header_.lines, .column = column, .why = std::move(why), .file = source_.name()});
  }
  /// A value, in quotes or not, that is UTF-8.
  std::string text(ArffCursor& cursor, std::string_view what) const;
  void add_attribute(ArffCursor& cursor);
  void read_type(ArffCursor& cursor, ArffAttribute& attribute);
  void read_values(ArffCursor& cursor, ArffAttribute& attribute);
  void count(std::size_t bytes) {
    memory_ += bytes;
    share_.resize(memory_, "the attributes of a table");
  }

  ByteSource& source_;
  ReadingShare& share_;
  std::size_t memory_ = 0;
  ArffHeader header_;
  std::set<std::string> names_;
};

ArffHeader HeaderReader::read() {
  skip_byte_order_mark(source_);
  std::string line;
  while (source_.read_line(line)) {
    ++header_.lines;
    ArffCursor cursor(line);
    cursor.skip_blanks();
    if (cursor.at_end()) continue;
    const std::size_t column = cursor.column();
    const auto value = cursor.value();
    const std::string keyword = value ? in_small_letters(value->text) : "";
    cursor.skip_blanks();
    if (keyword == "@data") {
      if (header_.attributes.empty()) refuse(column, "@data without an @attribute before it");
      return std::move(header_);
    }
    if (keyword == "@attribute") {
      add_attribute(cursor);
    } else if (keyword != "@relation") {
      refuse(column, "expected @relation, @attribute or @data");
    }
  }
  ++header_.lines;
  refuse(1, source_.failure().empty() ? "the file ends before @data" : source_.failure());
}

std::string HeaderReader::text(ArffCursor& cursor, std::string_view what) const {
  const std::size_t column = cursor.column();
  const auto value = cursor.value();
  if (!value) refuse(column, fmt::format("expected {}, or its quote is not closed", what));
  if (!is_utf8(value->text)) refuse(column, fmt::format("{} {} is not UTF-8", what, in_quotes(value->text)));
  return std::string(value->text);
}

void HeaderReader::add_attribute(ArffCursor& cursor) {
  const std::size_t column = cursor.column();
  ArffAttribute attribute{.name = text(cursor, "the attribute's name")};
  if (!names_.insert(attribute.name).second) {
    refuse(column, fmt::format("a second attribute {}", in_quotes(attribute.name)));
  }
  count(memory_of_column(attribute.name));
  cursor.skip_blanks();
  read_type(cursor, attribute);
  header_.attributes.push_back(std::move(attribute));
}

void HeaderReader::read_type(ArffCursor& cursor, ArffAttribute& attribute) {
  const std::size_t column = cursor.column();
  if (cursor.accept('{')) {
    attribute.type = ArffAttribute::Type::nominal;
    read_values(cursor, attribute);
    return;
  }
  const auto value = cursor.value();
  const std::string type = value ? in_small_letters(value->text) : "";
  if (type == "string") {
    attribute.type = ArffAttribute::Type::string;
  } else if (type == "date") {
    attribute.type = ArffAttribute::Type::date;
  } else if (type != "numeric" && type != "real" && type != "integer") {
    refuse(column,
           fmt::format("type {} is not numeric, real, integer, string, date or {{...}}", in_quotes(type)));
  }
}

void HeaderReader::read_values(ArffCursor& cursor, ArffAttribute& attribute) {
  std::set<std::string> seen;
  cursor.skip_blanks();
  while (!cursor.accept('}')) {
    const std::size_t column = cursor.column();
    attribute.values.push_back(text(cursor, "a value or }"));
    count(memory_of_column(attribute.values.back()) / 2);
    if (!seen.insert(attribute.values.back()).second) {
      refuse(column, fmt::format("the value {} occurs twice", in_quotes(attribute.values.back())));
    }
    cursor.skip_separator();
  }
}

}  // namespace

ArffHeader read_arff_header(ByteSource& source, ReadingShare& share) {
  return HeaderReader(source, share).read();
}

}  // namespace askfew
