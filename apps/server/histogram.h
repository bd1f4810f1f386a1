#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace askfew::server {

/// Durations, as a histogram of Prometheus.
class Histogram {
 public:
  void add(double seconds) {
    ++counts_[static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin())];
    seconds_ += seconds;
  }

  void append_to(std::string& out, std::string_view name) const {
    const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
      fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
    };
    add("# TYPE {} histogram\n", name);
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      sum += counts_[k];
      add("{}_bucket{{le=\"{}\"}} {}\n", name, bounds[k], sum);
    }
    sum += counts_.back();
    add("{}_bucket{{le=\"+Inf\"}} {}\n{}_sum {}\n{}_count {}\n", name, sum, name, seconds_, name, sum);
  }

 private:
  static constexpr std::array<double, 12> bounds{0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01,
                                                 0.02,   0.05,   0.1,   0.5,   1,     10};

  std::array<std::uint64_t, bounds.size() + 1> counts_{};
  double seconds_ = 0;
};

}  // namespace askfew::server
