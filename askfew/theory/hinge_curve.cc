#include "askfew/theory/hinge_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace askfew {
namespace {

constexpr double step = 1.25;  // ratio of successive lengths that are tried

/// Golden section search; the value must fall and then rise.
HingeCurve::Best between(double low, double high, const std::function<double(double)>& value) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double at_a = value(a);
  double at_b = value(b);
  for (int k = 0; k < 60; ++k) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = value(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = value(b);
    }
  }
  return at_a <= at_b ? HingeCurve::Best{a, at_a} : HingeCurve::Best{b, at_b};
}

}  // namespace

HingeCurve::HingeCurve(std::vector<double> margins, double weight)
    : margins_(std::move(margins)), sums_{0}, weight_(weight) {
  std::sort(margins_.begin(), margins_.end());
  for (const double s : margins_) {
    sums_.push_back(sums_.back() + s);
    squares_ += weight * s * s;
  }
}

double HingeCurve::loss(double length) const {
  const auto suffers = [&](double s) { return length * s < 1; };
  const auto end = std::partition_point(margins_.begin(), margins_.end(), suffers);
  const auto count = static_cast<std::size_t>(end - margins_.begin());
  return weight_ * std::max(0.0, static_cast<double>(count) - length * sums_[count]);
}

double HingeCurve::least() const {
  return margins_.empty() ? std::numeric_limits<double>::infinity() : margins_.front();
}

HingeCurve::Best HingeCurve::minimize(const std::function<double(double)>& value) const {
  // Below the first length, u's loss is nearly that of 0; above the last length, the loss only grows.
  constexpr double range = 1e12;
  const double largest =
      margins_.empty() ? 1 : std::max(std::abs(margins_.front()), std::abs(margins_.back()));
  const double unit = largest > 0 ? 1 / largest : 1;
  const auto positive = std::upper_bound(margins_.begin(), margins_.end(), 0.0);
  const double last = positive == margins_.end() ? unit : std::min(range * unit, 1 / *positive);
  Best best{0, value(0)};
  for (double length = unit / 1000; length <= last * step; length *= step) {
    const double here = value(length);
    if (here < best.value) best = {length, here};
  }
  if (best.length == 0) return best;
  const Best refined = between(best.length / step, best.length * step, value);
  return refined.value < best.value ? refined : best;
}

}  // namespace askfew
