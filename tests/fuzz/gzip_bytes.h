#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace askfew::fuzz {

std::string gzip(std::string_view text);
/// The text of a file that consists of one or more whole gzip members; nothing for other files.
std::optional<std::string> gunzip(std::string_view bytes);

}  // namespace askfew::fuzz
