#pragma once

#include <cstdint>
#include <ctime>

namespace askfew {

/// The machine's time of day at the first look; from then on the time advances evenly, even if somebody sets
/// the clock.
class EvenClock {
 public:
  EvenClock() : offset_(microseconds(CLOCK_REALTIME) - microseconds(CLOCK_BOOTTIME)) {}
  /// In microseconds since 1970.
  [[nodiscard]] std::int64_t now() const { return offset_ + microseconds(CLOCK_BOOTTIME); }

 private:
  static std::int64_t microseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
  }

  std::int64_t offset_;
};

}  // namespace askfew
