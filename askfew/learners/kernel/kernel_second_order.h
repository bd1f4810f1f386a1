#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/dual.h"
#include "askfew/covariance/kernel_basis.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// The second-order Perceptron and regularised least squares in the space of a kernel (Cesa-Bianchi, Gentile,
/// Zaniboni 2006, section 4.2; Cavallanti, Cesa-Bianchi, Gentile 2008): learners/second_order.h with K(x, z)
/// for x.z, in dual variables.
///
///   margin  m = y'(a I + G)^-1 k            G: kernel matrix of the stored examples and x; k: column of x
///   update  store (x, y)
///
/// computed as in covariance/dual.h. Cost of a round: O(n d) for n stored examples and O(n^2) where bounds on
/// the spread do not decide; O(n^2) per update. Memory O(n^2).
template <class Variant>
class KernelLeastSquares : public CovarianceLearner<DualCovariance<KernelBasis>> {
 public:
  struct Params : KernelParams {
    double a = 1;
    static constexpr auto table() {
      return with_kernel(std::array{Param<Params>{
          "a", &Params::a, positive(), "A starts at a I; a larger value makes the first updates smaller"}});
    }
  };
  static constexpr LearnerInfo info = Variant::info;

  KernelLeastSquares(const Params& params, const Setting& setting)
      : CovarianceLearner(DualCovariance<KernelBasis>({.scale = 1 / checked(info.name, params).a},
                                                      KernelBasis(params, setting), setting)) {}
};

struct KernelSecondOrderVariant {
  static constexpr LearnerInfo info{
      .name = "kernel-second-order",
      .formula = "m = y'(aI+G)^-1 k over the stored examples and x; store (x, y)",
      .paper = "Cesa-Bianchi et al. 2006, Fig. 3, with kernels",
      .test_params = "a=0.5,kernel=rbf,gamma=0.05 a=0.5,kernel=linear"};
};
struct KernelRlsVariant {
  static constexpr LearnerInfo info{
      .name = "kernel-rls",
      .formula = "m = y'(aI+G)^-1 k over the stored examples and x; store (x, y)",
      .paper = "Cavallanti et al. 2008, Fig. 1, with kernels",
      .policy = UpdatePolicy::asked,
      .test_params = "a=20,kernel=polynomial,degree=2,offset=0.5 a=0.5,kernel=linear"};
};
using KernelSecondOrder = KernelLeastSquares<KernelSecondOrderVariant>;
using KernelRls = KernelLeastSquares<KernelRlsVariant>;

}  // namespace askfew
