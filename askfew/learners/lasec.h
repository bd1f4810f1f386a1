#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/covariance.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// LASEC, the last-step min-max classifier for targets that drift (Moroshko, Crammer 2014, Figure 1).
///
///   margin  m = x'S^-1 (I + D/c)^-1 e,  S = (D^-1 + I/c)^-1 + xx'       D starts at bc/(c-b) I, e at 0
///   update  e = (I + D/c)^-1 e + y x,  D = S
///
/// computed with P = D^-1, w = D^-1 e and the process noise 1/c: m = w.x/(1 + x'(P + I/c)x), see
/// covariance/primal.h. c -> infinity is the second-order Perceptron with a = b.
/// Promise (Theorem 4, rule margin(a)): for every sequence u_t and gamma > 0, with V its drift over updates,
///   E[mistakes] <= L/gamma + a/(2 gamma^2) (b |u_1|^2 + c V + E[sum (u_t.x_t)^2]) + 1/(2a) E[sum x_t'D_t^-1
///   x_t].
/// Cost of a round: as second-order; the noise adds no cost.
class Lasec : public CovarianceLearner<Covariance> {
 public:
  struct Params {
    double b = 1;
    double c = 300;
    double form = 0;
    static constexpr auto table() {
      return std::array{Param<Params>{"b", &Params::b, positive(),
                                      "a larger value expects a smaller first target; below c"},
                        Param<Params>{"c", &Params::c, positive(), "a larger value expects slower drift"},
                        Param<Params>{"form", &Params::form, one_of(covariance_forms), covariance_form_help}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "lasec",
      .formula = "m = x'S^-1(I+D/c)^-1 e, S = (D^-1+I/c)^-1+xx'; e = (I+D/c)^-1 e + y x, D = S",
      .paper = "Moroshko and Crammer 2014, Fig. 1",
      .test_params = "b=0.5,c=100,form=primal b=0.5,c=100,form=dual"};

  Lasec(const Params& params, const Setting& setting)
      : CovarianceLearner(Covariance(lasec_start(info.name, checked(info.name, params).b, params.c),
                                     static_cast<CovarianceForm>(params.form), setting)) {}
};

}  // namespace askfew
