#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"

namespace askfew {

/// The active learning rule of DKM (Dasgupta, Kalai, Monteleoni 2005, in Monteleoni, Kaariainen 2007, Figure
/// 1): asks if the margin is within a threshold. The threshold halves after R asked labels in a row without a
/// mistake.
///
///   p = 1 if |m| <= s, else 0
///   R asked labels in a row without a mistake: s /= 2, and the count restarts; a mistake restarts the count
///
/// s starts at 1, the largest margin of unit vectors (2007, Section 3.2); 1/sqrt d under the uniform
/// distribution.
class Halving {
 public:
  struct Params {
    double R = 32;
    double s = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"R", &Params::R, count_from(1),
                                      "labels in a row without a mistake before s is halved"},
                        Param<Params>{"s", &Params::s, positive(), "first threshold"}};
    }
  };
  static constexpr RuleInfo info{.name = "halving",
                                 .formula = "asks if |m| <= s; R right answers in a row: s /= 2",
                                 .paper = "Monteleoni and Kaariainen 2007, Fig. 1",
                                 .scale = "R",
                                 .test_params = "R=6,s=1"};
  static constexpr bool needs_spread = false;

  Halving(const Params& params, const Setting& /*setting*/)
      : params_(checked(info.name, params)), threshold_(params.s) {}

  [[nodiscard]] double ask_probability(const Score& score, const Tally& /*tally*/) const {
    return std::abs(score.margin) <= threshold_ ? 1 : 0;
  }
  /// A budget moves the threshold directly; a change of R would act only after R labels.
  [[nodiscard]] double scale() const { return threshold_; }
  void set_scale(double scale) { threshold_ = scale; }
  void observe(const Query& /*query*/, bool mistake, bool /*updated*/) {
    right_in_a_row_ = mistake ? 0 : right_in_a_row_ + 1;
    if (static_cast<double>(right_in_a_row_) >= params_.R) {
      threshold_ /= 2;
      right_in_a_row_ = 0;
    }
  }

  static void state(auto& self, auto& visit) {
    visit("threshold", self.threshold_);
    visit("right_in_a_row", self.right_in_a_row_);
  }

 private:
  Params params_;
  double threshold_;
  std::uint64_t right_in_a_row_ = 0;
};

}  // namespace askfew
