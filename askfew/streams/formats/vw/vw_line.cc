#include "askfew/streams/formats/vw/vw_line.h"

#include <cmath>
#include <fmt/core.h>

#include "askfew/streams/formats/common/integer_labels.h"

namespace askfew {
namespace {

tl::unexpected<ParseError> wrong(std::size_t column, std::string why) {
  return tl::make_unexpected(ParseError{.line = 0, .column = column, .why = std::move(why)});
}

bool is_word_end(char c) {
  return is_blank(c) || c == '|';
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t|"));
}

std::string_view without_tag(std::string_view head) {
  std::size_t end = head.size();
  while (end > 0 && is_blank(head[end - 1])) --end;
  const std::size_t begin = head.substr(0, end).find_last_of(" \t") + 1;  // beginning of the last word
  const bool is_tag = begin < end && (end == head.size() || head[begin] == '\'');
  return head.substr(0, is_tag ? begin : end);
}

/// `:number` up to the end of the word; 1 if there is none.
tl::expected<double, ParseError> read_weight(Cursor& cursor, std::string_view what) {
  if (!cursor.accept(':')) return 1;
  const std::size_t column = cursor.column();
  const std::string word = in_quotes(first_word(cursor.rest()));
  const auto value = cursor.number();
  if (!value || !(cursor.at_end() || is_word_end(cursor.rest().front()))) {
    return wrong(column, fmt::format("{} {} is not a number", what, word));
  }
  if (!std::isfinite(*value)) return wrong(column, fmt::format("{} {} is not finite", what, word));
  return *value;
}

/// The name before a colon or the end of the word.
std::string_view read_name(Cursor& cursor) {
  const std::string_view rest = cursor.rest();
  const std::string_view name = rest.substr(0, rest.find_first_of(" \t|:"));
  cursor.skip(name.size());
  return name;
}

/// Reads a namespace after its bar.
tl::expected<void, ParseError> read_namespace(Cursor& cursor, const VwHash& hash, FeatureSums& sums) {
  const std::size_t begin = cursor.column();
  const std::string_view name = read_name(cursor);
  if (name.empty() && cursor.rest().starts_with(':')) {
    return wrong(begin, "a weight without a namespace, expected |namespace:weight");
  }
  const auto weight = read_weight(cursor, "weight");
  if (!weight) return tl::make_unexpected(weight.error());
  const std::uint64_t seed = VwHash::seed_of(name);
  while (true) {
    cursor.skip_blanks();
    if (cursor.at_end() || cursor.rest().front() == '|') return {};
    const std::size_t column = cursor.column();
    const std::string_view feature = read_name(cursor);
    if (feature.empty()) return wrong(column, "a value without a feature, expected feature:value");
    const auto value = read_weight(cursor, "value");
    if (!value) return tl::make_unexpected(value.error());
    const double product = *weight * *value;
    if (!std::isfinite(product)) {
      return wrong(column, fmt::format("value {} by weight {} is not finite", *value, *weight));
    }
    sums.add(hash.index_of(feature, seed), product);
  }
}

}  // namespace

tl::expected<double, ParseError> read_vw_head(std::string_view head, Examples& block) {
  Cursor cursor(without_tag(head));
  cursor.skip_blanks();
  if (cursor.at_end()) return 1;
  if (auto read = read_labels(cursor, block); !read) return tl::make_unexpected(read.error());
  cursor.skip_blanks();
  if (cursor.at_end()) return 1;
  const std::size_t column = cursor.column();
  const auto importance = cursor.number();
  if (!importance || !cursor.at_token_end() || !std::isfinite(*importance) || *importance < 0) {
    return wrong(column, fmt::format("importance {} is not a number of at least 0", cursor.token(column)));
  }
  cursor.skip_blanks();
  if (cursor.at_end()) return *importance;
  return wrong(cursor.column(),
               fmt::format("{} is one word too many: expected label, importance, 'tag and a bar",
                           cursor.token(cursor.column())));
}

tl::expected<std::optional<double>, ParseError> read_vw_line(std::string_view line, const VwHash& hash,
                                                             FeatureSums& sums, Examples& block) {
  Cursor cursor(line);
  cursor.skip_blanks();
  if (cursor.at_end()) return std::nullopt;
  const std::size_t bar = line.find('|');
  if (bar == std::string_view::npos) {
    return wrong(cursor.column(), fmt::format("no bar after {}: expected label |namespace feature:value ...",
                                              cursor.token(cursor.column())));
  }
  const auto importance = read_vw_head(line.substr(0, bar), block);
  if (!importance) return tl::make_unexpected(importance.error());
  cursor = Cursor(line);
  cursor.skip(bar);
  while (cursor.accept('|')) {
    if (auto read = read_namespace(cursor, hash, sums); !read) return tl::make_unexpected(read.error());
  }
  return *importance;
}

}  // namespace askfew
