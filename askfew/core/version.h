#pragma once

#include <string_view>

namespace askfew {

inline constexpr std::string_view version = "0.1.0";

}  // namespace askfew
