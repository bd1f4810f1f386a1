#include "askfew/config/printable.h"

#include <cstdint>
#include <fmt/format.h>

#include "askfew/config/text.h"

namespace askfew {
namespace {

/// A character of a text, or a byte that is not part of a character.
struct Piece {
  std::string_view bytes;
  std::uint32_t code = 0;
  bool is_character = false;
};

/// REQUIRES: the text is not empty.
Piece first_piece(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const std::string_view bytes = text.substr(0, length);
  if (!is_utf8(bytes)) return {.bytes = text.substr(0, 1), .code = first};
  std::uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(bytes[k]) & 0x3FU);
  return {.bytes = bytes, .code = code, .is_character = true};
}

bool is_control(const Piece& piece) {
  const std::uint32_t c = piece.code;
  const bool turns_the_direction =
      c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return !piece.is_character || c < 0x20 || (c >= 0x7F && c < 0xA0) || turns_the_direction;
}

template <class Take>
void for_each_piece(std::string_view text, Take&& take) {
  while (!text.empty()) {
    const Piece piece = first_piece(text);
    take(piece);
    text.remove_prefix(piece.bytes.size());
  }
}

bool is_plain(std::string_view name, std::string_view separators) {
  bool plain = !name.empty() && name.find('"') == std::string_view::npos &&
               name.find_first_of(separators) == std::string_view::npos;
  for_each_piece(name, [&](const Piece& piece) { plain = plain && !is_control(piece); });
  return plain;
}

}  // namespace

std::string without_controls(std::string_view text) {
  std::string out;
  for_each_piece(text, [&](const Piece& piece) {
    if (!is_control(piece)) {
      out += piece.bytes;
    } else {
      out += piece.code < 0x100 ? fmt::format("\\x{:02x}", piece.code) : fmt::format("\\u{:04x}", piece.code);
    }
  });
  return out;
}

std::string printable(std::string_view name, std::string_view separators) {
  if (is_plain(name, separators)) return std::string(name);
  std::string out = "\"";
  for_each_piece(name, [&](const Piece& piece) {
    if (is_control(piece)) {
      constexpr std::uint32_t no_character = 0xFFFD;
      out += fmt::format("\\u{:04x}", piece.is_character ? piece.code : no_character);
    } else {
      if (piece.code == '"' || piece.code == '\\') out += '\\';
      out += piece.bytes;
    }
  });
  return out + "\"";
}

}  // namespace askfew
