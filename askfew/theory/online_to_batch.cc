#include "askfew/theory/online_to_batch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "askfew/core/expects.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// (|j|+1) (|j|+2)
double price(int j) {
  const double a = std::abs(j);
  return (a + 1) * (a + 2);
}

/// The smallest k with x <= 4^k; 0 for x = 0.
int half_exponent(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const bool is_power_of_two = std::frexp(x, &exponent) == 0.5;  // 2^(exponent - 1) <= x < 2^exponent
  if (is_power_of_two) --exponent;
  return static_cast<int>(std::ceil(exponent / 2.0));
}

/// q ln(q/p) + (1-q) ln((1-q)/(1-p)). REQUIRES: 0 < p < 1.
double divergence(double q, double p) {
  const double first = q > 0 ? q * math::log(q / p) : 0;
  return first + (q < 1 ? (1 - q) * math::log((1 - q) / (1 - p)) : 0);
}

/// The largest p with kl(q, p) <= limit, rounded up.
double largest_within(double q, double limit) {
  double low = q;
  double high = 1;
  for (double middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    (divergence(q, middle) <= limit ? low : high) = middle;
  }
  return high;
}

}  // namespace

double TestedHypothesis::penalized_risk(double delta) const {
  if (tests == 0) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(round + tests);
  const auto later = static_cast<double>(tests);
  return largest_within(static_cast<double>(errors) / later, math::log(n / delta) / later);
}

double AverageHypothesis::scale_of(std::size_t j) {
  return std::ldexp(1, static_cast<int>(j) - largest_exponent);
}

void AverageHypothesis::predict(double margin, double norm_of_x) {
  ++rounds_;
  longest_ = std::max(longest_, norm_of_x);
  largest_squared_ = std::max(largest_squared_, squared_norm_.value());
  for (std::size_t j = 0; j < losses_.size(); ++j) losses_[j] += std::max(0.0, 1 - margin / scale_of(j));
}

void AverageHypothesis::set_weight(FeatureView::Index i, double value) {
  if (i >= weights_.size()) weights_.resize(std::max<std::size_t>(i + std::size_t{1}, 2 * weights_.size()));
  Weight& weight = weights_[i];
  weight.sum += weight.value * static_cast<double>(rounds_ - weight.since);
  weight.since = rounds_;
  squared_norm_.add(value * value);
  squared_norm_.add(-weight.value * weight.value);
  weight.value = value;
}

std::vector<double> AverageHypothesis::weights() const {
  EXPECTS(rounds_ > 0);
  std::vector<double> means(weights_.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const Weight& weight = weights_[i];
    means[i] = (weight.sum + weight.value * static_cast<double>(rounds_ - weight.since)) /
               static_cast<double>(rounds_);
  }
  while (!means.empty() && means.back() == 0) means.pop_back();
  return means;
}

AverageHypothesis::Risk AverageHypothesis::risk(double delta) const {
  EXPECTS(rounds_ > 0);
  const int k = half_exponent(largest_squared_);  // no |w| exceeds 2^k
  const double reach = std::ldexp(longest_, k);
  const auto n = static_cast<double>(rounds_);
  Risk best{.bound = std::numeric_limits<double>::infinity()};
  for (std::size_t j = 0; j < losses_.size(); ++j) {
    const double paid = 9.0 / 4 * price(static_cast<int>(j) - largest_exponent) * price(k);
    const double mean = losses_[j] / n;
    const double bound = mean + (1 + reach / scale_of(j)) * std::sqrt(math::log(paid / delta) / (2 * n));
    if (bound < best.bound) best = {.bound = bound, .scale = scale_of(j), .mean_loss = mean};
  }
  return best;
}

}  // namespace askfew
