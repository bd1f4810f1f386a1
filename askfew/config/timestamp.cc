#include "askfew/config/timestamp.h"

#include <algorithm>
#include <chrono>

namespace askfew {
namespace {

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// hh, hh:mm, hh:mm:ss or hh:mm:ss.fraction
bool take_clock(std::string_view& text, CivilTime& time) {
  const auto hour = take_digits(text, 2, 2);
  if (!hour) return false;
  time.hour = *hour;
  for (unsigned* part : {&time.minute, &time.second}) {
    if (!take(text, ":")) return true;
    const auto digits = take_digits(text, 2, 2);
    if (!digits) return false;
    *part = *digits;
  }
  if (!take(text, ".,")) return true;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits > 0;
}

/// The offset of this zone from UTC, in seconds.
std::optional<std::int64_t> take_zone(std::string_view& text) {
  if (text.empty() || take(text, "Zz")) return 0;
  const bool is_behind = text.front() == '-';
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2, 2);
  if (!hours || *hours > 23) return std::nullopt;
  const bool has_colon = take(text, ":");
  if (text.empty() && has_colon) return std::nullopt;
  const auto minutes = text.empty() ? 0U : take_digits(text, 2, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60;
  return is_behind ? -seconds : seconds;
}

}  // namespace

std::optional<unsigned> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  unsigned value = 0;
  std::size_t count = 0;
  for (; count < std::min(most, text.size()); ++count) {
    const char c = text[count];
    if (c < '0' || c > '9') break;
    value = 10 * value + static_cast<unsigned>(c - '0');
  }
  if (count < least) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

std::optional<std::int64_t> seconds_since_1970(const CivilTime& time) {
  using namespace std::chrono;
  const year_month_day date{year{time.year}, month{time.month}, day{time.day}};
  if (!date.ok() || time.hour > 23 || time.minute > 59 || time.second > 60) return std::nullopt;
  const std::int64_t days = sys_days{date}.time_since_epoch().count();
  return days * 86400 + std::int64_t{time.hour} * 3600 + std::int64_t{time.minute} * 60 + time.second;
}

std::optional<std::int64_t> parse_iso_time(std::string_view text) {
  CivilTime time;
  const auto year = take_digits(text, 4, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_digits(text, 2, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_digits(text, 2, 2);
  if (!day) return std::nullopt;
  time.year = static_cast<int>(*year);
  time.month = *month;
  time.day = *day;
  std::int64_t ahead = 0;
  if (!text.empty()) {
    if (!take(text, "Tt ") || !take_clock(text, time)) return std::nullopt;
    const auto zone = take_zone(text);
    if (!zone || !text.empty()) return std::nullopt;
    ahead = *zone;
  }
  const auto seconds = seconds_since_1970(time);
  if (!seconds) return std::nullopt;
  return *seconds - ahead;
}

}  // namespace askfew
