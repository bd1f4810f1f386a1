#include "askfew/streams/svmlight.h"

#include <charconv>
#include <cmath>
#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <optional>

#include "askfew/core/text.h"

namespace askfew {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// A cursor on one line that knows the column of what it complains about.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) {}

  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  [[nodiscard]] bool at_end() const { return at_ == end_ || *at_ == '#'; }
  [[nodiscard]] bool at_token_end() const { return at_end() || is_blank(*at_); }
  bool accept(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  /// +1, -1, 3, and LIBSVM's 1.0; nothing else, up to a comma or the token's end.
  std::optional<Examples::LabelId> label() {
    const char* from = after_plus();
    Examples::LabelId id = 0;
    const auto [past, error] = std::from_chars(from, end_, id);
    if (error != std::errc{}) return std::nullopt;
    at_ = past;
    if (accept('.')) {
      while (at_ != end_ && *at_ == '0') ++at_;
    }
    if (!at_token_end() && *at_ != ',') return std::nullopt;
    return id;
  }
  /// An index that is too large for the type comes back as the largest of it.
  std::optional<std::uint64_t> index() {
    std::uint64_t value = 0;
    const auto [past, error] = std::from_chars(at_, end_, value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    at_ = past;
    return error == std::errc::result_out_of_range ? ~std::uint64_t{0} : value;
  }
  std::optional<double> value() {
    double v = 0;
    const char* from = after_plus();
    const auto [past, error] = fast_float::from_chars(from, end_, v);
    if (error != std::errc{}) return std::nullopt;
    at_ = past;
    return v;
  }

  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(at_ - begin_) + 1; }
  /// The token at a column, for messages.
  [[nodiscard]] std::string token(std::size_t column) const {
    const char* from = begin_ + column - 1;
    const char* past = from;
    while (past != end_ && !is_blank(*past)) ++past;
    return in_quotes({from, static_cast<std::size_t>(past - from)});
  }

 private:
  /// Behind a plus sign, if a digit follows it. from_chars knows no plus.
  [[nodiscard]] const char* after_plus() const {
    const bool plus = end_ - at_ >= 2 && *at_ == '+' && at_[1] != '-' && at_[1] != '+';
    return plus ? at_ + 1 : at_;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

tl::unexpected<ParseError> wrong(std::size_t column, std::string why) {
  return tl::make_unexpected(ParseError{.line = 0, .column = column, .why = std::move(why)});
}

/// Several labels on one of the first lines mean topics.
LabelKind kind_of(std::string_view first_bytes) {
  while (!first_bytes.empty()) {
    const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    first_bytes.remove_prefix(std::min(first_bytes.size(), line.size() + 1));
    const std::string_view label = line.substr(0, line.find_first_of(" \t\r#"));
    if (label.find(',') != std::string_view::npos) return LabelKind::topics;
  }
  return LabelKind::binary;
}

class SvmlightParser final : public Parser {
 public:
  explicit SvmlightParser(FeatureView::Index dimension) : dimension_(dimension) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override {
    parse_lines(chunk, out, [&](std::string_view line, Examples& block) { return read(line, block); });
  }

 private:
  [[nodiscard]] tl::expected<bool, ParseError> read(std::string_view line, Examples& block) const;

  FeatureView::Index dimension_;
};

tl::expected<bool, ParseError> SvmlightParser::read(std::string_view line, Examples& block) const {
  Cursor ahead(line);
  ahead.skip_blanks();
  if (ahead.at_end()) return false;
  Cursor cursor(line);
  if (!cursor.at_token_end()) {  // a line that begins with a space has no labels
    do {
      const std::size_t column = cursor.column();
      const auto label = cursor.label();
      if (!label) {
        return wrong(column,
                     fmt::format("label {} is not an integer such as -1, +1 or 3,17", cursor.token(column)));
      }
      block.add_label(*label);
    } while (cursor.accept(','));
  }
  const std::uint64_t most = dimension_ != 0 ? dimension_ : SvmlightFormat::most_features;
  std::uint64_t last = 0;
  for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
    const std::size_t column = cursor.column();
    const auto index = cursor.index();
    if (!index || !cursor.accept(':'))
      return wrong(column, fmt::format("{} is not index:value", cursor.token(column)));
    if (*index < 1 || *index > most) {
      return wrong(column,
                   fmt::format("index in {} is out of range, accepted: 1 to {}", cursor.token(column), most));
    }
    if (*index <= last) {
      return wrong(column, fmt::format("index {} after {}: indices must ascend", *index, last));
    }
    last = *index;
    const std::size_t value_column = cursor.column();
    const auto value = cursor.value();
    if (!value || !cursor.at_token_end()) {
      return wrong(value_column, fmt::format("value {} is not a number", cursor.token(value_column)));
    }
    if (!std::isfinite(*value)) {
      return wrong(value_column, fmt::format("value {} is not finite", cursor.token(value_column)));
    }
    if (*value != 0) block.add_feature(static_cast<FeatureView::Index>(*index - 1), *value);
  }
  return true;
}

}  // namespace

SvmlightFormat::SvmlightFormat(ByteSource& source, Index dimension)
    : dimension_(dimension), kind_(kind_of(source.peek())) {}

std::unique_ptr<Parser> SvmlightFormat::parser() const {
  return std::make_unique<SvmlightParser>(dimension_);
}

Examples::LabelId SvmlightFormat::label_number(std::string_view name) {
  Cursor cursor(name);
  const auto id = cursor.label();
  if (!id || !cursor.at_token_end())
    throw ConfigError(fmt::format("label {} is not an integer", in_quotes(name)));
  return *id;
}

}  // namespace askfew
