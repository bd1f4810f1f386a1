#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "askfew/composed/own_scaling.h"
#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/core/errors.h"
#include "askfew/learners/logistic.h"
#include "askfew/learners/logistic_full.h"
#include "askfew/linalg/update_size.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// Logistic regression on features that are scaled on line: the learner of the default sampler. It needs no
/// preparation of the data: raw numbers of any scale, counts, words, tf-idf. Not from a paper.
///
///   every round   the scaler (online_scaler.h) counts x;  z = x scaled, with a constant
///   margin        m = w.z;  the spread is z'Sz, the variance of the margin
///   update        as logistic where y m < 1. While there are at most `full` features d: as logistic-full on
///                 every label, with the drift prior/300 that falls after 30 labels, and z times the root of
///                 min(1, 30/(d + u + 1)), at least 1/5, u the features that were seen once: a matrix has
///                 more to learn from few labels
///
/// The number of features is found as the stream runs: with grow = 4 the features that have come are counted,
/// but where most come again, of those that came once only 3 times as many as came twice: identifiers never
/// come again. Features beyond the first `full` have a row of the matrix from the second time on. In earlier
/// versions the drift stayed (grow = 3), all that have come were counted (grow = 2), or the number was that
/// of the last one (grow = 1), which is large if names are hashed, and u = 0. Both forms learn until it is
/// above `full`; then the matrix is dropped. Until then the margin is that of the matrix, unless too many
/// features were seen only once: then many more will come, as in texts, and the margin is that of the
/// diagonal form. Weights and variances of the diagonal form are in the records of the scaler.
///
/// With grow = 0, as in earlier versions, d must be known before the first round: if it is not, nothing is
/// centred and there is no matrix. Only one form learns, and the prior is multiplied instead of z.
///
/// `Scaling` has the scaler and the weights: OwnScaling, or SharedScaling where tasks see the same instances.
/// Cost of a round: O(n), where n is the number of features that are not 0 after scaling: those of the
/// instance and those that are centred. With a matrix O(n^2), and O(d^2) for a label.
template <class Scaling>
class ScaledLogisticOn {
 public:
  struct Params {
    double prior = 15;
    double decay = 0.75;
    double floor = 1;
    double constant = 0.3;
    double full = 300;
    double full_constant = 0.5;
    double full_prior = 0;
    double norm = 1;
    double rare = 0;
    double grow = 0;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"prior", &Params::prior, positive(), "first variance of a weight"},
          Param<Params>{"decay", &Params::decay, between(0, 1), "how fast the variances fall"},
          Param<Params>{"floor", &Params::floor, at_least(0), "least variance of a weight"},
          Param<Params>{"constant", &Params::constant, at_least(0), "feature that every instance has"},
          Param<Params>{"full", &Params::full, at_least(0), "most features for a full covariance"},
          Param<Params>{"full_constant", &Params::full_constant, at_least(0),
                        "the constant with a full covariance"},
          Param<Params>{"full_prior", &Params::full_prior, at_least(0),
                        "first variance of a weight with a full covariance; 0: as `prior`"},
          Param<Params>{"norm", &Params::norm, between(0, 1),
                        "1: every instance has norm 1; less: a longer one stays longer"},
          Param<Params>{"rare", &Params::rare, at_least(0), "a larger value makes rare features smaller"},
          Param<Params>{
              "grow", &Params::grow, Range{.low = 0, .high = 4, .integral = true},
              "4: the features that come again are counted, and the drift falls; 3: it stays; 2: all "
              "features that have come are counted; 1: the last one is their number; 0: their number "
              "must be known"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "scaled-logistic",
      .formula = "z = x scaled on line, with a constant; m = w.z; update as logistic, or as logistic-full",
      .paper = "no paper: logistic on features that are scaled on line",
      .policy = UpdatePolicy::margin,
      .test_params =
          "prior=15 full=0 full=0,prior=2,floor=0.1,constant=1 norm=0.75,rare=0.3 full=0,norm=0.5,rare=1 "
          "grow=1,norm=0.75,prior=30,rare=0.3 grow=1,full=11 grow=2,norm=0.75,prior=30,rare=0.3 "
          "grow=2,full=11 grow=3,norm=0.75,prior=30,rare=0.3 grow=3,full=11 "
          "decay=0.5,full_prior=30,grow=4,norm=0.75,rare=0.3 grow=4,full=11"};
  static constexpr bool margin_is_divided = false;

