#include "askfew/streams/formats/tables/arff_cursor.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "askfew/streams/formats/common/number.h"

namespace askfew {
namespace {

void append_utf8(std::string& text, std::uint32_t character) {
  const auto byte = [&](std::uint32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xC0 | character >> 6);
    byte(0x80 | (character & 0x3F));
  } else {
    byte(0xE0 | character >> 12);
    byte(0x80 | (character >> 6 & 0x3F));
    byte(0x80 | (character & 0x3F));
  }
}

}  // namespace

void ArffCursor::skip_blanks() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
}

void ArffCursor::skip_separator() {
  skip_blanks();
  if (at_ == end_ || *at_ != ',') return;
  ++at_;
  skip_blanks();
}

bool ArffCursor::accept(char c) {
  skip_blanks();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool ArffCursor::number(double& value) {
  const char* const past = read_number(at_, end_, value);
  if (past == nullptr || !std::isfinite(value) || !is_value_end(past)) return false;
  at_ = past;
  return true;
}

std::optional<std::size_t> ArffCursor::index() {
  std::size_t value = 0;
  const auto [past, error] = std::from_chars(at_, end_, value);
  if (error == std::errc::invalid_argument || !is_value_end(past)) return std::nullopt;
  at_ = past;
  return error == std::errc::result_out_of_range ? ~std::size_t{0} : value;
}

std::optional<ArffCursor::Value> ArffCursor::value() {
  if (at_ != end_ && (*at_ == '\'' || *at_ == '"')) return quoted();
  const char* const from = at_;
  while (!is_value_end(at_)) ++at_;
  const std::string_view text(from, static_cast<std::size_t>(at_ - from));
  if (text.empty()) return std::nullopt;
  return Value{.text = text, .is_missing = text == "?"};
}

std::optional<ArffCursor::Value> ArffCursor::quoted() {
  const char* const from = at_;
  const char quote = *at_++;
  unescaped_.clear();
  while (at_ != end_ && *at_ != quote) {
    if (*at_ == '\\' && at_ + 1 != end_) {
      ++at_;
      unescape();
    } else {
      unescaped_.push_back(*at_++);
    }
  }
  if (at_ == end_) {
    at_ = from;
    return std::nullopt;
  }
  ++at_;
  return Value{.text = unescaped_};
}

/// Decodes the character after a backslash.
void ArffCursor::unescape() {
  const char c = *at_++;
  switch (c) {
    case 'n':
      unescaped_.push_back('\n');
      break;
    case 'r':
      unescaped_.push_back('\r');
      break;
    case 't':
      unescaped_.push_back('\t');
      break;
    case 'u': {
      std::uint32_t character = 0;
      const char* const past = end_ - at_ < 4 ? end_ : at_ + 4;
      const auto [stop, error] = std::from_chars(at_, past, character, 16);
      if (error == std::errc{} && stop == at_ + 4) {
        append_utf8(unescaped_, character);
        at_ = stop;
      } else {
        unescaped_.push_back(c);
      }
      break;
    }
    default:
      unescaped_.push_back(c);
  }
}

}  // namespace askfew
