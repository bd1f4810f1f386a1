#include "askfew/features/unicode.h"

#include <algorithm>
#include <cstring>
#include <utf8proc.h>

namespace askfew {
namespace {

const utf8proc_uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

/// The length of the first character, or a negative number if the bytes are not UTF-8.
utf8proc_ssize_t decode(std::string_view text, utf8proc_int32_t& character) {
  constexpr std::size_t longest = 4;
  const auto size = static_cast<utf8proc_ssize_t>(std::min(text.size(), longest));
  return utf8proc_iterate(bytes_of(text), size, &character);
}

bool is_in_words(const utf8proc_property_t& property) {
  return property.category >= UTF8PROC_CATEGORY_LU && property.category <= UTF8PROC_CATEGORY_NO;
}

}  // namespace

Letters::Letters(bool fold) : fold_(fold) {
  for (int c = 0x80; c < 0x800; ++c) two_bytes_[static_cast<std::size_t>(c)] = entry_of(c);
}

Letters::Entry Letters::entry_of(int character) const {
  Entry entry;
  if (!is_in_words(*utf8proc_get_property(character))) return entry;
  std::array<utf8proc_int32_t, 4> folded{character};
  utf8proc_ssize_t count = 1;
  if (fold_) {
    int unused = 0;  // the state of grapheme breaks
    count = utf8proc_decompose_char(character, folded.data(), folded.size(), UTF8PROC_CASEFOLD, &unused);
  }
  for (utf8proc_ssize_t k = 0; k < count; ++k) {
    auto* out = reinterpret_cast<utf8proc_uint8_t*>(entry.bytes.data() + entry.size);
    entry.size = static_cast<unsigned char>(entry.size +
                                            utf8proc_encode_char(folded[static_cast<std::size_t>(k)], out));
  }
  return entry;
}

Letters::Step Letters::take(std::string_view text, char* out) const {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first >= 0xc2 && first < 0xe0 && text.size() >= 2 && (text[1] & 0xc0) == 0x80) {
    const Entry& entry = two_bytes_[static_cast<std::size_t>((first & 0x1f) << 6 | (text[1] & 0x3f))];
    std::memcpy(out, entry.bytes.data(), entry.bytes.size());
    return {.taken = 2, .written = entry.size};
  }
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t size = decode(text, character);
  if (size < 1) {
    *out = text[0];
    return {.taken = 1, .written = 1};
  }
  const auto taken = static_cast<std::size_t>(size);
  const utf8proc_property_t& property = *utf8proc_get_property(character);
  if (!is_in_words(property)) return {.taken = taken, .written = 0};
  if (fold_ && property.casefold_seqindex != UINT16_MAX) {
    const Entry entry = entry_of(character);
    std::memcpy(out, entry.bytes.data(), entry.size);
    return {.taken = taken, .written = entry.size};
  }
  std::memcpy(out, text.data(), taken);
  return {.taken = taken, .written = taken};
}

std::size_t Letters::size_of_first(std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80) return 1;
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t size = decode(text, character);
  return size < 1 ? 1 : static_cast<std::size_t>(size);
}

}  // namespace askfew
