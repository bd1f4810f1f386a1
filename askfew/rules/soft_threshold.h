#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// Asks where the margin is small; the sharpness adapts to how well margins predict mistakes. Not from a
/// paper. The rule lies between `margin`, whose probability falls slowly and recovers from a bad start, and a
/// threshold, which gains more per label.
///
///   p = 1/(1 + (|m|/(b |x|))^s)                                   s = 1 is `margin` with b |x|
///   s = k for the first 30 labels, then 1 + (k - 1) g             0 <= g <= 1
///   g = ((share of mistakes among the labels) / (share estimated of all rounds) - 1)/2, in [0, 1]
///
/// The second share weights each asked label by 1/p, at most 50, where p is the probability with which the
/// rule or the audit asked the label. Both shares forget: a label has 1 - 1/100 of the weight of the next
/// label. If small margins show no more mistakes than other margins, for example after a change of the
/// target, s falls and the rule asks at larger margins too. p is never 0, so the asked labels give
/// information about all instances.
class SoftThreshold {
 public:
  struct Params {
    double b = 1;
    double k = 6;
    static constexpr auto table() {
      return std::array{Param<Params>{"b", &Params::b, positive(), "a larger value asks for more labels"},
                        Param<Params>{"k", &Params::k, at_least(1), "largest sharpness of the threshold"}};
    }
  };
  static constexpr RuleInfo info{
      .name = "soft-threshold",
      .formula = "p = 1/(1+(|m|/(b|x|))^s), 1 <= s <= k, larger if small margins predict mistakes",
      .paper = "no paper: between margin and a threshold",
      .scale = "b",
      .test_params = "b=0.05,k=4"};
  static constexpr bool needs_spread = false;

  SoftThreshold(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& /*tally*/) const {
    const double scale = params_.b * score.norm;
    return scale == 0 ? 1 : 1 / (1 + math::pow(std::abs(score.margin) / scale, sharpness()));
  }
  [[nodiscard]] double scale() const { return params_.b; }
  void set_scale(double scale) { params_.b = scale; }

  static bool observes_score() { return true; }
  void observe(const Query& query, bool mistake, bool /*updated*/) {
    const double weight = std::min(1 / query.chance(), max_weight);
    labels_ = memory * labels_ + 1;
    weights_ = memory * weights_ + weight;
    mistakes_ = memory * mistakes_ + (mistake ? 1 : 0);
    weighted_mistakes_ = memory * weighted_mistakes_ + (mistake ? weight : 0);
  }

  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
    visit("weights", self.weights_);
    visit("mistakes", self.mistakes_);
    visit("weighted_mistakes", self.weighted_mistakes_);
  }

 private:
  static constexpr double memory = 0.99;
  static constexpr double max_weight = 50;
  static constexpr double first_labels = 30;

  [[nodiscard]] double sharpness() const {
    if (labels_ < first_labels || weighted_mistakes_ <= 0) return params_.k;
    const double worth = (mistakes_ / labels_) / (weighted_mistakes_ / weights_);
    return 1 + (params_.k - 1) * std::clamp((worth - 1) / 2, 0.0, 1.0);
  }

  Params params_;
  double labels_ = 0;
  double weights_ = 0;
  double mistakes_ = 0;
  double weighted_mistakes_ = 0;
};

}  // namespace askfew
