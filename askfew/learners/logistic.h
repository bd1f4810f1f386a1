#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/sparse.h"
#include "askfew/linalg/update_size.h"
#include "askfew/math/elementary.h"
#include "askfew/math/logistic.h"

namespace askfew {

/// Logistic regression with one variance per weight, which is the size of its steps. A step is implicit: its
/// gradient is that at the margin after the step, so that no step goes too far, whatever its size. Not from a
/// paper; implicit steps: Kulis and Bartlett 2010; one size per weight: Duchi, Hazan and Singer 2011,
/// Crammer, Dredze and Kulesza 2009.
///
///   margin  m = w.x                                w starts at 0, G at 0; s(a) = 1/(1 + e^-a)
///           V_i = max(floor, prior (1 + prior G_i)^-decay)
///   update  where y m < 1: v = sum of V_i x_i^2;  m' = m + v y s(-y m');  w_i += y s(-y m') V_i x_i
///           G_i += max(p(1 - p), p'(1 - p')) x_i^2,  p = s(m), p' = s(m')
///
/// G_i is the information about weight i so far, the second derivative of the loss. decay = 1 is the variance
/// of a Gaussian posterior; a smaller decay forgets more slowly that a weight may be wrong. floor keeps every
/// weight able to move: the target may drift. The spread is v. Where y m >= 1 nothing is learned by default:
/// there are many such labels, and they would push the weights of common features further and further.
/// Cost of a round: O(nnz); powers only in an update.
class Logistic {
 public:
  struct Params {
    double prior = 15;
    double decay = 0.75;
    double floor = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"prior", &Params::prior, positive(), "first variance of a weight"},
                        Param<Params>{"decay", &Params::decay, between(0, 1), "how fast the variances fall"},
                        Param<Params>{"floor", &Params::floor, at_least(0), "least variance of a weight"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "logistic",
      .formula =
          "m = w.x; if ym < 1: v = sum V_i x_i^2, m' = m + v y s(-ym'), w_i += y s(-ym') V_i x_i, "
          "G_i += max(p(1-p), p'(1-p')) x_i^2",
      .paper = "no paper: implicit logistic steps, one size per weight",
      .policy = UpdatePolicy::margin,
      .test_params = "prior=15 prior=2,decay=0.5,floor=0.1"};
  static constexpr bool margin_is_divided = false;

  Logistic(const Params& params, const Setting& /*setting*/) : params_(checked(info.name, params)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  [[nodiscard]] double spread(const FeatureView& x) const {
    double sum = 0;
    x.for_each([&](FeatureView::Index i, double value) {
      sum += (i < variance_.size() ? variance_[i] : largest_variance()) * value * value;
    });
    return sum;
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return spread_bound(params_, x.squared_norm());
  }
  [[nodiscard]] static bool suffers(Label y, double margin) { return sign(y) * margin < 1; }
  /// THROWS: NumericFailure; then nothing has changed.
  void update(const FeatureView& x, Label y, double margin) {
    const double xx = x.squared_norm();
    expect_update(largest_variance(), xx);
    expect_update(xx * xx);  // of the information
    if (x.extent() > w_.size()) {
      w_.resize(x.extent());
      information_.resize(x.extent());
      variance_.resize(x.extent(), largest_variance());
    }
    const Step step = step_of(y, margin, spread(x));
    x.for_each([&](FeatureView::Index i, double value) {
      w_[i] += step.size * variance_[i] * value;
      information_[i] += step.curvature * value * value;
      variance_[i] = variance_with(params_, information_[i]);
    });
  }

  /// What an update adds: size V_i x_i to a weight, curvature x_i^2 to its information.
  struct Step {
    double size;
    double curvature;
  };
  [[nodiscard]] static Step step_of(Label y, double margin, double spread) {
    const double after = sign(y) * math::implicit_logistic_margin(sign(y) * margin, spread);
    return {.size = sign(y) * math::sigmoid(-sign(y) * after),
            .curvature = std::max(curvature_at(margin), curvature_at(after))};
  }
  /// V of a weight. Roots instead of a power for the default decay: they are much faster.
  [[nodiscard]] static double variance_with(const Params& params, double information) {
    const double a = 1 + params.prior * information;
    if (params.decay != 0.75) return std::max(params.floor, params.prior * math::pow(a, -params.decay));
    const double root = std::sqrt(a);
    return std::max(params.floor, params.prior * (1 / (root * std::sqrt(root))));
  }
  /// The same where the decay is 0.5. Its last digit may differ.
  [[nodiscard]] static double variance_by_root(const Params& params, double information) {
    return std::max(params.floor, params.prior / std::sqrt(1 + params.prior * information));
  }
  [[nodiscard]] static double spread_bound(const Params& params, double squared_norm) {
    return with_rounding(largest_variance(params) * squared_norm);
  }
  [[nodiscard]] static double largest_variance(const Params& params) {
    return std::max(params.prior, params.floor);
  }

  [[nodiscard]] std::vector<double> weights() const { return w_; }
  void set_weights(std::span<const double> weights) { replace_values(w_, weights); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("G", self.information_);
    visit("V", self.variance_);
  }
  [[nodiscard]] bool consistent() const {
    const auto is_information = [](double g) { return g >= 0; };
    const auto is_variance = [&](double v) { return v >= 0 && v <= largest_variance(); };
    return w_.size() == information_.size() && w_.size() == variance_.size() &&
           std::all_of(information_.begin(), information_.end(), is_information) &&
           std::all_of(variance_.begin(), variance_.end(), is_variance);
  }

 private:
  [[nodiscard]] double largest_variance() const { return largest_variance(params_); }
  static double curvature_at(double margin) {
    const double p = math::sigmoid(margin);
    return p * (1 - p);
  }

  Params params_;
  std::vector<double> w_;
  std::vector<double> information_;
  std::vector<double> variance_;  // V, which follows from G: powers take time
};

}  // namespace askfew
