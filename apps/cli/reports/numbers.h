#pragma once

#include <cstdint>
#include <string>

namespace askfew::cli {

/// 63620 -> "63,620".
std::string grouped(std::uint64_t number);

}  // namespace askfew::cli
