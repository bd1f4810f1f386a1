#include "askfew/config/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fmt/core.h>

#include "askfew/config/printable.h"

namespace askfew {
namespace {

/// The length of the UTF-8 character at the beginning of the text; 0 if there is none. (RFC 3629, section 4.)
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

/// The bytes in those groups of eight at the beginning that are ASCII.
std::size_t ascii_groups(std::string_view text) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t group = 0; at + sizeof group <= text.size(); at += sizeof group) {
    std::memcpy(&group, text.data() + at, sizeof group);
    if ((group & high_bits) != 0) return at;
  }
  return at;
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    const std::size_t groups = ascii_groups(rest);
    const std::size_t length = groups > 0 ? groups : character_length(rest);
    if (length == 0) break;
    at += length;
  }
  return at;
}

bool is_utf8(std::string_view text) {
  return utf8_prefix(text) == text.size();
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::size_t at = 0;
  while (at < text.size() && at < most) at += std::max<std::size_t>(1, character_length(text.substr(at)));
  return fmt::format("'{}{}'", without_controls(text.substr(0, at)), at < text.size() ? "..." : "");
}

std::string list_in_quotes(std::span<const std::string> names) {
  constexpr std::size_t most = 8;
  std::string list;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    list += (list.empty() ? "" : ", ") + in_quotes(name);
  }
  if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
  return list.empty() ? "none" : list;
}

void append_json_string(std::string_view text, std::string& out) {
  const auto is_plain = [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20; };
  out += '"';
  while (!text.empty()) {
    const auto special = std::find_if_not(text.begin(), text.end(), is_plain);
    out.append(text.begin(), special);
    text.remove_prefix(static_cast<std::size_t>(special - text.begin()));
    if (text.empty()) break;
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out += '"';
}

void append_exact(double value, std::string& out) {
  std::array<char, 32> digits{};  // the longest has 24: -1.2345678901234567e-308
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 17);
  out.append(digits.data(), end);
}

}  // namespace askfew
