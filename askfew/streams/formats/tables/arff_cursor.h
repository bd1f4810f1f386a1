#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace askfew {

/// Reads a line of an ARFF file as Weka does: values are separated by blanks, commas or both; they may be in
/// single or double quotes with escapes; % begins a comment.
class ArffCursor {
 public:
  struct Value {
    std::string_view text;  ///< without quotes and escapes; valid until the next value
    bool is_missing = false;
  };

  explicit ArffCursor(std::string_view line) : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) {}

  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(at_ - begin_) + 1; }
  [[nodiscard]] bool at_end() const { return at_ == end_ || *at_ == '%'; }
  void skip_blanks();
  /// Skips blanks and at most one comma.
  void skip_separator();
  /// Skips blanks and accepts a character.
  bool accept(char c);
  /// Reads a finite number that is a whole value, without quotes; otherwise reads nothing.
  bool number(double& value);
  /// A whole number; a number that is too large for the type gives the largest value.
  std::optional<std::size_t> index();
  /// The value that begins here; nothing if there is no value, or its quote is not closed.
  std::optional<Value> value();

 private:
  [[nodiscard]] static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  [[nodiscard]] bool is_value_end(const char* p) const {
    return p == end_ || is_blank(*p) || *p == ',' || *p == '{' || *p == '}' || *p == '%';
  }
  std::optional<Value> quoted();
  void unescape();

  const char* begin_;
  const char* at_;
  const char* end_;
  std::string unescaped_;
};

}  // namespace askfew
