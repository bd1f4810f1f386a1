#include "askfew/config/params.h"

#include <algorithm>
#include <cmath>
#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace askfew {

bool Range::contains(double value) const {
  if (std::isnan(value)) return false;
  if (low_open ? value <= low : value < low) return false;
  if (high_open ? value >= high : value > high) return false;
  return !integral || value == std::floor(value);
}

std::string Range::text() const {
  if (!choices.empty()) {
    return fmt::format("{} or {}", fmt::join(choices.first(choices.size() - 1), ", "), choices.back());
  }
  if (integral && low == 0 && high == 1) return "0 or 1";
  if (integral && high == max_count) return fmt::format("integer >= {}", low);
  if (integral) return fmt::format("integer from {} to {}", low, high);
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

std::string Range::text_of(double value) const {
  if (choices.empty()) return fmt::format("{}", value);
  return std::string(choices[static_cast<std::size_t>(value)]);
}

std::optional<double> Range::parse(std::string_view text) const {
  if (const auto named = std::find(choices.begin(), choices.end(), text); named != choices.end()) {
    return static_cast<double>(named - choices.begin());
  }
  double value = 0;
  const auto [past, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (!choices.empty() || error != std::errc{} || past != text.data() + text.size()) return std::nullopt;
  return value;
}

void throw_out_of_range(std::string_view algorithm, std::string_view param, double value,
                        const Range& range) {
  throw ConfigError(
      fmt::format("{}: {} = {} is out of range, accepted: {}", algorithm, param, value, range.text()));
}

}  // namespace askfew
