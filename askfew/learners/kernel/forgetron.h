#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"

namespace askfew {

/// The self-tuned Forgetron (Dekel, Shalev-Shwartz, Singer 2008, Figure 3): a kernel Perceptron with at most
/// B supports. It shrinks the oldest support before forgetting it, so that little is lost.
///
///   margin  m = f(x),  f = sum over the supports of a_i K(x_i, .)
///   update  f' = f + y K(x, .);  M += 1;  if f' has B + 1 supports, r the oldest, s = |a_r|, u = sgn(a_r)
///   f'(x_r):
///           Psi(p) = (s^2 - 2 s u) p^2 + 2 s p
///           p the largest number in (0, 1] with Psi(p) + Q <= 15/32 M
///           f = p (f' - a_r K(x_r, .));  Q += Psi(p)
///
/// Promise (K(x, x) <= 1, policy mistake, B >= 83): for every |g| <= U = 1/4 sqrt((B+1) / ln(B+1)),
///   mistakes <= 2 |g|^2 + 4 (sum of g's hinge losses).
/// Cost of a round: O(B d).
class Forgetron {
 public:
  using Params = BudgetParams;
  static constexpr LearnerInfo info{
      .name = "forgetron",
      .formula =
          "f' = f + y K(x,.); at B+1 supports, r the oldest: f = p (f' - a_r K(x_r,.)), "
          "p <= 1 the largest with Psi(p)+Q <= 15M/32; Q += Psi(p)",
      .paper = "Dekel et al. 2008",
      .test_params = "B=5,kernel=rbf,gamma=0.1 B=5,kernel=linear"};

  Forgetron(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), f_(params_, setting) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  void update(const FeatureView& x, Label y, double margin);
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) {
    visit("f", self.f_);
    visit("oldest", self.oldest_);
    visit("updates", self.updates_);
    visit("damage", self.damage_);
  }
  [[nodiscard]] bool consistent() const;

 private:
  [[nodiscard]] double allowed() const { return 15.0 / 32 * static_cast<double>(updates_); }

  Params params_;
  Expansion f_;
  std::uint64_t oldest_ = 0;   // the slots form a ring once all B are in use
  std::uint64_t updates_ = 0;  // M
  double damage_ = 0;          // Q, the damage from forgetting
};

}  // namespace askfew
