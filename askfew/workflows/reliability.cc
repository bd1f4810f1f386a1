#include "askfew/workflows/reliability.h"

#include <algorithm>
#include <cmath>

#include "askfew/math/elementary.h"

namespace askfew {

void ReliabilityCounter::add(double probability, bool is_right) {
  const auto tenth = static_cast<std::size_t>(probability * static_cast<double>(bins_.size()));
  Bin& bin = bins_[std::min(tenth, bins_.size() - 1)];
  ++bin.count;
  bin.right += is_right ? 1 : 0;
  bin.sum += probability;
  const double difference = (is_right ? 1 : 0) - probability;
  const double squared = difference * difference;
  brier_ += squared;
  brier_squares_ += squared * squared;
  constexpr double least = 1e-15;  // a probability that was rounded to 0
  const double loss = -math::log(std::max(least, is_right ? probability : 1 - probability));
  log_ += loss;
  log_squares_ += loss * loss;
}

Reliability ReliabilityCounter::result() const {
  Reliability result;
  for (const Bin& bin : bins_) result.count += bin.count;
  const auto width = 1 / static_cast<double>(bins_.size());
  for (std::size_t k = 0; k < bins_.size(); ++k) {
    const Bin& bin = bins_[k];
    if (bin.count == 0) continue;
    const auto n = static_cast<double>(bin.count);
    result.bins.push_back({.from = width * static_cast<double>(k),
                           .to = width * static_cast<double>(k + 1),
                           .count = bin.count,
                           .predicted = bin.sum / n,
                           .observed = share_of(bin.right, bin.count)});
    result.calibration_error +=
        std::abs(bin.sum - static_cast<double>(bin.right)) / static_cast<double>(result.count);
  }
  result.brier = mean_of(brier_, brier_squares_, result.count);
  result.log_loss = mean_of(log_, log_squares_, result.count);
  return result;
}

}  // namespace askfew
