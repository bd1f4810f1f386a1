#pragma once

#include <array>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The Projectron (Orabona, Keshet, Caputo 2009, Figure 2): a kernel Perceptron that stores an instance only
/// if the instance is far from the span of the stored instances.
///
///   margin  m = f(x),  f = sum over the supports of a_i K(x_i, .)
///   update  k = (K(x_1, x), ..., K(x_n, x)),  d = G^-1 k,  delta^2 = K(x, x) - k.d,  G the supports' Gram
///   matrix
///           delta <= eta: a += y d;   else x becomes a support with a = y, and G^-1 grows by block inversion
///
/// Promise: the number of supports is finite on a bounded stream (Theorem 1); eta = 0 is the kernel
/// Perceptron with no more supports than necessary. Cost of a round: O(n d) for n supports, O(n^2) per
/// update. DIFFERS FROM PAPER: delta^2 <= 1e-8 K(x, x) counts as 0 for every eta: after a division by it, no
/// digit would be right.
class Projectron {
 public:
  struct Params : KernelParams {
    double eta = 0.1;
    static constexpr auto table() {
      return with_kernel(
          std::array{Param<Params>{"eta", &Params::eta, at_least(0),
                                   "x is stored if its distance to the span of the supports is larger"}});
    }
  };
  static constexpr LearnerInfo info{
      .name = "projectron",
      .formula = "d = G^-1 k; if K(x,x) - k.d <= eta^2: a += y d, else add x with a = y",
      .paper = "Orabona et al. 2009",
      .test_params = "eta=0.4,kernel=rbf,gamma=0.02 eta=0.4,kernel=linear"};

  Projectron(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), f_(params_, setting), memory_(setting.memory) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  void update(const FeatureView& x, Label y, double margin);
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) {
    visit("f", self.f_);
    visit("inverse", self.inverse_);
  }
  [[nodiscard]] bool consistent() const { return f_.consistent() && inverse_.size() == triangle(f_.size()); }

 private:
  static constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }
  [[nodiscard]] double* inverse_row(std::size_t i) { return inverse_.data() + triangle(i); }
  double project(std::span<const double> k);
  void grow_inverse(double delta_squared);

  Params params_;
  Expansion f_;
  MemoryShare memory_;
  std::vector<double> inverse_;     // G^-1, its lower triangle row by row
  std::vector<double> projection_;  // d
};

}  // namespace askfew
