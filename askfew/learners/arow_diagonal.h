#pragma once

#include <array>
#include <span>

#include "askfew/config/params.h"
#include "askfew/covariance/diagonal.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// AROW with a diagonal S (Crammer, Kulesza, Dredze 2009, section 5): for millions of features.
///
///   margin  m = mu.x                       mu starts at 0, S at I
///   update  where y m < 1: beta = 1/(x'Sx + r);  mu += (1 - y m) beta y Sx;  S_ii -= beta (S_ii x_i)^2
///
/// P = S/r is kept, as in arow.h. Cost of a round: O(nnz).
class ArowDiagonal : public CovarianceLearner<DiagonalCovariance> {
 public:
  struct Params {
    double r = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"r", &Params::r, positive(), "a larger value makes updates smaller"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "arow-diagonal",
      .formula = "m = mu.x; if ym < 1: beta = 1/(x'Sx+r), mu += (1-ym) beta y Sx, S_ii -= beta (S_ii x_i)^2",
      .paper = "Crammer, Kulesza and Dredze 2009",
      .policy = UpdatePolicy::margin,
      .test_params = "r=0.5"};
  static constexpr bool margin_is_divided = false;

  ArowDiagonal(const Params& params, const Setting& /*setting*/)
      : CovarianceLearner(DiagonalCovariance(1 / checked(info.name, params).r)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return undivided_margin(x); }
  [[nodiscard]] static bool suffers(Label y, double margin) { return sign(y) * margin < 1; }
  void set_weights(std::span<const double> weights) { core_.set_weights(weights); }

  void update(const FeatureView& x, Label y, double margin) {
    if (!suffers(y, margin)) return;
    const double beta = 1 / (1 + core_.spread(x));
    const double step = beta * (sign(y) - margin);  // (1 - ym) y = y - m
    core_.expect_update(x, step);
    core_.change(x, [&](double& w, double& p, double value) {
      const double px = p * value;
      w += step * px;
      p -= beta * px * px;
    });
  }
};

}  // namespace askfew
