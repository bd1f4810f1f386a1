#pragma once

#include <utility>
#include <vector>

#include "askfew/linalg/sparse.h"

namespace askfew {

/// w = scale * v: multiplying the whole vector takes O(1), adding an instance O(nnz).
template <class Weights>
class ScaledWeightsOf {
 public:
  explicit ScaledWeightsOf(Weights v = {}) : v_(std::move(v)) {}

  [[nodiscard]] double dot(const FeatureView& x) const {
    using askfew::dot;
    return scale_ * dot(v_, x);
  }

  [[nodiscard]] std::vector<double> values() const { return times(values_of(v_), scale_); }

  /// w = factor * w + a x, as a learner's update. REQUIRES: 0 <= factor <= 2^300, and factor * w is short
  /// enough for an update. THROWS: NumericFailure if w might not stay finite, and then changes nothing.
  void scale_and_add(double factor, double a, const FeatureView& x) {
    expect_update(a, x.squared_norm());
    scale_ *= factor;
    if (scale_ < smallest || scale_ > largest) fold();
    add_scaled(v_, a / scale_, x);
  }

  static void state(auto& self, auto& visit) {
    visit("v", self.v_);
    visit("scale", self.scale_);
  }

 private:
  // Far from the underflow and overflow of scale * v; reached so rarely that the O(d) cost of folding does
  // not matter.
  static constexpr double smallest = 0x1.0p-300;
  static constexpr double largest = 0x1.0p+300;

  void fold() {
    scale(v_, scale_);
    scale_ = 1;
  }

  Weights v_;
  double scale_ = 1;
};
using ScaledWeights = ScaledWeightsOf<std::vector<double>>;

}  // namespace askfew
