#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/diagonal.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// The second-order Perceptron (Cesa-Bianchi, Gentile, Zaniboni 2006, Figure 3) with only the diagonal of A:
/// for millions of features.
///
///   margin  m = (sum of v_i x_i/A_ii) / (1 + r),  r = sum of x_i^2/A_ii       A_ii starts at a, v at 0
///   update  v += y x,  A_ii += x_i^2
///
/// P_ii = 1/A_ii and w_i = v_i/A_ii are kept. DIFFERS FROM PAPER: no theorem covers the diagonal.
/// Cost of a round: O(nnz).
class SecondOrderDiagonal : public CovarianceLearner<DiagonalCovariance> {
 public:
  struct Params {
    double a = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"a", &Params::a, positive(),
                                      "A starts at a I; a larger value makes the first updates smaller"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "second-order-diagonal",
      .formula = "m = sum(v_i x_i/A_ii)/(1+r), r = sum(x_i^2/A_ii); v += y x, A_ii += x_i^2",
      .paper = "Cesa-Bianchi et al. 2006, Fig. 3, on the diagonal",
      .test_params = "a=0.5"};

  SecondOrderDiagonal(const Params& params, const Setting& /*setting*/)
      : CovarianceLearner(DiagonalCovariance(1 / checked(info.name, params).a)) {}

  void update(const FeatureView& x, Label y, double /*margin*/) {
    askfew::expect_update(x.squared_norm());
    core_.change(x, [&](double& w, double& p, double value) {
      const double a = 1 / p;
      const double v = w * a;
      p = 1 / (a + value * value);
      w = p * (v + sign(y) * value);
    });
  }
};

}  // namespace askfew
