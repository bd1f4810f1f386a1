#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace askfew {

/// A date of the Gregorian calendar and a time of day, in UTC.
struct CivilTime {
  int year = 1970;
  unsigned month = 1;  ///< 1 to 12
  unsigned day = 1;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;  ///< 60 is a leap second, which counts as the next second
};

/// Seconds since 1970; nothing if the date or time does not exist.
std::optional<std::int64_t> seconds_since_1970(const CivilTime& time);

/// The common forms of ISO 8601: `1987-02-26`, `1987-02-26T15:01`, `1987-02-26 15:01:01.79+02:00`. A zone is
/// Z, +02:00, +0200 or +02; without a zone the time is UTC. Fractions of a second are cut off.
std::optional<std::int64_t> parse_iso_time(std::string_view text);

/// Reads and removes the digits at the beginning of a text, at least `least` and at most `most` digits.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t least, std::size_t most);

}  // namespace askfew
