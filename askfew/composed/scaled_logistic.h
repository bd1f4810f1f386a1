#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "askfew/composed/online_scaler.h"
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
///                 every label, with the drift prior/300, and z times the root of min(1, 30/(d + u + 1)), at
///                 least 1/5, u the features that were seen once: a matrix has more to learn from few labels
///
/// The number of features is found as the stream runs: with grow = 3 the features that have come are counted,
/// but where most come again, of those that came once only 3 times as many as came twice: identifiers never
/// come again. Features beyond the first `full` have a row of the matrix from the second time on. In earlier
/// versions all that have come were counted (grow = 2), or the number was that of the last one (grow = 1),
/// which is large if names are hashed, and u = 0.
/// Both forms learn until it is above `full`; then the matrix is dropped. Until then the margin is that of
/// the matrix, unless too many features were seen only once: then many more will come, as in texts, and the
/// margin is that of the diagonal form. Weights and variances of the diagonal form are in
/// the records of the scaler.
///
/// With grow = 0, as in earlier versions, d must be known before the first round: if it is not, nothing is
/// centred and there is no matrix. Only one form learns, and the prior is multiplied instead of z.
/// Cost of a round: O(n), where n is the number of features that are not 0 after scaling: those of the
/// instance and those that are centred. With a matrix O(n^2), and O(d^2) for a label.
class ScaledLogistic {
 public:
  struct Params {
    double prior = 15;
    double decay = 0.75;
    double floor = 1;
    double constant = 0.3;
    double full = 300;
    double full_constant = 0.5;
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
          Param<Params>{"norm", &Params::norm, between(0, 1),
                        "1: every instance has norm 1; less: a longer one stays longer"},
          Param<Params>{"rare", &Params::rare, at_least(0), "a larger value makes rare features smaller"},
          Param<Params>{"grow", &Params::grow, Range{.low = 0, .high = 3, .integral = true},
                        "3: the features that come again are counted; 2: all that have come; 1: the last one "
                        "is their number; "
                        "0: their number must be known"}};
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
          "grow=2,full=11 grow=3,norm=0.75,prior=30,rare=0.3 grow=3,full=11"};
  static constexpr bool margin_is_divided = false;

  static bool gains_from_dimension(const Params& params, FeatureView::Index dimension) {
    return params.grow == 0 && dimension > 0 &&
           (dimension <= params.full || dimension <= OnlineScaler::max_centred);
  }

  ScaledLogistic(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)),
        setting_(setting),
        scaler_({.grows = params.grow != 0,
                 .order = order_of(params),
                 .most_features = std::max(OnlineScaler::max_centred, max_rows(params)),
                 .placed_at_once = max_rows(params),
                 .dimension = setting.dimension,
                 .fixed = is_full(params, setting.dimension),
                 .norm = params.norm,
                 .rare = params.rare,
                 .variance = has_diagonal() ? largest_variance() : 0}) {
    if (grows() ? params.full > 0 : is_full(params, setting.dimension)) make_matrix();
  }

  /// An instance as it was seen. Its margin and spread are those before any update that follows.
  using Seen = ScaledInstance;
  void see(const FeatureView& x, Seen& z) {
    const bool had_matrix = has_matrix();
    scaler_.see(x, constant(), z);
    if (has_matrix()) {
      prepare_for_full(z);
    } else if (had_matrix) {
      make_matrix();  // an empty one, which is not used any more
    }
  }
  [[nodiscard]] double margin(const Seen& z) const {
    return decides_by_full() ? full_->margin(z.view()) : z.margin;
  }
  [[nodiscard]] double margin(const FeatureView& x) const { return margin(*scaled(x)); }
  [[nodiscard]] double undivided_margin(const Seen& z) const { return margin(z); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  [[nodiscard]] double spread(const Seen& z) const {
    return decides_by_full() ? full_->spread(z.view()) : z.spread;
  }
  [[nodiscard]] double spread(const FeatureView& x) const { return spread(*scaled(x)); }
  [[nodiscard]] double spread_bound(const Seen& z) const {
    return decides_by_full() ? full_->spread_bound(z.view())
                             : Logistic::spread_bound(of_logistic(), z.squared_norm);
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const { return spread_bound(*scaled(x)); }
  [[nodiscard]] bool suffers(Label y, double margin) const {
    return has_matrix() || Logistic::suffers(y, margin);
  }
  /// THROWS: NumericFailure, MemoryError; then nothing has changed.
  void update(const Seen& z, Label y, double margin) {
    if (!has_matrix()) {
      update_diagonal(z, y, margin);
      return;
    }
    const bool diagonal_learns = has_diagonal() && Logistic::suffers(y, z.margin);
    if (diagonal_learns) expect_diagonal_update(z);
    full_->update(z.view(), y, decides_by_full() ? margin : full_->margin(z.view()));
    if (diagonal_learns) update_diagonal(z, y, z.margin);
  }
  void update(const FeatureView& x, Label y, double margin) { update(*scaled(x), y, margin); }
  /// |z|^2: never 0 with a constant.
  [[nodiscard]] double squared_norm(const Seen& z) const {
    return decides_by_full() ? z.norm_of_view : z.squared_norm;
  }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return squared_norm(*scaled(x)); }
  [[nodiscard]] double offset() const { return margin(FeatureView()); }
  /// Calls f(feature, share) for the features of x: their shares of the margin.
  template <class F>
  void for_each_share(const FeatureView& x, F&& f) const {
    const auto z = scaled(x);
    for (std::size_t k = 1; k < (decides_by_full() ? z->placed : z->size); ++k) {
      const FeatureView::Index i = z->indices[k];
      const FeatureView one = FeatureView::unchecked_sparse({z->rows() + k, 1}, {&z->values[k], 1});
      f(i - 1,
        decides_by_full() ? full_->margin(one) : scaler_.records()[i].weight * (z->values[k] * z->factor));
    }
  }

  static void state(auto& self, auto& visit) {
    constexpr bool saves = std::is_const_v<std::remove_reference_t<decltype(self)>>;
    visit("scaler", self.scaler_);
    if (self.full_) visit("full", *self.full_);
    if (!self.has_diagonal()) return;
    if constexpr (saves) {
      visit("diagonal.w", self.column(&FeatureRecord::weight));
      visit("diagonal.G", self.information_);
      visit("diagonal.V", self.column(&FeatureRecord::variance));
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
    const auto has_variance = [&](const FeatureRecord& record) {
      return record.variance >= 0 && record.variance <= (has_diagonal() ? largest_variance() : 0);
    };
    const std::vector<FeatureRecord>& records = scaler_.records();
    return scaler_.consistent() && (!full_ || full_->consistent()) &&
           std::all_of(information_.begin(), information_.end(), is_information) &&
           std::all_of(records.begin(), records.end(), has_variance);
  }

 private:
  static bool is_full(const Params& params, FeatureView::Index dimension) {
    return dimension > 0 && dimension <= params.full;
  }
  static FeaturePlaces::Order order_of(const Params& params) {
    using enum FeaturePlaces::Order;
    return params.grow == 3 ? recurrence : params.grow == 2 ? arrival : index;
  }
  /// The most features that a matrix has.
  static FeatureView::Index max_rows(const Params& params) {
    constexpr double most = 1 << 30;  // more than any matrix has rows
    return static_cast<FeatureView::Index>(std::min(params.full, most));
  }
  /// The part of the prior that a full covariance of so many features has.
  static double part_of_prior(double features) { return std::clamp(30 / (features + 1), 0.2, 1.0); }
  [[nodiscard]] bool grows() const { return params_.grow != 0; }
  [[nodiscard]] bool has_diagonal() const { return grows() || !is_full(params_, setting_.dimension); }
  [[nodiscard]] bool has_matrix() const { return full_ && (!grows() || scaler_.features() <= params_.full); }
  [[nodiscard]] bool decides_by_full() const { return has_matrix() && (!grows() || scaler_.is_settled()); }
  void make_matrix() {
    const double prior = params_.prior * (grows() ? 1 : part_of_prior(setting_.dimension));
    full_.emplace(LogisticFull::Params{.prior = prior, .drift = prior / 300}, setting_);
  }
  /// The number of features may still grow: instead of the prior, the instance becomes smaller.
  void prepare_for_full(Seen& z) const {
    if (grows()) {
      z.apply_factor(std::sqrt(part_of_prior(scaler_.likely_features())), params_.full_constant);
    } else {
      z.apply_factor();
    }
  }
  [[nodiscard]] double largest_variance() const { return Logistic::largest_variance(of_logistic()); }
  [[nodiscard]] Logistic::Params of_logistic() const {
    return {.prior = params_.prior, .decay = params_.decay, .floor = params_.floor};
  }
  [[nodiscard]] double constant() const { return has_diagonal() ? params_.constant : params_.full_constant; }
  [[nodiscard]] ScratchPool<ScaledInstance>::Lease scaled(const FeatureView& x) const {
    auto room = rooms_.borrow();
    scaler_.scale(x, constant(), *room);
    if (has_matrix()) prepare_for_full(*room);
    return room;
  }

  void expect_diagonal_update(const Seen& z) const {
    expect_update(largest_variance(), z.squared_norm);
    expect_update(z.squared_norm * z.squared_norm);  // of the information
  }
  void update_diagonal(const Seen& z, Label y, double margin) {
    expect_diagonal_update(z);
    std::vector<FeatureRecord>& records = scaler_.records();
    information_.resize(records.size());
    const Logistic::Params params = of_logistic();
    const Logistic::Step step = Logistic::step_of(y, margin, z.spread);
    for (std::size_t k = 0; k < z.size; ++k) {
      const double value = k == 0 ? params_.constant : z.values[k] * z.factor;
      FeatureRecord& record = records[z.indices[k]];
      double& information = information_[z.indices[k]];
      record.weight += step.size * record.variance * value;
      information += step.curvature * value * value;
      record.variance = Logistic::variance_with(params, information);
    }
  }

  /// The numbers of all features that were ever learned, as models store them.
  [[nodiscard]] std::vector<double> column(double FeatureRecord::*number) const {
    std::vector<double> column;
    column.reserve(information_.size());
    for (std::size_t i = 0; i < information_.size(); ++i) column.push_back(scaler_.records()[i].*number);
    return column;
  }
  void set_columns(const std::vector<double>& weights, const std::vector<double>& variances) {
    std::vector<FeatureRecord>& records = scaler_.records();
    if (weights.size() != information_.size() || variances.size() != information_.size() ||
        information_.size() > records.size()) {
      throw ModelError("the weights and variances are not those of the scaler's features");
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
      records[i].weight = weights[i];
      records[i].variance = variances[i];
    }
  }

  Params params_;
  Setting setting_;
  OnlineScaler scaler_;
  std::vector<double> information_;   // G of the features that were learned
  std::optional<LogisticFull> full_;  // empty when there are too many features
  ScratchPool<ScaledInstance> rooms_;
};

}  // namespace askfew
