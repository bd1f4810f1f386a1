#include "askfew/streams/formats/svmlight/svmlight_line.h"

#include <cmath>
#include <fmt/core.h>

#include "askfew/streams/formats/common/integer_labels.h"

namespace askfew {
namespace {

tl::unexpected<ParseError> wrong(std::size_t column, std::string why) {
  return tl::make_unexpected(ParseError{.line = 0, .column = column, .why = std::move(why)});
}

tl::expected<double, ParseError> read_value(Cursor& cursor) {
  const std::size_t column = cursor.column();
  const auto value = cursor.number();
  if (!value || !cursor.at_token_end()) {
    return wrong(column, fmt::format("value {} is not a number", cursor.token(column)));
  }
  if (!std::isfinite(*value)) {
    return wrong(column, fmt::format("value {} is not finite", cursor.token(column)));
  }
  return *value;
}

}  // namespace

tl::expected<void, ParseError> pass_over_qid(Cursor& cursor) {
  const std::size_t column = cursor.column();
  cursor.skip(std::string_view("qid:").size());
  if (!cursor.whole_number() || !cursor.at_token_end()) {
    return wrong(column, fmt::format("{} is not qid: and a whole number", cursor.token(column)));
  }
  return {};
}

tl::expected<bool, ParseError> read_svmlight_line(std::string_view line, const SvmlightIndices& indices,
                                                  Examples& block) {
  Cursor cursor(line.substr(0, line.find('#')));
  Cursor ahead = cursor;
  ahead.skip_blanks();
  if (ahead.at_end()) return false;
  if (auto read = read_labels(cursor, block); !read) return tl::make_unexpected(read.error());
  cursor.skip_blanks();
  if (cursor.rest().starts_with("qid:")) {
    if (auto passed = pass_over_qid(cursor); !passed) return tl::make_unexpected(passed.error());
  }
  std::uint64_t least = indices.base;
  for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
    const std::size_t column = cursor.column();
    const auto index = cursor.whole_number();
    if (!index || !cursor.accept(':')) {
      return wrong(column, fmt::format("{} is not index:value", cursor.token(column)));
    }
    const std::uint64_t past = std::uint64_t{indices.base} + indices.limit();
    if (*index < indices.base || *index >= past) {
      return wrong(column, fmt::format("index in {} is out of range, accepted: {} to {}",
                                       cursor.token(column), indices.base, past - 1));
    }
    if (*index < least) {
      return wrong(column, fmt::format("index {} after {}: indices must ascend", *index, least - 1));
    }
    least = *index + 1;
    const auto value = read_value(cursor);
    if (!value) return tl::make_unexpected(value.error());
    if (*value != 0) block.add_feature(static_cast<FeatureView::Index>(*index - indices.base), *value);
  }
  return true;
}

}  // namespace askfew
