#pragma once

#include <vector>

#include "askfew/kernels/support_set.h"
#include "askfew/linalg/dense.h"

namespace askfew {

/// A function f = sum over the supports of a_s K(x_s, .), what a kernel learner has in place of weights.
class Expansion {
 public:
  Expansion(const KernelParams& params, const Setting& setting) : supports_(params, setting) {}

  [[nodiscard]] const SupportSet& supports() const { return supports_; }
  [[nodiscard]] std::size_t size() const { return coefficients_.size(); }
  [[nodiscard]] double coefficient(std::size_t slot) const { return coefficients_[slot]; }
  [[nodiscard]] std::span<double> coefficients() { return coefficients_; }

  [[nodiscard]] double operator()(const FeatureView& x) const { return sum(supports_.row(x)); }
  /// K(x, x).
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return supports_.self(x); }
  /// f of a support.
  [[nodiscard]] double at(std::size_t slot) const { return sum(supports_.row_of(slot)); }

  /// f += a K(x, .), x in a new slot.
  void add(const FeatureView& x, double a) {
    supports_.add(x);
    coefficients_.push_back(a);
  }
  /// f += a K(x, .) - a_s K(x_s, .), x in the place of slot s.
  void replace(std::size_t slot, const FeatureView& x, double a) {
    supports_.replace(slot, x);
    coefficients_[slot] = a;
  }
  /// How much memory it takes to add x; or, of at most so many supports, to add or replace.
  [[nodiscard]] std::size_t growth(const FeatureView& x) const { return supports_.growth_if_added(x); }
  [[nodiscard]] std::size_t growth(const FeatureView& x, std::size_t most) const {
    return size() < most ? supports_.growth_if_added(x) : supports_.growth_if_replaced(x);
  }
  /// f *= factor.
  void scale(double factor) {
    for (double& a : coefficients_) a *= factor;
  }

  void read_ahead(std::span<const FeatureView> upcoming) { supports_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) {
    visit("supports", self.supports_);
    visit("coefficients", self.coefficients_);
  }
  [[nodiscard]] bool consistent() const {
    return supports_.consistent() && coefficients_.size() == supports_.size();
  }

 private:
  [[nodiscard]] double sum(std::span<const double> row) const {
    return dense_dot(coefficients_.data(), row.data(), row.size());
  }

  SupportSet supports_;
  std::vector<double> coefficients_;
};

}  // namespace askfew
