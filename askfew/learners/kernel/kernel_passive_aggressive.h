#pragma once

#include <algorithm>
#include <array>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"

namespace askfew {

/// Passive-aggressive algorithms in the space of a kernel (Crammer et al. 2006, Section 3).
///
///   margin  m = f(x),  f = sum over the supports of a_i K(x_i, .),  loss l = (1 - y m)+
///   update  x becomes a support with a = eta y;
///           kernel-pa: eta = l/K(x,x),   kernel-pa-1: min(C, l/K(x,x)),   kernel-pa-2: l/(K(x,x) + 1/C)
///
/// Promise: as for the linear forms, for every u in the kernel's space, where K(x, x) <= 1. After an update
/// of kernel-pa the loss on x is 0. Cost of a round: O(n d) for n supports; each update adds one.
struct KernelHildreth {
  using Params = OnlyKernelParams;
  static constexpr LearnerInfo info{
      .name = "kernel-pa",
      .formula = "m = sum of a_i K(x_i,x); l = (1-ym)+; add x with a = y l/K(x,x)",
      .paper = "Crammer et al. 2006",
      .policy = UpdatePolicy::margin,
      .test_params = "kernel=polynomial,degree=3,offset=0.5 kernel=linear"};
  static double step(const Params& /*params*/, double loss, double xx) { return loss / xx; }
};

struct KernelPaOne {
  struct Params : KernelParams {
    double C = 1;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"C", &Params::C, positive(), "largest step size of an update"}});
    }
  };
  static constexpr LearnerInfo info{
      .name = "kernel-pa-1",
      .formula = "m = sum of a_i K(x_i,x); l = (1-ym)+; add x with a = y min(C, l/K(x,x))",
      .paper = "Crammer et al. 2006",
      .policy = UpdatePolicy::margin,
      .test_params = "C=0.1,kernel=rbf,gamma=0.1 C=0.1,kernel=linear"};
  static double step(const Params& params, double loss, double xx) { return std::min(params.C, loss / xx); }
};

struct KernelPaTwo {
  struct Params : KernelParams {
    double C = 1;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"C", &Params::C, positive(), "a larger value trusts labels more"}});
    }
  };
  static constexpr LearnerInfo info{
      .name = "kernel-pa-2",
      .formula = "m = sum of a_i K(x_i,x); l = (1-ym)+; add x with a = y l/(K(x,x)+1/C)",
      .paper = "Crammer et al. 2006",
      .policy = UpdatePolicy::margin,
      .test_params = "C=0.5,kernel=linear C=0.5,kernel=rbf,gamma=0.1"};
  static double step(const Params& params, double loss, double xx) { return loss / (xx + 1 / params.C); }
};

template <class Variant>
class KernelPassiveAggressive {
 public:
  using Params = typename Variant::Params;
  static constexpr LearnerInfo info = Variant::info;

  KernelPassiveAggressive(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), f_(params_, setting) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  [[nodiscard]] bool suffers(Label y, double margin) const { return loss(y, margin) > 0; }
  void update(const FeatureView& x, Label y, double margin) {
    const double xx = f_.squared_norm(x);
    if (xx == 0 || !suffers(y, margin)) return;  // no step can change the margin if K(x, x) = 0
    f_.add(x, Variant::step(params_, loss(y, margin), xx) * sign(y));
  }
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) { visit("f", self.f_); }
  [[nodiscard]] bool consistent() const { return f_.consistent(); }

 private:
  static double loss(Label y, double margin) { return std::max(0.0, 1 - sign(y) * margin); }

  Params params_;
  Expansion f_;
};

}  // namespace askfew
