#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/covariance/dual.h"
#include "askfew/covariance/kernel_basis.h"
#include "askfew/covariance/learner.h"

namespace askfew {

/// LASEC in the space of a kernel (Moroshko, Crammer 2014, section 3, end): learners/lasec.h with K(x, z) for
/// x.z, in dual variables.
///
///   margin  m = (sum of alpha_i K(x_i, x)) / (1 + r)
///   update  as covariance/dual.h with the process noise 1/c
///
/// Cost of a round: O(n d) for n stored examples and O(n^2) where bounds on the spread do not decide; O(n^2)
/// per update. Memory O(n^2).
class KernelLasec : public CovarianceLearner<DualCovariance<KernelBasis>> {
 public:
  struct Params : KernelParams {
    double b = 1;
    double c = 300;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"b", &Params::b, positive(),
                                   "a larger value expects a smaller first target; below c"},
                     Param<Params>{"c", &Params::c, positive(), "a larger value expects slower drift"}});
    }
  };
  static constexpr LearnerInfo info{
      .name = "kernel-lasec",
      .formula = "lasec in the kernel's space; store (x, y)",
      .paper = "Moroshko and Crammer 2014, Fig. 1, with kernels",
      .test_params = "b=0.5,c=100,kernel=rbf,gamma=0.05 b=0.5,c=100,kernel=linear"};

  KernelLasec(const Params& params, const Setting& setting)
      : CovarianceLearner(
            DualCovariance<KernelBasis>(lasec_start(info.name, checked(info.name, params).b, params.c),
                                        KernelBasis(params, setting), setting)) {}
};

}  // namespace askfew
