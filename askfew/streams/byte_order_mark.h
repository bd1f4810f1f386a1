#pragma once

#include <string_view>

#include "askfew/streams/byte_source.h"

namespace askfew {

/// Some editors write this mark before a text in UTF-8.
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

inline std::string_view without_mark(std::string_view text) {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}

/// REQUIRES: nothing was consumed.
inline void skip_byte_order_mark(ByteSource& source) {
  char mark[byte_order_mark.size()] = {};
  if (source.peek(sizeof mark).starts_with(byte_order_mark)) source.read_fully(mark, sizeof mark);
}

}  // namespace askfew
