#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace askfew {

/// Reads a line of an ARFF file as Weka does: values are parted by blanks, commas or both, may stand in
/// single or double quotes with escapes, and % begins a comment.
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
  /// Blanks and up to one comma.
  void skip_separator();
  /// Skips blanks and accepts a character.
  bool accept(char c);
  /// A finite number that is all of a value, without quotes; else nothing is read.
  bool number(double& value);
  /// A whole number, also one that is too large for the type: then it is the largest.
  std::optional<std::size_t> index();
  /// The value that begins here; nothing if there is none, or its quote is not closed.
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
