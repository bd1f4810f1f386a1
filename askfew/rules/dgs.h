#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// Asks if the margin lies within a confidence bound from the asked labels: DGS-Mod (Orabona, Cesa-Bianchi
/// 2011, "Better algorithms for selective sampling").
///
///   p = 1 if m^2 <= alpha r (4 sum + 36 ln(t/delta)) ln t, else 0,  sum of r/(1 + r) over the asked rounds
class Dgs {
 public:
  struct Params {
    double alpha = 1;
    double delta = 0.1;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"alpha", &Params::alpha, positive(), "a larger value asks for more labels"},
          Param<Params>{"delta", &Params::delta, Range{.low = 0, .high = 1, .low_open = true},
                        "probability that the confidence bound fails"}};
    }
  };
  static constexpr RuleInfo info{.name = "dgs",
                                 .formula = "asks if m^2 <= alpha r (4 sum + 36 ln(t/delta)) ln t",
                                 .paper = "Orabona and Cesa-Bianchi 2011",
                                 .scale = "alpha",
                                 .test_params = "alpha=0.00002,delta=0.05"};
  static constexpr bool needs_spread = true;

  Dgs(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    const double t = static_cast<double>(tally.round);
    const double confidence = (4 * sum_ + 36 * math::log(t / params_.delta)) * math::log(t);
    return score.margin * score.margin <= params_.alpha * score.spread * confidence ? 1 : 0;
  }
  [[nodiscard]] double scale() const { return params_.alpha; }
  void set_scale(double scale) { params_.alpha = scale; }
  static bool observes_score() { return true; }
  void observe(const Query& query, bool /*mistake*/, bool /*updated*/) {
    sum_ += query.score.spread / (1 + query.score.spread);
  }

  static void state(auto& self, auto& visit) { visit("sum", self.sum_); }

 private:
  Params params_;
  double sum_ = 0;
};

}  // namespace askfew
