#pragma once

#include <algorithm>
#include <chrono>
#include <fmt/core.h>

#include "apps/server/http.h"

namespace askfew::server {

/// So many requests a second, and twice as many at once after a pause.
class RateLimit {
 public:
  explicit RateLimit(double rate) : rate_(rate), left_(2 * rate) {}

  /// THROWS: Problem if there were too many; `what`: they, in the plural.
  void take_one(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    left_ = std::min(2 * rate_, left_ + std::chrono::duration<double>(now - time_).count() * rate_);
    time_ = now;
    if (left_ < 1) throw Problem{429, fmt::format("more than {} {} a second", rate_, what)};
    left_ -= 1;
  }

 private:
  double rate_;
  double left_;
  std::chrono::steady_clock::time_point time_ = std::chrono::steady_clock::now();
};

}  // namespace askfew::server
