#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/exact_sum.h"
#include "askfew/linalg/sparse.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// The p-norm Perceptron (Grove, Littlestone, Schuurmans 2001; Gentile 2003).
///
///   margin  m = w.x,  w_i = sgn(th_i) |th_i|^(p-1) / |th|_p^(p-2)
///   update  th += y x
///
/// p = 2 is the Perceptron; p = 2 ln d behaves like Winnow.
/// Cost of a round: O(nnz): the powers sgn(th_i) |th_i|^(p-1) are kept beside th, and the sum of |th_i|^p is
/// carried along exactly.
class PNorm {
 public:
  struct Params {
    double p = 2;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"p", &Params::p, at_least(2), "2 gives the Perceptron; 2 ln d behaves like Winnow"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "p-norm",
      .formula = "m = w.x, w_i = sgn(th_i) |th_i|^(p-1) / |th|_p^(p-2); th += y x",
      .paper = "Grove et al. 2001; Gentile 2003; Cesa-Bianchi et al. 2006, Sec. 3",
      .test_params = "p=3.5"};

  PNorm(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double margin(const FeatureView& x) const {
    const double undivided = dot(power_, x);
    return undivided == 0 ? 0 : undivided / divisor();  // before the first update all weights are 0
  }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    expect_update(math::pow(norm_bound(x), params_.p));
    cover(theta_, x);
    cover(power_, x);
    x.for_each([&](FeatureView::Index i, double v) {
      sum_.add(-theta_[i] * power_[i]);  // |th_i|^p, bit for bit the value added before
      theta_[i] += sign(y) * v;
      power_[i] = std::copysign(math::pow(std::abs(theta_[i]), params_.p - 1), theta_[i]);
      sum_.add(theta_[i] * power_[i]);
    });
  }

  [[nodiscard]] std::vector<double> weights() const {
    return sum_.value() == 0 ? power_ : times(power_, 1 / divisor());
  }

  static void state(auto& self, auto& visit) {
    visit("theta", self.theta_);
    visit("power", self.power_);
    visit("sum", self.sum_);
  }

 private:
  /// A bound of |th|_p after an update: |th + x|_p <= |th|_p + |x|_p, and |x|_p^p is at most n times the
  /// largest |x_i|^p.
  [[nodiscard]] double norm_bound(const FeatureView& x) const {
    const double power = 1 / params_.p;
    return math::pow(std::max(0.0, sum_.value()), power) +
           math::pow(static_cast<double>(x.size()), power) * largest_magnitude(x);
  }
  /// |th|_p^(p-2) = (sum |th_i|^p)^((p-2)/p).
  [[nodiscard]] double divisor() const { return math::pow(sum_.value(), (params_.p - 2) / params_.p); }

  Params params_;
  std::vector<double> theta_;
  std::vector<double> power_;
  ExactSum sum_;
};

}  // namespace askfew
