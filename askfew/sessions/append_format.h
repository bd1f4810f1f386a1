#pragma once

#include <fmt/core.h>
#include <iterator>
#include <string>
#include <utility>

namespace askfew {

/// Appends the result of fmt::format.
template <class... Args>
void append_format(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace askfew
