#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "apps/server/histogram.h"
#include "apps/server/projects.h"

namespace askfew::server {

/// Counts for Prometheus. For one thread.
class Metrics {
 public:
  void add(int status, double seconds) {
    ++by_status_[status];
    requests_.add(seconds);
  }
  void connected(int change) { connections_ += change; }
  void refused() { ++refused_; }
  [[nodiscard]] std::string text(const Projects& projects) const;

 private:
  std::map<int, std::uint64_t> by_status_;
  Histogram requests_;
  int connections_ = 0;
  std::uint64_t refused_ = 0;  // connections
};

}  // namespace askfew::server
