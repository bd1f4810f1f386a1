#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// What formats and pools say about the bytes of texts.

namespace askfew {

/// How to convert a text in an older encoding.
inline constexpr std::string_view not_utf8_hint =
    "convert the file first (iconv -f LATIN1 -t UTF-8, or with the encoding that the file has)";

/// Follows the line of the first such text.
std::string texts_not_utf8(std::uint64_t count);

/// Is every byte a character of ASCII other than NUL? Quick, for fields of any length.
inline bool has_plain_bytes(std::string_view text) {
  // The highest bit of a byte is set where the byte is 0 or beyond ASCII; a borrow only follows a 0.
  const auto is_plain = [&]<class Group>(std::size_t at, Group ones) {
    Group group = 0;
    std::memcpy(&group, text.data() + at, sizeof group);
    return (((group - ones) | group) & (ones << 7)) == 0;
  };
  constexpr std::uint64_t eight = 0x0101010101010101;
  constexpr std::uint32_t four = 0x01010101;
  const std::size_t size = text.size();
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 <= size; at += 8) {
      if (!is_plain(at, eight)) return false;
    }
    return is_plain(size - 8, eight);  // some bytes once more
  }
  if (size >= 4) return is_plain(0, four) && is_plain(size - 4, four);
  for (const char c : text) {
    if (static_cast<signed char>(c) <= 0) return false;
  }
  return true;
}

/// Why a field or line with a NUL byte is refused; an empty text: it has none.
inline std::string_view fault_of_nul(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return {};
  return "has a NUL byte, which is in no text: the file is damaged, or a binary one, or in UTF-16 (iconv -f "
         "UTF-16 -t UTF-8)";
}

}  // namespace askfew
