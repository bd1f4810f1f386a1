#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace askfew {

/// What to say about a name that is none of the known ones: the nearest of them, or all.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace askfew
