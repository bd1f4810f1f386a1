#include "askfew/system/memory_limit.h"

#include <array>
#include <fmt/core.h>

namespace askfew {

std::string text_of_bytes(std::size_t bytes) {
  constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
  constexpr double thousand = 1000;
  if (bytes < static_cast<std::size_t>(thousand)) return fmt::format("{} bytes", bytes);
  std::size_t unit = 0;
  double value = static_cast<double>(bytes) / thousand;
  for (; value >= thousand && unit + 1 < units.size(); ++unit) value /= thousand;
  return fmt::format("{:.1f} {}", value, units.at(unit));
}

void MemoryLimit::take(std::size_t bytes, std::string_view what) {
  // Adds the bytes only if they fit: a large refused request must not disturb a small request at the same
  // time.
  std::size_t before = taken_;
  do {
    if (!is_lifted_ && (bytes > max_ || before > max_ - bytes)) {
      throw MemoryError(fmt::format("{} would need {} more, and {} of the limit of {} are taken", what,
                                    text_of_bytes(bytes), text_of_bytes(before), text_of_bytes(max_)));
    }
  } while (!taken_.compare_exchange_weak(before, before + bytes));
}

}  // namespace askfew
