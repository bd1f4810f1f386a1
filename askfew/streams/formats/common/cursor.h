#pragma once

#include <charconv>
#include <fast_float/fast_float.h>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/config/text.h"
#include "askfew/core/examples.h"

namespace askfew {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// A position on one line of text, with its column for error messages.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : begin_(line.data()), at_(begin_), end_(begin_ + line.size()) {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool at_token_end() const { return at_end() || is_blank(*at_); }
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(at_ - begin_) + 1; }

  void skip(std::size_t bytes) { at_ += bytes; }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  void skip_token() {
    while (!at_token_end()) ++at_;
  }
  bool accept(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  /// +1, -1, 3, and 1.0 as LIBSVM writes it; nothing else, up to a comma or the token's end.
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
  /// A whole number; a number that is too large for the type gives the largest value of the type.
  std::optional<std::uint64_t> whole_number() {
    std::uint64_t value = 0;
    const auto [past, error] = std::from_chars(at_, end_, value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    at_ = past;
    return error == std::errc::result_out_of_range ? ~std::uint64_t{0} : value;
  }
  std::optional<double> number() {
    double v = 0;
    const char* from = after_plus();
    const auto [past, error] = fast_float::from_chars(from, end_, v);
    if (error != std::errc{}) return std::nullopt;
    at_ = past;
    return v;
  }

  /// The token at a column, for messages.
  [[nodiscard]] std::string token(std::size_t column) const {
    const char* from = begin_ + column - 1;
    const char* past = from;
    while (past != end_ && !is_blank(*past)) ++past;
    return in_quotes({from, static_cast<std::size_t>(past - from)});
  }

 private:
  /// The position after a plus sign, unless another sign follows. from_chars does not accept a plus sign.
  [[nodiscard]] const char* after_plus() const {
    const bool plus = end_ - at_ >= 2 && *at_ == '+' && at_[1] != '-' && at_[1] != '+';
    return plus ? at_ + 1 : at_;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
};

}  // namespace askfew
