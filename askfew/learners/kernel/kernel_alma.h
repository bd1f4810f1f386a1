#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"

namespace askfew {

/// ALMA in the space of a kernel (Gentile 2001, p = 2, Section 5).
///
///   margin  m = f(x),  f = sum over the supports of a_i K(x_i, .)
///   update  where y m <= (1 - alpha) B / sqrt k, k = 1, 2, ...:
///           f' = f + (C/sqrt k) y K(x, .);  f = f' / max(1, |f'|);  k += 1        B = 1/alpha, C = sqrt 2
///
/// Promise: that of the linear form, with gamma the largest margin in the kernel's space; |f| <= 1 always.
/// Cost of a round: O(n d) for n supports, each update adds one; the norm is updated incrementally.
/// REQUIRES: K(x, x) = 1, that is, the rbf kernel, or |x| = 1 and the linear kernel.
class KernelAlma {
 public:
  struct Params : KernelParams {
    double alpha = 0.9;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"alpha", &Params::alpha, Range{.low = 0, .high = 1, .low_open = true},
                                   "the margin reaches at least 1 - alpha of the largest margin"}});
    }
  };
  static constexpr LearnerInfo info{
      .name = "kernel-alma",
      .formula = "if ym <= (1-alpha)/(alpha sqrt k): f' = f + sqrt(2/k) y K(x,.); f = f'/max(1,|f'|); k += 1",
      .paper = "Gentile 2001",
      .policy = UpdatePolicy::margin,
      .unit_norm = true,
      .test_params = "alpha=0.6,kernel=rbf,gamma=0.5 alpha=0.6,kernel=linear"};

  KernelAlma(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), f_(params_, setting) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  [[nodiscard]] bool suffers(Label y, double margin) const {
    return sign(y) * margin <= (1 - params_.alpha) / params_.alpha / std::sqrt(k());
  }
  void update(const FeatureView& x, Label y, double margin) {
    const double step = std::sqrt(2 / k());
    // |f'|^2 = |f|^2 + 2 step y m + step^2 K(x, x), updated incrementally as in the linear form.
    const double squared = squared_norm_ + 2 * step * sign(y) * margin + step * step * f_.squared_norm(x);
    expect_update(squared);
    const double shrink = 1 / std::max(1.0, std::sqrt(squared));
    f_.prepare(f_.size() + 1, x, step);
    f_.scale(shrink);
    f_.add(x, shrink * step * sign(y));
    squared_norm_ = std::min(1.0, squared);
    ++updates_;
  }
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) {
    visit("f", self.f_);
    visit("squared_norm", self.squared_norm_);
    visit("updates", self.updates_);
  }
  [[nodiscard]] bool consistent() const { return f_.consistent(); }

 private:
  [[nodiscard]] double k() const { return static_cast<double>(updates_ + 1); }

  Params params_;
  Expansion f_;
  double squared_norm_ = 0;
  std::uint64_t updates_ = 0;
};

}  // namespace askfew
