#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// Asks where the learner is uncertain, at any margin: BBQ, the "bound on bias query" (Cesa-Bianchi, Gentile,
/// Orabona 2009), as the rule of BBQ and BBQ-I in Moroshko, Crammer 2014, section 5.
///
///   p = 1 if r/(1 + r) > t^-kappa, else 0          r = x'A^-1 x, so that r/(1 + r) = x'(A + xx')^-1 x
class Variance {
 public:
  struct Params {
    double kappa = 0.3;
    static constexpr auto table() {
      return std::array{Param<Params>{"kappa", &Params::kappa, Range{.low = 0, .high = 1, .low_open = true},
                                      "a larger value asks for more labels"}};
    }
  };
  static constexpr RuleInfo info{.name = "variance",
                                 .formula = "asks if r/(1+r) > t^-kappa",
                                 .paper = "Cesa-Bianchi et al. 2009 (BBQ); Moroshko and Crammer 2014",
                                 .scale = "kappa",
                                 .test_params = "kappa=0.2"};
  static constexpr bool needs_spread = true;

  Variance(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    const double threshold = math::pow(static_cast<double>(tally.round), -params_.kappa);
    return score.spread / (1 + score.spread) > threshold ? 1 : 0;
  }
  [[nodiscard]] double scale() const { return params_.kappa; }
  void set_scale(double scale) { params_.kappa = scale; }

 private:
  Params params_;
};

}  // namespace askfew
