#include "apps/cli/commands/bench/measures.h"

#include <algorithm>
#include <chrono>

namespace askfew::cli {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<double> rate(double amount, double seconds) {
  if (amount == 0) return std::nullopt;
  return amount / seconds;
}

/// Time that the limit takes for the same amount, over the time taken.
double share(const Measure& measure, const Measure& limit) {
  const double amount =
      limit.bytes > 0 && measure.bytes > 0 ? measure.bytes / limit.bytes : measure.examples / limit.examples;
  std::vector<double> quotients;
  for (std::size_t k = 0; k < measure.seconds.size(); ++k) {
    quotients.push_back(amount * limit.seconds[k] / measure.seconds[k]);
  }
  return median(quotients);
}

}  // namespace

void repeat(std::vector<Measure>& measures) {
  for (Measure& measure : measures) {
    const auto begin = std::chrono::steady_clock::now();
    measure.work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    measure.seconds.push_back(elapsed.count());
  }
}

std::vector<Speed> speeds_of(const std::vector<Measure>& measures) {
  std::vector<Speed> speeds;
  for (const Measure& measure : measures) {
    const double seconds = median(measure.seconds);
    Speed speed{.name = measure.name,
                .bytes_a_second = rate(measure.bytes, seconds),
                .examples_a_second = rate(measure.examples, seconds)};
    if (measure.limit) {
      speed.share_of_limit = share(measure, measures[*measure.limit]);
      speed.limit = measures[*measure.limit].name;
    }
    speeds.push_back(std::move(speed));
  }
  return speeds;
}

}  // namespace askfew::cli
