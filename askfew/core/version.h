#pragma once

#include <string_view>

// Threads: the version is a constant.

namespace askfew {

/// The version of the library and its programs, such as "0.2.0"; CMakeLists.txt sets it.
extern const std::string_view version;

}  // namespace askfew
