#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// Asks where the margin is small, whatever the norm of the instance: for learners that scale instances
/// themselves. Where the learner has a spread r, the spread counts as doubt. Not from a paper: uncertainty
/// sampling with a threshold that a budget moves.
///
///   p = 1 if no label was learned yet, or |m| <= b sqrt(1 + r/k); else 0
class Threshold {
 public:
  struct Params {
    double b = 1;
    double k = 10;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"b", &Params::b, positive(), "a larger value asks for more labels"},
          Param<Params>{"k", &Params::k, positive(), "a smaller value gives the spread more weight"}};
    }
  };
  static constexpr RuleInfo info{.name = "threshold",
                                 .formula = "asks if N = 0 or |m| <= b sqrt(1 + r/k)",
                                 .paper = "no paper: uncertainty sampling",
                                 .scale = "b",
                                 .test_params = "b=0.3 b=0.1,k=1"};
  static constexpr bool needs_spread = false;

  Threshold(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    return tally.updates == 0 || std::abs(score.margin) <= params_.b * doubt(score) ? 1 : 0;
  }
  [[nodiscard]] static bool uses_spread() { return true; }
  [[nodiscard]] double scale() const { return params_.b; }
  void set_scale(double scale) { params_.b = scale; }
  [[nodiscard]] double rank(const Score& score) const { return std::abs(score.margin) / doubt(score); }
  [[nodiscard]] static std::optional<double> critical_scale(double rank, const Tally& tally) {
    if (tally.updates == 0) return std::nullopt;
    return rank;
  }

 private:
  [[nodiscard]] double doubt(const Score& score) const { return std::sqrt(1 + score.spread / params_.k); }

  Params params_;
};

}  // namespace askfew
