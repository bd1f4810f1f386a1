#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "askfew/composed/online_scaler.h"
#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/learners/logistic.h"
#include "askfew/learners/logistic_full.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// Logistic regression on features that are scaled on line: the learner of the default sampler. It needs no
/// preparation of the data: raw numbers of any scale, counts, words, tf-idf. Not from a paper.
///
///   every round   the scaler (online_scaler.h) counts x;  z = x scaled, with a constant
///   margin        m = w.z;  the spread is z'Sz, the variance of the margin
///   update        as logistic where y m < 1. If the number of features d is known to be at most `full`: as
///                 logistic-full on every label, with the prior prior min(1, 30/(d + 1)), at least prior/5,
///                 and the drift prior/300: a matrix has more to learn from few labels
///
/// Cost of a round: O(nnz); O(d) if d is known to be at most 2,000.
class ScaledLogistic {
 public:
  struct Params {
    double prior = 15;
    double decay = 0.75;
    double floor = 1;
    double constant = 0.3;
    double full = 300;
    double full_constant = 0.5;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"prior", &Params::prior, positive(), "first variance of a weight"},
          Param<Params>{"decay", &Params::decay, between(0, 1), "how fast the variances fall"},
          Param<Params>{"floor", &Params::floor, at_least(0), "least variance of a weight"},
          Param<Params>{"constant", &Params::constant, at_least(0), "feature that every instance has"},
          Param<Params>{"full", &Params::full, at_least(0), "most features for a full covariance"},
          Param<Params>{"full_constant", &Params::full_constant, at_least(0),
                        "the constant with a full covariance"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "scaled-logistic",
      .formula = "z = x scaled on line, with a constant; m = w.z; update as logistic, or as logistic-full",
      .paper = "no paper: logistic on features that are scaled on line",
      .policy = UpdatePolicy::margin,
      .test_params = "prior=15 full=0 full=0,prior=2,floor=0.1,constant=1"};
  static constexpr bool margin_is_divided = false;

  static bool gains_from_dimension(const Params& params, FeatureView::Index dimension) {
    return dimension > 0 && (dimension <= params.full || dimension <= OnlineScaler::max_centred);
  }

  ScaledLogistic(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)),
        scaler_(setting.dimension, setting.dimension > 0 && setting.dimension <= params.full),
        diagonal_({.prior = params.prior, .decay = params.decay, .floor = params.floor}, setting) {
    if (setting.dimension == 0 || setting.dimension > params.full) return;
    const double prior = params.prior * std::clamp(30 / (setting.dimension + 1.0), 0.2, 1.0);
    full_.emplace(LogisticFull::Params{.prior = prior, .drift = prior / 300}, setting);
  }

  using Seen = ScaledInstance;
  void see(const FeatureView& x, Seen& z) { scaler_.see(x, constant(), z); }
  [[nodiscard]] double margin(const Seen& z) const {
    return full_ ? full_->margin(z.view()) : diagonal_.margin(z.view());
  }
  [[nodiscard]] double margin(const FeatureView& x) const { return margin(*scaled(x)); }
  [[nodiscard]] double undivided_margin(const Seen& z) const { return margin(z); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  [[nodiscard]] double spread(const Seen& z) const {
    return full_ ? full_->spread(z.view()) : diagonal_.spread(z.view());
  }
  [[nodiscard]] double spread(const FeatureView& x) const { return spread(*scaled(x)); }
  [[nodiscard]] double spread_bound(const FeatureView& /*x*/) const {
    const FeatureView longest = FeatureView::unchecked_dense({}, 1 + constant() * constant());
    return full_ ? full_->spread_bound(longest) : diagonal_.spread_bound(longest);
  }
  [[nodiscard]] bool suffers(Label y, double margin) const {
    return full_.has_value() || Logistic::suffers(y, margin);
  }
  void update(const Seen& z, Label y, double margin) {
    if (full_) {
      full_->update(z.view(), y, margin);
    } else {
      diagonal_.update(z.view(), y, margin);
    }
  }
  void update(const FeatureView& x, Label y, double margin) { update(*scaled(x), y, margin); }
  /// |z|^2: never 0 with a constant.
  [[nodiscard]] double squared_norm(const FeatureView& x) const {
    return constant() * constant() + (x.squared_norm() > 0 ? 1 : 0);
  }
  [[nodiscard]] double offset() const { return margin(FeatureView()); }
  /// Calls f(feature, share) for the features of x: their shares of the margin.
  template <class F>
  void for_each_share(const FeatureView& x, F&& f) const {
    scaled(x)->view().for_each([&](FeatureView::Index i, double value) {
      const FeatureView one = FeatureView::unchecked_sparse({&i, 1}, {&value, 1});
      if (i > 0) f(i - 1, full_ ? full_->margin(one) : diagonal_.margin(one));
    });
  }

  static void state(auto& self, auto& visit) {
    visit("scaler", self.scaler_);
    if (self.full_) {
      visit("full", *self.full_);
    } else {
      visit("diagonal", self.diagonal_);
    }
  }
  [[nodiscard]] bool consistent() const {
    return scaler_.consistent() && diagonal_.consistent() && (!full_ || full_->consistent());
  }

 private:
  [[nodiscard]] double constant() const { return full_ ? params_.full_constant : params_.constant; }
  [[nodiscard]] ScratchPool<ScaledInstance>::Lease scaled(const FeatureView& x) const {
    auto room = rooms_.borrow();
    scaler_.scale(x, constant(), *room);
    return room;
  }

  Params params_;
  OnlineScaler scaler_;
  Logistic diagonal_;
  std::optional<LogisticFull> full_;  // then the diagonal is not used
  ScratchPool<ScaledInstance> rooms_;
};

}  // namespace askfew
