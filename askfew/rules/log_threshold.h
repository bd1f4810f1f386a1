#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// Asks where the margin is below a threshold that shrinks as examples are stored (Cavallanti, Cesa-Bianchi,
/// Gentile 2008, Figure 1; Cesa-Bianchi's slides, "a selective sampling classifier").
///
///   small(t) :  |m| <= |x| sqrt(c ln t / N),  N = updates so far
///   p = 1 if N = 0, or in the transient N <= 16/lambda^2 max(d, ln t), or small(t); else 0
///   next = 1 (SSNL, as Figure 1 is printed): small(t) asks for the label of instance t + 1 instead
///
/// The paper has |x| = 1. An instance of norm 0 has margin 0 and teaches nothing: empty = skip never asks it.
/// c = 128/lambda with lambda the smallest eigenvalue of the instances' covariance is the paper's rule; its
/// experiments leave the transient out, and so does lambda = 0 here.
class LogThreshold {
 public:
  static constexpr std::array<std::string_view, 2> empty_choices{"ask", "skip"};
  struct Params {
    double c = 1;
    double next = 0;
    double lambda = 0;
    double empty = 0;
    static constexpr auto table() {
      return std::array{Param<Params>{"c", &Params::c, positive(), "a larger value asks for more labels"},
                        Param<Params>{"next", &Params::next, either(),
                                      "1: a small margin asks for the label of the next instance (SSNL)"},
                        Param<Params>{"lambda", &Params::lambda, at_least(0),
                                      "smallest eigenvalue in the transient of Theorem 2; 0: no transient"},
                        Param<Params>{"empty", &Params::empty, one_of(empty_choices),
                                      "ask or skip an instance of norm 0, which has nothing to teach"}};
    }
  };
  static constexpr RuleInfo info{
      .name = "log-threshold",
      .formula = "asks if N = 0 or |m| <= |x| sqrt(c ln t / N)",
      .paper = "Cavallanti et al. 2008, Fig. 1; slides, part 6",
      .scale = "c",
      .test_params = "c=0.5 c=0.5,empty=skip c=0.5,next=1 c=0.02,lambda=8 c=0.02,next=1,lambda=8"};
  static constexpr bool needs_spread = false;
  static bool needs_dimension(const Params& params) { return params.lambda > 0; }

  LogThreshold(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), dimension_(setting.dimension) {
    if (needs_dimension(params_) && setting.dimension == 0) {
      throw ConfigError("log-threshold: lambda > 0 needs the number of features to be known");
    }
  }

  [[nodiscard]] double ask_probability(const Score& score, const Tally& tally) const {
    if (is_skipped(score)) return 0;
    if (tally.updates == 0 || in_transient(tally)) return 1;
    return (looks_ahead() ? scheduled_ : is_small(score, tally)) ? 1 : 0;
  }
  /// The transient may come back as t grows, and numbers near 0 are not exact.
  [[nodiscard]] double silent_above(const Tally& tally, std::uint64_t last_round) const {
    constexpr double smallest_c = 1e-100;
    if (looks_ahead() || params_.lambda > 0 || tally.updates == 0 || params_.c < smallest_c) {
      return std::numeric_limits<double>::infinity();
    }
    return std::sqrt(params_.c * bound_of_log(last_round) / static_cast<double>(tally.updates));
  }
  [[nodiscard]] double scale() const { return params_.c; }
  void set_scale(double scale) { params_.c = scale; }
  /// The rate of asked labels, in this round or the next, if all scores are like this score.
  [[nodiscard]] double steady_probability(const Score& score, const Tally& tally) const {
    if (is_skipped(score)) return 0;
    return tally.updates == 0 || in_transient(tally) || is_small(score, tally) ? 1 : 0;
  }
  /// (m/|x|)^2.
  [[nodiscard]] double rank(const Score& score) const {
    if (is_skipped(score)) return std::numeric_limits<double>::infinity();
    if (score.norm == 0) return 0;
    const double ratio = score.margin / score.norm;
    return ratio * ratio;
  }
  /// Nothing if the decision does not depend on c, or is about another round.
  [[nodiscard]] std::optional<double> critical_scale(double rank, const Tally& tally) const {
    if (looks_ahead() || tally.round < 2 || tally.updates == 0 || in_transient(tally)) return std::nullopt;
    const double scale = rank * static_cast<double>(tally.updates) / log_of_round(tally);
    return std::min(scale, std::numeric_limits<double>::max());
  }
  [[nodiscard]] bool looks_ahead() const { return params_.next != 0; }
  void look_ahead(const Score& score, const Tally& tally) {
    if (!looks_ahead()) return;
    // Figure 1: step 4 is an "else" of step 3, which asks in any case.
    scheduled_ = tally.updates > 0 && !in_transient(tally) && is_small(score, tally);
  }

  static void state(auto& self, auto& visit) { visit("scheduled", self.scheduled_); }

 private:
  [[nodiscard]] bool is_skipped(const Score& score) const {
    return params_.empty != 0 && score.norm == 0 && !looks_ahead();
  }
  [[nodiscard]] static double log_of_round(const Tally& tally) {
    return math::log(static_cast<double>(tally.round));
  }
  [[nodiscard]] bool in_transient(const Tally& tally) const {
    if (params_.lambda == 0) return false;
    const double rho = 16 / (params_.lambda * params_.lambda) * std::max(dimension_, log_of_round(tally));
    return static_cast<double>(tally.updates) <= rho;
  }
  [[nodiscard]] bool is_small(const Score& score, const Tally& tally) const {
    const double stored = static_cast<double>(tally.updates);
    if (std::abs(score.margin) > 1e-100 && score.norm > 1e-100) {
      // The same comparison in a few multiplications, with bounds of ln t: they decide nearly every margin.
      // The factors are far above the rounding error of both sides, and no number here is subnormal.
      const double left = score.margin * score.margin * stored;
      const double right = score.norm * score.norm * params_.c;
      if (left > right * bound_of_log(tally.round)) return false;
      if (left < right * lower_bound_of_log(tally.round)) return true;
    }
    return std::abs(score.margin) <= score.norm * std::sqrt(params_.c * log_of_round(tally) / stored);
  }

  /// Above ln t for every t up to this round, by more than any rounding error.
  [[nodiscard]] static double bound_of_log(std::uint64_t round) {
    return static_cast<double>(std::bit_width(round)) * std::numbers::ln2 * (1 + 1e-9);
  }
  /// Below ln of this round, in the same way.
  [[nodiscard]] static double lower_bound_of_log(std::uint64_t round) {
    return static_cast<double>(std::bit_width(round) - 1) * std::numbers::ln2 * (1 - 1e-9);
  }

  Params params_;
  double dimension_;
  bool scheduled_ = false;
};

}  // namespace askfew
