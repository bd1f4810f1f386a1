#pragma once

#include <array>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/kernels/expansion.h"

namespace askfew {

/// The Randomized Budget Perceptron (Cavallanti, Cesa-Bianchi, Gentile 2007; Cesa-Bianchi's slides, part 5):
/// a kernel Perceptron with at most B supports.
///
///   margin  m = f(x),  f = sum over the supports of y_i K(x_i, .)
///   update  x becomes a support; if there are B supports already, x replaces a random support
///
/// Promise (slides): with B = (1 + e) U^2 supports and K(x, x) <= 1 the mistakes scale with 1 + 1/e against
/// every |u| <= U.
/// Cost of a round: O(B d).
class KernelBudget {
 public:
  using Params = BudgetParams;
  static constexpr LearnerInfo info{
      .name = "kernel-budget",
      .formula = "m = sum of y_i K(x_i,x); add x; at B supports it replaces a random one",
      .paper = "Cavallanti et al. 2007; slides, part 5",
      .test_params = "B=5,kernel=rbf,gamma=0.1 B=5,kernel=linear"};

  KernelBudget(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), coin_(setting.key, CoinPurpose::learner), f_(params_, setting) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return f_(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return f_.squared_norm(x); }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    if (f_.size() < static_cast<std::size_t>(params_.B)) {
      f_.add(x, sign(y));
    } else {
      f_.replace(static_cast<std::size_t>(coin_(removals_ + 1) * params_.B), x, sign(y));
      ++removals_;
    }
  }
  void read_ahead(std::span<const FeatureView> upcoming) { f_.read_ahead(upcoming); }

  static void state(auto& self, auto& visit) {
    visit("f", self.f_);
    visit("removals", self.removals_);
  }
  [[nodiscard]] bool consistent() const {
    return f_.consistent() && f_.size() <= static_cast<std::size_t>(params_.B) && removals_ <= max_rounds;
  }

 private:
  Params params_;
  Coin coin_;
  Expansion f_;
  std::uint64_t removals_ = 0;
};

}  // namespace askfew
