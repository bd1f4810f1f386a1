#pragma once

#include <string_view>

// Threads: a constant.

namespace askfew {

/// Of the library and its programs, "0.1.0". The file CMakeLists.txt says it.
extern const std::string_view version;

}  // namespace askfew
