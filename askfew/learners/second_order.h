#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/covariance.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// The second-order Perceptron (Cesa-Bianchi, Gentile, Zaniboni 2006, Figure 3) and, with the same margin and
/// update on every asked label, regularised least squares (Cavallanti, Cesa-Bianchi, Gentile 2008, Figure 1).
///
///   margin  m = v'(A + xx')^-1 x            A starts at a I, v at 0
///   update  v += y x,  A += xx'
///
/// computed as m = w.x/(1 + r) with w = A^-1 v, r = x'A^-1 x; see covariance/primal.h. m and w.x have the
/// same sign. Promise (2006, Theorem 3, a = 1, rule margin(b)): for every u and gamma > 0
///   E[mistakes] <= L/gamma + b/(2 gamma^2) u'E[A]u + 1/(2b) sum of E[ln(1 + eigenvalue of A - I)].
/// Promise (2008, Theorems 1 and 2, rls + log-threshold): under linear noise the regret against Bayes grows
/// with the logarithm of T, or with a power of T that depends on the noise near the boundary. Cost of a
/// round: O(nnz) where bounds on r decide, else O(nnz^2); O(d nnz + d^2/block) per update (primal), O(n^2)
/// with n stored examples (dual).
template <class Variant>
class LeastSquares : public CovarianceLearner<Covariance> {
 public:
  struct Params {
    double a = 1;
    double form = 0;
    static constexpr auto table() {
      return std::array{Param<Params>{"a", &Params::a, positive(),
                                      "A starts at a I; a larger value makes the first updates smaller"},
                        Param<Params>{"form", &Params::form, one_of(covariance_forms), covariance_form_help}};
    }
  };
  static constexpr LearnerInfo info = Variant::info;

  LeastSquares(const Params& params, const Setting& setting)
      : CovarianceLearner(Covariance({.scale = 1 / checked(info.name, params).a},
                                     static_cast<CovarianceForm>(params.form), setting)) {}
};

struct SecondOrderVariant {
  static constexpr LearnerInfo info{.name = "second-order",
                                    .formula = "m = v'(A+xx')^-1 x; v += y x, A += xx'",
                                    .paper = "Cesa-Bianchi et al. 2006, Fig. 3",
                                    .test_params = "a=0.5,form=primal a=0.5,form=dual"};
};
struct RlsVariant {
  static constexpr LearnerInfo info{.name = "rls",
                                    .formula = "m = v'(A+xx')^-1 x; v += y x, A += xx'",
                                    .paper = "Cavallanti et al. 2008, Fig. 1",
                                    .policy = UpdatePolicy::asked,
                                    .test_params = "a=0.5,form=primal a=0.5,form=dual"};
};
using SecondOrder = LeastSquares<SecondOrderVariant>;
using Rls = LeastSquares<RlsVariant>;

}  // namespace askfew
