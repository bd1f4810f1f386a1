#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace askfew {

/// The time of day that goes on evenly, whoever sets the machine's clock, and never begins before `least`.
class EvenClock {
 public:
  explicit EvenClock(std::int64_t least) {
    const std::int64_t now = microseconds(CLOCK_REALTIME);
    behind_ = std::max<std::int64_t>(0, least - now);
    offset_ = now + behind_ - microseconds(CLOCK_BOOTTIME);
  }
  [[nodiscard]] std::int64_t now() const { return offset_ + microseconds(CLOCK_BOOTTIME); }
  /// By how much the machine's clock showed less.
  [[nodiscard]] std::int64_t behind() const { return behind_; }

 private:
  static std::int64_t microseconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
  }

  std::int64_t behind_ = 0;
  std::int64_t offset_ = 0;
};

}  // namespace askfew
