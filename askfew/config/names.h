#pragma once

// Suggestions for names that are unknown.

#include <string>
#include <string_view>
#include <vector>

namespace askfew {

/// A hint for an unknown name: the nearest known name, or all known names.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace askfew
