#include "askfew/service/iso_time.h"

#include <chrono>
#include <fmt/core.h>

namespace askfew {

std::string iso_time(std::int64_t microseconds) {
  using namespace std::chrono;
  const sys_time<milliseconds> time(floor<milliseconds>(std::chrono::microseconds(microseconds)));
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace askfew
