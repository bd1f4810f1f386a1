#pragma once

#include <vector>

#include "askfew/kernels/support_set.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/update_size.h"

namespace askfew {

/// A function f = sum over the supports of a_s K(x_s, .): a kernel learner has f instead of weights. Many
/// threads may call const members at the same time.
class Expansion {
 public:
  Expansion(const KernelParams& params, const Setting& setting) : supports_(params, setting) {}

  [[nodiscard]] const SupportSet& supports() const { return supports_; }
  [[nodiscard]] std::size_t size() const { return coefficients_.size(); }
  [[nodiscard]] double coefficient(std::size_t slot) const { return coefficients_[slot]; }
  [[nodiscard]] std::span<double> coefficients() { return coefficients_; }

  [[nodiscard]] double operator()(const FeatureView& x) const { return sum(supports_.row(x).values); }
  /// K(x, x).
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return supports_.self(x); }
  /// f at a support.
  [[nodiscard]] double at(std::size_t slot) const { return sum(supports_.row_of(slot).values); }

  /// Takes the memory to store x in so many slots. THROWS: MemoryError.
  void reserve(std::size_t slots, const FeatureView& x) { supports_.reserve(slots, x); }
  /// Call before adding a support x with the coefficient a, or replacing a support by x, if something else
  /// changes first. Changes nothing. THROWS: NumericFailure if numbers might not stay finite, MemoryError.
  void prepare(std::size_t slots, const FeatureView& x, double a) {
    expect_update(supports_.self(x));
    expect_update(a * a);
    reserve(slots, x);
  }
  /// f += a K(x, .), x in a new slot. THROWS: as `prepare`, and then changes nothing.
  void add(const FeatureView& x, double a) {
    prepare(size() + 1, x, a);
    supports_.add(x);
    coefficients_.push_back(a);
  }
  /// f += a K(x, .) - a_s K(x_s, .): x replaces the support in slot s. THROWS: as `prepare`, and then changes
  /// nothing.
  void replace(std::size_t slot, const FeatureView& x, double a) {
    prepare(size(), x, a);
    supports_.replace(slot, x);
    coefficients_[slot] = a;
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
