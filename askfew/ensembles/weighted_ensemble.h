#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/ensembles/constant_feature.h"
#include "askfew/ensembles/f_threshold.h"
#include "askfew/learners/arow.h"
#include "askfew/learners/arow_diagonal.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/second_order.h"
#include "askfew/linalg/update_size.h"
#include "askfew/math/elementary.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// A learner of an ensemble: its weight and the size of its margins.
template <Learner L>
struct Member {
  static constexpr bool has_halves =
      requires(L& learner, const FeatureView& x) { learner.prepare(x, Label::positive); };

  std::optional<L> learner;
  double weight = 0;   ///< 0 for an empty seat
  double squares = 0;  ///< sum of squares of its margins on the labels so far
  double margin = 0;   ///< margin on the current instance

  /// The member's margin. A margin that is only rounding error counts as 0: its sign would decide which
  /// member was right.
  [[nodiscard]] double margin_of(const FeatureView& x) const {
    constexpr double rounding = 1e-12;
    const double m = learner->margin(x);
    return std::abs(m) < rounding ? 0 : m;
  }
  // A member learns by its own policy, in two halves: after `prepare` nothing can fail; before `learn`
  // nothing has changed.
  /// THROWS: NumericFailure, MemoryError.
  void prepare(const FeatureView& x, Label y) {
    // An upper bound of every update with the default parameters.
    expect_update(2 * (1 + margin * margin) * (1 + x.squared_norm()));
    if constexpr (has_halves) {
      if (wants(y)) learner->prepare(x, y);
    }
  }
  void learn(const FeatureView& x, Label y) {
    squares += margin * margin;
    if (!wants(y)) return;
    if constexpr (has_halves) {
      learner->commit(x);
    } else {
      learner->update(x, y, margin);
    }
  }
  [[nodiscard]] bool wants(Label y) const {
    if constexpr (HasLoss<L>) return learner->suffers(y, margin);
    return sgn(margin) != y;
  }
  static void state(auto& self, auto& visit) {
    visit("weight", self.weight);
    visit("squares", self.squares);
    if (self.learner) visit("learner", *self.learner);
  }
  [[nodiscard]] bool consistent() const {
    if constexpr (ChecksState<L>) {
      if (learner && !learner->consistent()) return false;
    }
    return weight >= 0 && squares >= 0;
  }
};

/// Learners that vote; learners that were right more often have larger weights. For streams where the best
/// learner is unknown. Not from a paper.
///
///   margin  m = shift + sum of w_k m_k/s_k over the members k
///           s_k^2 the mean of m_k^2 over the labels so far
///   update  w_k = (1 - share) w_k exp(-eta [y m_k <= 0])/sum + share/K
///           then every member learns by its own policy
///
/// The members see a constant in addition to the features. `shift` is that of f_threshold.h: predictions aim
/// at a large F, not at few mistakes, and the rule asks where predictions are uncertain.
/// Members: pa-1, arow-diagonal and perceptron; also arow and second-order with full covariance if the number
/// of features is known to be at most `dense`. All members have their default parameters.
/// The weights are exponential weights with a fixed share (Herbster and Warmuth 1998) on the asked labels,
/// without weights for the probability of asking: they show which member is right where asking is worthwhile.
/// On these labels, the weighted majority makes at most a constant factor more mistakes than the best member,
/// even if the best member changes.
/// Cost of a round: the sum of the members'. Const members are safe from many threads at the same time.
class WeightedEnsemble {
 public:
  struct Params {
    double eta = 0.3;
    double share = 0.01;
    double dense = 1000;
    double constant = 0.4;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"eta", &Params::eta, between(0, 50), "how fast those that are right win"},
          Param<Params>{"share", &Params::share, between(0, 1), "how fast the others may come back"},
          Param<Params>{"dense", &Params::dense, at_least(0), "most features for a full covariance"},
          Param<Params>{"constant", &Params::constant, at_least(0), "feature that every instance has"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "council",
      .formula = "m = shift + sum w_k m_k/s_k; w_k *= exp(-eta [y m_k <= 0]), shared out anew; members learn",
      .paper = "no paper: pa-1, arow-diagonal, perceptron, arow and second-order vote",
      .policy = UpdatePolicy::asked,
      .test_params = "eta=0.5,share=0.05,constant=0.5 dense=0"};

