#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace askfew::bench {

/// The processor time of this thread, so that other programs on the machine do not count.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The processor time of f().
template <class F>
double seconds_of(F&& f) {
  const double begin = cpu_seconds();
  f();
  return cpu_seconds() - begin;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace askfew::bench
