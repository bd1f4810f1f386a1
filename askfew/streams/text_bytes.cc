#include "askfew/streams/text_bytes.h"

#include <fmt/core.h>

namespace askfew {

std::string texts_not_utf8(std::uint64_t count) {
  if (count == 1) return fmt::format("this text is not UTF-8, so its words may be wrong: {}", not_utf8_hint);
  return fmt::format("this text and {} more are not UTF-8, so their words may be wrong: {}", count - 1,
                     not_utf8_hint);
}

}  // namespace askfew
