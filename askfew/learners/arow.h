#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/covariance.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// AROW, adaptive regularization of weights (Crammer, Kulesza, Dredze 2009).
///
///   margin  m = mu.x                       mu starts at 0, S at I
///   update  where y m < 1: beta = 1/(x'Sx + r);  mu += (1 - y m) beta y Sx;  S -= beta Sx x'S
///
/// With P = S/r this is the update of the other second-order learners from P = I/r (covariance/primal.h);
/// only the margin is not divided and the update follows the hinge loss. The spread that rules see is x'Sx/r.
/// Cost of a round: O(nnz); an update as second-order.
class Arow : public CovarianceLearner<Covariance> {
 public:
  struct Params {
    double r = 1;
    double form = 0;
    static constexpr auto table() {
      return std::array{Param<Params>{"r", &Params::r, positive(), "a larger value makes updates smaller"},
                        Param<Params>{"form", &Params::form, one_of(covariance_forms), covariance_form_help}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "arow",
      .formula = "m = mu.x; if ym < 1: beta = 1/(x'Sx+r), mu += (1-ym) beta y Sx, S -= beta Sx x'S",
      .paper = "Crammer, Kulesza and Dredze 2009",
      .policy = UpdatePolicy::margin,
      .test_params = "r=0.5,form=primal r=0.5,form=dual"};
  static constexpr bool margin_is_divided = false;

  Arow(const Params& params, const Setting& setting)
      : CovarianceLearner(Covariance({.scale = 1 / checked(info.name, params).r},
                                     static_cast<CovarianceForm>(params.form), setting)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return undivided_margin(x); }
  [[nodiscard]] static bool suffers(Label y, double margin) { return sign(y) * margin < 1; }
  void update(const FeatureView& x, Label y, double margin) {
    if (suffers(y, margin)) CovarianceLearner::update(x, y, margin);
  }
};

}  // namespace askfew