  static bool gains_from_dimension(const Params& params, FeatureView::Index dimension) {
    return dimension > 0 && dimension <= params.dense;
  }

  WeightedEnsemble(const Params& params, const Setting& setting) : params_(checked(info.name, params)) {
    const bool dense = gains_from_dimension(params_, setting.dimension);
    Setting wider = setting;
    if (setting.dimension > 0) ++wider.dimension;
    for_each_seat([&]<class L>(Member<L>& seat) {
      constexpr bool sparse = !std::same_as<L, Arow> && !std::same_as<L, SecondOrder>;
      if (sparse || dense) seat.learner.emplace(typename L::Params{}, wider);
      if (seat.learner) ++members_;
    });
    for_each_member([&](auto& seat) { seat.weight = 1 / members_; });
  }

  [[nodiscard]] double margin(const FeatureView& x) const {
    const auto room = rooms_.borrow();
    const FeatureView wider = room->before(x, params_.constant);
    double sum = 0;
    for_each_member([&](const auto& seat) { sum += vote(seat, seat.margin_of(wider)); });
    return sum + threshold_.shift();
  }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    const auto room = rooms_.borrow();
    const FeatureView wider = room->before(x, params_.constant);
    for_each_member([&](auto& seat) {
      seat.margin = seat.margin_of(wider);
      seat.prepare(wider, y);
    });
    double sum = 0;
    double total = 0;
    for_each_member([&](auto& seat) {
      sum += vote(seat, seat.margin);
      if (sign(y) * seat.margin <= 0) seat.weight *= math::exp(-params_.eta);
      total += seat.weight;
    });
    threshold_.learn(sum, y);
    ++labels_;
    for_each_member([&](auto& seat) {
      seat.weight = (1 - params_.share) * seat.weight / total + params_.share / members_;
      seat.learn(wider, y);
    });
  }

  /// Nothing if a member divides its margin by 1 + r: then the margin is not a sum over features.
  [[nodiscard]] std::optional<std::vector<double>> weights() const {
    bool linear = true;
    std::vector<double> sums;
    for_each_member([&]<class L>(const Member<L>& seat) {
      if constexpr (HasSpread<L>) linear = linear && !L::margin_is_divided;
      const std::vector<double> weights = seat.learner->weights();  // the first weight belongs to the
                                                                    // constant
      if (weights.size() > sums.size() + 1) sums.resize(weights.size() - 1);
      for (std::size_t i = 1; i < weights.size(); ++i) sums[i - 1] += vote(seat, weights[i]);
    });
    return linear ? std::optional(std::move(sums)) : std::nullopt;
  }
  [[nodiscard]] double offset() const { return margin(FeatureView()); }

  [[nodiscard]] bool consistent() const {
    bool seats = true;
    double sum = 0;
    for_each_member([&](const auto& seat) {
      seats = seats && seat.consistent();
      sum += seat.weight;
    });
    constexpr double rounding = 1e-9;
    return seats && std::abs(sum - 1) <= rounding && labels_ >= 0 && threshold_.consistent();
  }
  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
    visit("threshold", self.threshold_);
    std::size_t number = 0;
    std::apply([&](auto&... seat) { (visit("member" + std::to_string(number++), seat), ...); }, self.seats_);
  }

 private:
  template <class F>
  void for_each_seat(F&& f) {
    std::apply([&](auto&... seat) { (f(seat), ...); }, seats_);
  }
  template <class F>
  void for_each_member(F&& f) {
    for_each_seat([&](auto& seat) {
      if (seat.learner) f(seat);
    });
  }
  template <class F>
  void for_each_member(F&& f) const {
    std::apply([&](const auto&... seat) { ((seat.learner ? f(seat) : void()), ...); }, seats_);
  }
  /// A member's part of the margin. Before the first label, its margins count as having size 1.
  [[nodiscard]] double vote(const auto& seat, double margin) const {
    const double size = seat.squares > 0 ? std::sqrt(seat.squares / labels_) : 1;
    return seat.weight * margin / size;
  }

  Params params_;
  std::tuple<Member<PassiveAggressive<PaOne>>, Member<ArowDiagonal>, Member<Perceptron>, Member<Arow>,
             Member<SecondOrder>>
      seats_;
  double members_ = 0;
  double labels_ = 0;
  FThreshold threshold_;
  ScratchPool<ConstantFeature> rooms_;
};

}  // namespace askfew
