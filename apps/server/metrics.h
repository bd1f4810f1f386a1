#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "apps/server/projects.h"

namespace askfew::server {

/// Counts for Prometheus. For one thread.
class Metrics {
 public:
  void add(int status, double seconds);
  void connected(int change) { connections_ += change; }
  [[nodiscard]] int connections() const { return connections_; }
  [[nodiscard]] std::string text(const Projects& projects) const;

 private:
  static constexpr std::array<double, 10> bounds{0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 10};

  std::map<int, std::uint64_t> by_status_;
  std::array<std::uint64_t, bounds.size() + 1> counts_{};
  double seconds_ = 0;
  int connections_ = 0;
};

}  // namespace askfew::server
