#include "askfew/streams/formats/common/integer_labels.h"

#include <fmt/core.h>

namespace askfew {

Examples::LabelId integer_label(std::string_view name) {
  Cursor cursor(name);
  const auto id = cursor.label();
  if (!id || !cursor.at_end()) {
    throw ConfigError(fmt::format(
        "label {} is not an integer, and this format has no other labels (see `format`)", in_quotes(name)));
  }
  return *id;
}

tl::expected<void, ParseError> read_labels(Cursor& cursor, Examples& block) {
  if (cursor.at_token_end()) return {};
  do {
    const std::size_t column = cursor.column();
    const auto label = cursor.label();
    if (!label) {
      return tl::make_unexpected(ParseError{
          .column = column,
          .why = fmt::format("label {} is not an integer such as -1, +1 or 3,17", cursor.token(column))});
    }
    block.add_label(*label);
  } while (cursor.accept(','));
  return {};
}

void LabelKindGuess::see(std::string_view labels) {
  if (labels.empty()) return;
  any_list_ |= labels.find(',') != std::string_view::npos;
  const auto id = Cursor(labels).label();
  if (id) see(*id);  // else an error, which the parser will report
}

void LabelKindGuess::see(Examples::LabelId label) {
  any_two_ |= label == 2;
  any_but_one_and_two_ |= label != 1 && label != 2;
  any_beyond_two_ |= label < -1 || label > 2;
}

LabelKind LabelKindGuess::kind() const {
  if (any_list_) return LabelKind::topics;
  if (any_two_ && !any_but_one_and_two_) return LabelKind::one_two;
  return any_two_ || any_beyond_two_ ? LabelKind::classes : LabelKind::binary;
}

}  // namespace askfew
