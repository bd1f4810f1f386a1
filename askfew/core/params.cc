#include "askfew/core/params.h"

#include <cmath>
#include <fmt/format.h>

namespace askfew {

bool Range::contains(double value) const {
  if (std::isnan(value)) return false;
  if (low_open ? value <= low : value < low) return false;
  if (high_open ? value >= high : value > high) return false;
  return !integral || value == std::floor(value);
}

std::string Range::text() const {
  if (integral && low == 0 && high == 1) return "0 or 1";
  if (integral && high == most_count) return fmt::format("integer >= {}", low);
  if (integral) return fmt::format("integer from {} to {}", low, high);
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

void throw_out_of_range(std::string_view algorithm, std::string_view param, double value,
                        const Range& range) {
  throw ConfigError(
      fmt::format("{}: {} = {} is out of range, accepted: {}", algorithm, param, value, range.text()));
}

}  // namespace askfew