  static bool gains_from_dimension(const Params& params, FeatureView::Index dimension) {
    return params.grow == 0 && dimension > 0 &&
           (dimension <= params.full || dimension <= OnlineScaler::max_centred);
  }

  static constexpr bool shares_scaling = true;
  /// The same learner with another scaling, which the constructor takes as a third argument.
  template <class Other>
  using WithScaling = ScaledLogisticOn<Other>;
  static OnlineScaler::Options scaler_options(const Params& params, const Setting& setting) {
    return {.grows = params.grow != 0,
            .order = order_of(params),
            .most_features = std::max(OnlineScaler::max_centred, max_rows(params)),
            .placed_at_once = max_rows(params),
            .idf_of_few = is_newest(params) ? 0.5 : 1,
            .dimension = setting.dimension,
            .fixed = is_full(params, setting.dimension),
            .norm = params.norm,
            .rare = params.rare,
            .variance = has_diagonal(params, setting.dimension) ? largest_variance(params) : 0};
  }

  ScaledLogisticOn(const Params& params, const Setting& setting)
      : ScaledLogisticOn(params, setting, Scaling(scaler_options(params, setting))) {}
  ScaledLogisticOn(const Params& params, const Setting& setting, Scaling scaling)
      : params_(checked(info.name, params)), setting_(setting), scaling_(std::move(scaling)) {
    if (grows() ? params.full > 0 : is_full(params, setting.dimension)) make_matrix();
  }

