#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace askfew::fuzz {

/// Reads a file through ByteSource, at once and in pieces: a plain file gives its bytes, a compressed file
/// its text. `text` is the result of another decompression; nothing if that found damage.
void check_unpacking(std::string_view bytes, const std::optional<std::string>& text);

/// A text that is longer than the decompression buffer.
std::string long_text();

}  // namespace askfew::fuzz
