#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace askfew::fuzz {

/// Reads a file through ByteSource, at once and in pieces: a plain one gives its bytes, a packed one its
/// text. `text` is what another unpacking has made of it; nothing, if that found it damaged.
void check_unpacking(std::string_view bytes, const std::optional<std::string>& text);

/// A text that is longer than what is unpacked at once.
std::string long_text();

}  // namespace askfew::fuzz
