#pragma once

#include <algorithm>
#include <array>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// Asks with a constant probability: the control of Cesa-Bianchi, Gentile, Zaniboni 2006 (Figure 5,
/// SEL-P-FIXED) and of Monteleoni, Kaariainen 2007 (random sampling).
class Random {
 public:
  struct Params {
    double q = 0.1;
    static constexpr auto table() {
      return std::array{Param<Params>{"q", &Params::q, between(0, 1), "share of the labels asked"}};
    }
  };
  static constexpr RuleInfo info{.name = "random",
                                 .formula = "p = q",
                                 .paper = "Cesa-Bianchi et al. 2006, Fig. 5",
                                 .scale = "q",
                                 .test_params = "q=0.3"};
  static constexpr bool needs_spread = false;

  Random(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& /*score*/, const Tally& /*tally*/) const {
    return params_.q;
  }
  [[nodiscard]] double scale() const { return params_.q; }
  void set_scale(double scale) { params_.q = std::min(scale, 1.0); }

 private:
  Params params_;
};

}  // namespace askfew
