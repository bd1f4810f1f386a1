#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace askfew::fuzz {

std::string gzip(std::string_view text);
/// The text of a file of whole gzip members, one or more, and nothing else.
std::optional<std::string> gunzip(std::string_view bytes);

}  // namespace askfew::fuzz
