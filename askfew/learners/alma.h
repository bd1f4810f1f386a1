#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/scaled_weights.h"

namespace askfew {

/// ALMA, the approximate large margin algorithm (Gentile 2001, p = 2; Cesa-Bianchi's slides, part 6).
///
///   margin  m = w.x
///   update  where y m <= (1 - alpha) B / sqrt k, k = 1, 2, ...:
///           w' = w + (C/sqrt k) y x;  w = w' / max(1, |w'|);  k += 1        B = 1/alpha, C = sqrt 2
///
/// Promise (Gentile 2001, Theorem 3): on a separable stream of unit vectors ALMA makes at most 2/gamma^2
/// (2/alpha - 1)^2 + 8/alpha - 4 updates, where gamma is the largest margin; |w| <= 1 always. (The theorem's
/// margin of at least (1 - alpha) gamma is for B = sqrt(8)/alpha; with B = 1/alpha the margin is somewhat
/// smaller.) DIFFERS FROM PAPER: the slides omit B, C and the max; this code follows Gentile's Figure 1,
/// which has them.
/// Cost of a round: O(nnz); the norm is updated incrementally. REQUIRES: |x| = 1.
template <class Weights>
class AlmaOf {
 public:
  template <class W>
  using With = AlmaOf<W>;
  struct Params {
    double alpha = 0.9;
    static constexpr auto table() {
      return std::array{Param<Params>{"alpha", &Params::alpha, Range{.low = 0, .high = 1, .low_open = true},
                                      "the margin reaches at least 1 - alpha of the largest margin"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "alma",
      .formula = "if ym <= (1-alpha)/(alpha sqrt k): w' = w + sqrt(2/k) y x; w = w'/max(1,|w'|); k += 1",
      .paper = "Gentile 2001; slides, part 6",
      .policy = UpdatePolicy::margin,
      .unit_norm = true,
      .test_params = "alpha=0.6"};

  AlmaOf(const Params& params, const Setting& /*setting*/, Weights w = {})
      : params_(checked(info.name, params)), w_(std::move(w)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return w_.dot(x); }
  [[nodiscard]] bool suffers(Label y, double margin) const {
    return sign(y) * margin <= (1 - params_.alpha) / params_.alpha / std::sqrt(k());
  }
  void update(const FeatureView& x, Label y, double margin) {
    const double step = std::sqrt(2 / k());
    // |w'|^2 = |w|^2 + 2 step y m + step^2 xx. Rounding errors do not accumulate: each projection divides the
    // accumulated error by |w'|^2 > 1.
    const double squared = squared_norm_ + 2 * step * sign(y) * margin + step * step * x.squared_norm();
    expect_update(squared);
    const double shrink = 1 / std::max(1.0, std::sqrt(squared));
    w_.scale_and_add(shrink, shrink * step * sign(y), x);
    squared_norm_ = std::min(1.0, squared);
    ++updates_;
  }

  [[nodiscard]] std::vector<double> weights() const { return w_.values(); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("squared_norm", self.squared_norm_);
    visit("updates", self.updates_);
  }

 private:
  [[nodiscard]] double k() const { return static_cast<double>(updates_ + 1); }

  Params params_;
  ScaledWeightsOf<Weights> w_;
  double squared_norm_ = 0;
  std::uint64_t updates_ = 0;
};
using Alma = AlmaOf<std::vector<double>>;

}  // namespace askfew
