#pragma once

#include <span>

#include "askfew/kernels/expansion.h"

namespace askfew {

/// Stored examples in the space of a kernel and w = the sum of alpha_i K(x_i, .), for DualCovariance.
class KernelBasis {
 public:
  KernelBasis(const KernelParams& params, const Setting& setting) : w_(params, setting) {}

  [[nodiscard]] std::size_t size() const { return w_.size(); }
  [[nodiscard]] double score(const FeatureView& x) const { return w_(x); }
  [[nodiscard]] double self(const FeatureView& x) const { return w_.squared_norm(x); }
  [[nodiscard]] KernelRow products(const FeatureView& x) const { return w_.supports().row(x); }
  /// THROWS: MemoryError.
  void reserve(const FeatureView& x) { w_.reserve(size() + 1, x); }
  /// Stores x, then w += step times the combination z of the stored examples. REQUIRES: z.size() == size() +
  /// 1.
  void extend(const FeatureView& x, std::span<const double> z, double step) {
    w_.add(x, 0);
    dense_add_scaled(w_.coefficients().data(), step, z.data(), z.size());
  }
  void read_ahead(std::span<const FeatureView> upcoming) { w_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) { visit("w", self.w_); }
  [[nodiscard]] bool consistent() const { return w_.consistent(); }

 private:
  Expansion w_;
};

}  // namespace askfew
