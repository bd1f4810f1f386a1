#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/covariance/falling_drift.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/deferred_symmetric.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/sparse.h"
#include "askfew/linalg/update_size.h"
#include "askfew/math/logistic.h"

namespace askfew {

/// Logistic regression with a covariance matrix of the weights, for streams of few features: the `logistic`
/// learner that also knows which features go together. Not from a paper.
///
///   margin  m = w.x                                w starts at 0, S at prior I; s(a) = 1/(1 + e^-a)
///   update  v = x'Sx;  m' = m + v y s(-y m');  w += y s(-y m') Sx
///           S -= k/(1 + k v) (Sx)(Sx)' with k = max(p(1 - p), p'(1 - p')), p = s(m), p' = s(m')
///           S += drift I: the target may have moved. With `fall`, times the part of falling_drift.h
///
/// The update of S is that of the posterior's Gaussian (an extended Kalman filter). The spread is v.
/// Cost of a round: O(nnz), of an update O(d nnz + d^2).
class LogisticFull {
 public:
  struct Params {
    double prior = 15;
    double drift = 0.05;
    double fall = 0;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"prior", &Params::prior, positive(), "first variance of a weight"},
          Param<Params>{"drift", &Params::drift, at_least(0), "variance that a label adds to every weight"},
          Param<Params>{
              "fall", &Params::fall, at_least(0),
              "labels after which the drift falls while the target does not move; 0: it never falls"}};
    }
  };
  static constexpr LearnerInfo info{.name = "logistic-full",
                                    .formula =
                                        "m = w.x; v = x'Sx; m' = m + v y s(-ym'); w += y s(-ym') Sx; "
                                        "S -= k/(1+kv) Sx x'S, S += drift I",
                                    .paper = "no paper: implicit logistic steps, full covariance",
                                    .policy = UpdatePolicy::asked,
                                    .test_params = "prior=15 prior=2,drift=0 prior=15,fall=10"};
  static constexpr bool margin_is_divided = false;

  LogisticFull(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)),
        s_(params_.prior, MemoryShare(setting.memory)),
        drift_(params_.fall) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  [[nodiscard]] double spread(const FeatureView& x) const {
    const FeatureView known = first_features(x, s_.size());
    const std::span<const double> rest(x.values() + known.size(), x.size() - known.size());
    const double unseen = s_.untouched_diagonal() * FeatureView::sum_of_squares(rest);
    return checked_spread(s_.quadratic(known) + unseen, spread_bound(x));
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding(s_.untouched_diagonal() * x.squared_norm());
  }
  /// THROWS: NumericFailure, MemoryError; then nothing has changed.
  void update(const FeatureView& x, Label y, double margin) {
    expect_update(s_.untouched_diagonal(), x.squared_norm());  // no entry of S is larger
    q_.resize(std::max<std::size_t>(s_.size(), x.extent()));
    s_.multiply(x, 0, q_);
    const double v = checked_spread(dot(q_, x), spread_bound(x));
    if (s_.is_block_full_after_next()) check_health(v, spread(x));
    s_.grow(x.extent());
    w_.resize(s_.size());
    const double after = sign(y) * math::implicit_logistic_margin(sign(y) * margin, v);
    const double curvature = std::max(curvature_at(margin), curvature_at(after));
    dense_add_scaled(w_.data(), sign(y) * math::sigmoid(-sign(y) * after), q_.data(), w_.size());
    s_.subtract_outer(q_, curvature / (1 + curvature * v));
    s_.add_to_diagonal(falls() ? params_.drift * drift_.part_after(y, margin, v) : params_.drift);
  }

  [[nodiscard]] std::vector<double> weights() const { return w_; }
  /// Was nothing learned yet?
  [[nodiscard]] bool is_empty() const { return w_.empty(); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("S", self.s_);
    if (self.falls()) visit("drift", self.drift_);
  }
  [[nodiscard]] bool consistent() const {
    return s_.consistent() && w_.size() == s_.size() && drift_.consistent();
  }

 private:
  [[nodiscard]] bool falls() const { return params_.fall > 0; }
  static double curvature_at(double margin) {
    const double p = math::sigmoid(margin);
    return p * (1 - p);
  }

  Params params_;
  std::vector<double> w_;
  DeferredSymmetric s_;
  FallingDrift drift_;
  std::vector<double> q_;  // Sx of the present update
};

}  // namespace askfew
