#pragma once

#include <array>
#include <cmath>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// Asks with probability b/(b + |m|): small margins are worth their label (Cesa-Bianchi, Gentile, Zaniboni
/// 2006, Figures 1, 3 and 4, step 3).
///
/// Promise (Theorems 1, 3, 4): the expected mistakes of the fully supervised learner, for the right b, and
/// sum of b/(b + |m_t|) expected labels.
class Margin {
 public:
  struct Params {
    double b = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"b", &Params::b, positive(), "a larger value asks for more labels"}};
    }
  };
  static constexpr RuleInfo info{.name = "margin",
                                 .formula = "p = b/(b+|m|)",
                                 .paper = "Cesa-Bianchi et al. 2006, Fig. 1, 3, 4",
                                 .scale = "b",
                                 .test_params = "b=0.2"};
  static constexpr bool needs_spread = false;

  Margin(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& /*tally*/) const {
    return params_.b / (params_.b + std::abs(score.margin));
  }
  [[nodiscard]] double half_margin() const { return params_.b; }
  [[nodiscard]] double scale() const { return params_.b; }
  void set_scale(double scale) { params_.b = scale; }

 private:
  Params params_;
};

}  // namespace askfew
