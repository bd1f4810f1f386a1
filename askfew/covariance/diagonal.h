#pragma once

#include <span>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// A diagonal P: one weight and one variance per feature, O(nnz) per round. New features have weight 0 and
/// the initial variance. Many threads may call const members at the same time.
class DiagonalCovariance {
 public:
  explicit DiagonalCovariance(double scale) : scale_(scale) {}

  [[nodiscard]] double score(const FeatureView& x) const { return dot(w_, x); }
  /// r = x'Px
  [[nodiscard]] double spread(const FeatureView& x) const {
    double sum = 0;
    x.for_each(
        [&](FeatureView::Index i, double value) { sum += (i < p_.size() ? p_[i] : scale_) * value * value; });
    return sum;
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding(scale_ * x.squared_norm());
  }

  /// Call before an update that adds at most step Px to the weights and (Px)^2 to the variances. THROWS:
  /// NumericFailure if they might not stay finite.
  void expect_update(const FeatureView& x, double step) const {
    const double most = scale_ * x.squared_norm() * scale_;  // |Px|^2, because variances never grow
    askfew::expect_update(most);
    askfew::expect_update(step, most);
  }
  /// Calls f(weight, variance, x_i) for every feature of x; f may change weight and variance.
  template <class F>
  void change(const FeatureView& x, F&& f) {
    if (x.extent() > w_.size()) {
      w_.resize(x.extent());
      p_.resize(x.extent(), scale_);
    }
    x.for_each([&](FeatureView::Index i, double value) { f(w_[i], p_[i], value); });
  }

  [[nodiscard]] const std::vector<double>& weights() const { return w_; }
  void set_weights(std::span<const double> weights) { replace_values(w_, weights); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("P", self.p_);
  }
  [[nodiscard]] bool consistent() const { return w_.size() == p_.size(); }

 private:
  double scale_;
  std::vector<double> w_;
  std::vector<double> p_;
};

}  // namespace askfew
