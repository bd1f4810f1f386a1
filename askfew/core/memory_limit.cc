#include "askfew/core/memory_limit.h"

#include <fmt/format.h>

namespace askfew {

void MemoryLimit::take(std::size_t bytes, std::string_view what) {
  const std::size_t before = taken_.fetch_add(bytes);
  if (bytes <= most_ && before <= most_ - bytes) return;
  taken_ -= bytes;
  constexpr double megabyte = 1e6;
  throw MemoryError(
      fmt::format("{} would need {:.1f} MB more, and {:.1f} MB of the limit of {:.1f} MB are taken", what,
                  static_cast<double>(bytes) / megabyte, static_cast<double>(before) / megabyte,
                  static_cast<double>(most_) / megabyte));
}

}  // namespace askfew
