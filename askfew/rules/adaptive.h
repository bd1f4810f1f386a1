#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// Margin sampling that tunes b automatically (Cesa-Bianchi, Gentile, Zaniboni 2006, Figure 2).
///
///   p = b/(b + |m|),  b = beta X'^2 sqrt(1 + K),  X' = max(X, |x|)
///   on an update: K += 1, X = X'
///
/// Promise (Theorem 2): for every u and gamma > 0, with R = |u| max|x| / gamma and B = R + (1 + 3R/2)/beta,
///   E[mistakes] <= L/gamma + R/(2 beta) + B^2/2 + B sqrt(L/gamma + R/(2 beta) + B^2/4).
class Adaptive {
 public:
  struct Params {
    double beta = 1;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"beta", &Params::beta, positive(), "a larger value asks for more labels"}};
    }
  };
  static constexpr RuleInfo info{.name = "adaptive",
                                 .formula = "p = b/(b+|m|), b = beta max(X,|x|)^2 sqrt(1+K)",
                                 .paper = "Cesa-Bianchi et al. 2006, Fig. 2",
                                 .scale = "beta",
                                 .test_params = "beta=0.02"};
  static constexpr bool needs_spread = false;

  Adaptive(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    const double longest = std::max(longest_, score.norm);
    const double b = params_.beta * longest * longest * std::sqrt(1 + static_cast<double>(tally.updates));
    // If only zero vectors were seen, b is 0. The margin is then 0 as well, unless there is a kernel: the
    // limit for b -> 0 is 1.
    return b == 0 && score.margin == 0 ? 1 : b / (b + std::abs(score.margin));
  }
  [[nodiscard]] double scale() const { return params_.beta; }
  void set_scale(double scale) { params_.beta = scale; }
  void observe(const Query& query, bool /*mistake*/, bool updated) {
    if (updated) longest_ = std::max(longest_, query.score.norm);
  }

  static void state(auto& self, auto& visit) { visit("longest", self.longest_); }

 private:
  Params params_;
  double longest_ = 0;  // X, the largest norm among the updates
};

}  // namespace askfew
