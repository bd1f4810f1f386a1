#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"

namespace askfew {

/// The Perceptron in the space of a kernel (Aizerman, Braverman, Rozonoer 1964; Freund, Schapire 1999).
///
///   margin  m = f(x),  f = sum over the supports of a_i K(x_i, .)
///   update  x becomes a support with a = rate y
///
/// Promise: as for the Perceptron, for every u in the kernel's space, with X^2 the largest K(x, x).
/// Cost of a round: O(n d) for n supports; each update adds one.
class KernelPerceptron {
 public:
  struct Params : KernelParams {
    double rate = 1;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"rate", &Params::rate, positive(), "step size of an update"}});
    }
  };
  static constexpr LearnerInfo info{.name = "kernel-perceptron",
                                    .formula = "m = sum of a_i K(x_i,x); add x with a = rate y",
                                    .paper = "Aizerman et al. 1964; Freund and Schapire 1999",
                                    .test_params = "rate=0.5,kernel=rbf,gamma=0.1 kernel=linear"};

  KernelPerceptron(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), f_(params_, setting) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  void update(const FeatureView& x, Label y, double /*margin*/) { f_.add(x, params_.rate * sign(y)); }
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) { visit("f", self.f_); }
  [[nodiscard]] bool consistent() const { return f_.consistent(); }

 private:
  Params params_;
  Expansion f_;
};

}  // namespace askfew
