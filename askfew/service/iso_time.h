#pragma once

#include <cstdint>
#include <string>

namespace askfew {

/// Microseconds since 1970 as `2026-01-31T13:45:00.123Z`.
std::string iso_time(std::int64_t microseconds);

}  // namespace askfew