  /// An instance as it was seen. Its margin and spread are those before any update that follows.
  using Seen = typename Scaling::Seen;
  void see(const FeatureView& x, Seen& seen) {
    scaling_.see(x, constant(), seen, [&](ScaledInstance& z) {
      if (has_matrix()) prepare_for_full(z);
    });
    if (full_ && !has_matrix() && !full_->is_empty())
      make_matrix();  // an empty one, which is not used any more
  }
  [[nodiscard]] double margin(const Seen& seen) const {
    return decides_by_full() ? full_->margin(view_of(seen)) : seen.margin;
  }
  [[nodiscard]] double margin(const FeatureView& x) const {
    return with_scaled(x, [&](const Seen& seen) { return margin(seen); });
  }
  [[nodiscard]] double undivided_margin(const Seen& seen) const { return margin(seen); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  [[nodiscard]] double spread(const Seen& seen) const {
    return decides_by_full() ? full_->spread(view_of(seen)) : seen.spread;
  }
  [[nodiscard]] double spread(const FeatureView& x) const {
    return with_scaled(x, [&](const Seen& seen) { return spread(seen); });
  }
  [[nodiscard]] double spread_bound(const Seen& seen) const {
    return decides_by_full() ? full_->spread_bound(view_of(seen))
                             : Logistic::spread_bound(of_logistic(), Scaling::instance(seen).squared_norm);
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_scaled(x, [&](const Seen& seen) { return spread_bound(seen); });
  }
  [[nodiscard]] bool suffers(Label y, double margin) const {
    return has_matrix() || Logistic::suffers(y, margin);
  }
  /// THROWS: NumericFailure, MemoryError; then nothing has changed.
  void update(const Seen& seen, Label y, double margin) {
    if (!has_matrix()) {
      update_diagonal(seen, y, margin);
      return;
    }
    const bool diagonal_learns = has_diagonal() && Logistic::suffers(y, seen.margin);
    if (diagonal_learns) expect_diagonal_update(Scaling::instance(seen));
    full_->update(view_of(seen), y, decides_by_full() ? margin : full_->margin(view_of(seen)));
    if (diagonal_learns) update_diagonal(seen, y, seen.margin);
  }
  void update(const FeatureView& x, Label y, double margin) {
    with_scaled(x, [&](const Seen& seen) { update(seen, y, margin); });
  }
  /// |z|^2: never 0 with a constant.
  [[nodiscard]] double squared_norm(const Seen& seen) const {
    const ScaledInstance& z = Scaling::instance(seen);
    return decides_by_full() ? z.norm_of_view : z.squared_norm;
  }
  [[nodiscard]] double squared_norm(const FeatureView& x) const {
    return with_scaled(x, [&](const Seen& seen) { return squared_norm(seen); });
  }
  [[nodiscard]] double offset() const { return margin(FeatureView()); }
  /// Calls f(feature, share) for the features of x: their shares of the margin.
  template <class F>
  void for_each_share(const FeatureView& x, F&& f) const {
    with_scaled(x, [&](const Seen& seen) {
      const ScaledInstance& z = Scaling::instance(seen);
      for (std::size_t k = 1; k < (decides_by_full() ? z.placed : z.size); ++k) {
        const FeatureView::Index i = z.indices[k];
        const FeatureView one = FeatureView::unchecked_sparse({z.rows() + k, 1}, {&z.values[k], 1});
        f(i - 1, decides_by_full() ? full_->margin(one) : scaling_.weight(i) * (z.values[k] * z.factor));
      }
    });
  }

  static void state(auto& self, auto& visit) {
    constexpr bool saves = std::is_const_v<std::remove_reference_t<decltype(self)>>;
    Scaling::state(self.scaling_, visit);
    if (self.full_) visit("full", *self.full_);
    if (!self.has_diagonal()) return;
    if constexpr (saves) {
      visit("diagonal.w", self.column([&](std::size_t i) { return self.scaling_.weight(i); }));
      visit("diagonal.G", self.information_);
      visit("diagonal.V", self.column([&](std::size_t i) { return self.scaling_.variance(i); }));
    } else {
      std::vector<double> weights;
      std::vector<double> variances;
      visit("diagonal.w", weights);
      visit("diagonal.G", self.information_);
      visit("diagonal.V", variances);
      self.set_columns(weights, variances);
    }
  }
  [[nodiscard]] bool consistent() const {
    const auto is_information = [](double g) { return g >= 0; };
    const auto is_variance = [&](double variance) { return variance >= 0 && variance <= first_variance(); };
    bool has_variances = true;
    for (std::size_t i = 0; i < scaler().records().size(); ++i)
      has_variances &= is_variance(scaling_.variance(i));
    return has_variances && scaler().consistent() && (!full_ || full_->consistent()) &&
           std::all_of(information_.begin(), information_.end(), is_information);
  }

 private:
  static bool is_full(const Params& params, FeatureView::Index dimension) {
    return dimension > 0 && dimension <= params.full;
  }
  static FeaturePlaces::Order order_of(const Params& params) {
    using enum FeaturePlaces::Order;
    return params.grow >= 3 ? recurrence : params.grow == 2 ? arrival : index;
  }
  static bool is_newest(const Params& params) { return params.grow == 4; }
  /// The most features that a matrix has.
  static FeatureView::Index max_rows(const Params& params) {
    constexpr double most = 1 << 30;  // more than any matrix has rows
    return static_cast<FeatureView::Index>(std::min(params.full, most));
  }
  /// The part of the prior that a full covariance of so many features has.
  static double part_of_prior(double features) { return std::clamp(30 / (features + 1), 0.2, 1.0); }
  static bool has_diagonal(const Params& params, FeatureView::Index dimension) {
    return params.grow != 0 || !is_full(params, dimension);
  }
  [[nodiscard]] const OnlineScaler& scaler() const { return scaling_.scaler(); }
  [[nodiscard]] bool grows() const { return params_.grow != 0; }
  [[nodiscard]] bool has_diagonal() const { return has_diagonal(params_, setting_.dimension); }
  [[nodiscard]] bool has_matrix() const { return full_ && (!grows() || scaler().features() <= params_.full); }
  [[nodiscard]] bool decides_by_full() const { return has_matrix() && (!grows() || scaler().is_settled()); }
  void make_matrix() {
    const double prior = (params_.full_prior > 0 ? params_.full_prior : params_.prior) *
                         (grows() ? 1 : part_of_prior(setting_.dimension));
    const double fall = is_newest(params_) ? 30 : 0;
    full_.emplace(LogisticFull::Params{.prior = prior, .drift = prior / 300, .fall = fall}, setting_);
  }
  /// The number of features may still grow: instead of the prior, the instance becomes smaller.
  void prepare_for_full(ScaledInstance& z) const {
    if (grows()) {
      z.apply_factor(std::sqrt(part_of_prior(scaler().likely_features())), params_.full_constant);
    } else {
      z.apply_factor();
    }
  }
  static Logistic::Params of_logistic(const Params& params) {
    return {.prior = params.prior, .decay = params.decay, .floor = params.floor};
  }
  [[nodiscard]] Logistic::Params of_logistic() const { return of_logistic(params_); }
  static double largest_variance(const Params& params) {
    return Logistic::largest_variance(of_logistic(params));
  }
  /// The variance of a weight that was not learned yet.
  [[nodiscard]] double first_variance() const { return has_diagonal() ? largest_variance(params_) : 0; }
  [[nodiscard]] double constant() const { return has_diagonal() ? params_.constant : params_.full_constant; }
  [[nodiscard]] static FeatureView view_of(const Seen& seen) { return Scaling::instance(seen).view(); }
  /// f(the instance, as it would be seen now).
  template <class F>
  auto with_scaled(const FeatureView& x, F&& f) const {
    const auto room = rooms_.borrow();
    scaling_.scale(x, constant(), *room);
    if (has_matrix()) prepare_for_full(*room);
    return f(Scaling::as_seen(*room));
  }

  void expect_diagonal_update(const ScaledInstance& z) const {
    expect_update(first_variance(), z.squared_norm);
    expect_update(z.squared_norm * z.squared_norm);  // of the information
  }
  void update_diagonal(const Seen& seen, Label y, double margin) {
    const ScaledInstance& z = Scaling::instance(seen);
    expect_diagonal_update(z);
    information_.resize(scaler().records().size());
    const Logistic::Params params = of_logistic();
    const Logistic::Step step = Logistic::step_of(y, margin, seen.spread);
    // Ledgers of earlier versions replay with the bits of a power.
    const bool by_root = is_newest(params_) && params_.decay == 0.5;
    for (std::size_t k = 0; k < z.size; ++k) {
      const double value = k == 0 ? params_.constant : z.values[k] * z.factor;
      const std::size_t i = z.indices[k];
      double& variance = scaling_.variance(i);
      scaling_.weight(i) += step.size * variance * value;
      information_[i] += step.curvature * value * value;
      variance = by_root ? Logistic::variance_by_root(params, information_[i])
                         : Logistic::variance_with(params, information_[i]);
    }
  }

  /// A number of all features that were ever learned, as models store them.
  template <class Number>
  [[nodiscard]] std::vector<double> column(const Number& number_of) const {
    std::vector<double> column;
    column.reserve(information_.size());
    for (std::size_t i = 0; i < information_.size(); ++i) column.push_back(number_of(i));
    return column;
  }
  void set_columns(const std::vector<double>& weights, const std::vector<double>& variances) {
    if (weights.size() != information_.size() || variances.size() != information_.size() ||
        information_.size() > scaler().records().size()) {
      throw ModelError("the weights and variances are not those of the scaler's features");
    }
    for (std::size_t i = 0; i < scaler().records().size(); ++i) {
      const bool is_learned = i < weights.size();
      scaling_.weight(i) = is_learned ? weights[i] : 0;
      scaling_.variance(i) = is_learned ? variances[i] : first_variance();
    }
  }

  Params params_;
  Setting setting_;
  Scaling scaling_;
  std::vector<double> information_;   // G of the features that were learned
  std::optional<LogisticFull> full_;  // empty when there are too many features
  ScratchPool<ScaledInstance> rooms_;
};

using ScaledLogistic = ScaledLogisticOn<OwnScaling>;

}  // namespace askfew
