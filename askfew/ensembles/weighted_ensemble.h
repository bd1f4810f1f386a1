#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "askfew/config/params.h"
#include "askfew/ensembles/constant_feature.h"
#include "askfew/ensembles/f_threshold.h"
#include "askfew/learners/arow.h"
#include "askfew/learners/arow_diagonal.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/second_order.h"

namespace askfew {

/// A learner among others: how much it counts, and how large its margins are.
template <Learner L>
struct Member {
  std::optional<L> learner;
  double weight = 0;   ///< 0 where nobody sits
  double squares = 0;  ///< of its margins on the labels so far
  double margin = 0;   ///< on the instance at hand

  /// The member's margin. What rounding leaves of 0 is 0: its sign would decide who was right.
  [[nodiscard]] double margin_of(const FeatureView& x) const {
    constexpr double rounding = 1e-12;
    const double m = learner->margin(x);
    return std::abs(m) < rounding ? 0 : m;
  }
  /// Learns by its own policy.
  void learn(const FeatureView& x, Label y) {
    squares += margin * margin;
    if constexpr (HasLoss<L>) {
      if (learner->suffers(y, margin)) learner->update(x, y, margin);
    } else if (sgn(margin) != y) {
      learner->update(x, y, margin);
    }
  }
  static void state(auto& self, auto& visit) {
    visit("weight", self.weight);
    visit("squares", self.squares);
    if (self.learner) visit("learner", *self.learner);
  }
  [[nodiscard]] bool consistent() const {
    if constexpr (requires(const L& other) { other.consistent(); }) {
      if (learner && !learner->consistent()) return false;
    }
    return weight >= 0 && squares >= 0;
  }
};

/// Learners that vote, those that have been right more than the others: for when nobody knows which learner
/// suits a stream. No paper.
///
///   margin  m = shift + sum of w_k m_k/s_k over the members k
///           s_k^2 the mean of m_k^2 over the labels so far
///   update  w_k = (1 - share) w_k exp(-eta [y m_k <= 0])/sum + share/K
///           then every member learns by its own policy
///
/// The members see a constant beside the features. `shift` is the one of f_threshold.h: predictions aim at a
/// large F, not at few mistakes, and the rule looks where they are in doubt.
/// Members: pa-1, arow-diagonal and perceptron, and, where the number of features is known to be at most
/// `dense`, arow and second-order with all of their covariance; all with their default parameters.
/// The weights are exponential weights with a fixed share (Herbster and Warmuth 1998) on the labels that were
/// asked for, not weighted by how likely that was: they say who is right where it is worth asking. The
/// mistakes of the weighted majority are those of the best member on these labels within a factor, also where
/// the best one changes.
/// Cost of a round: the sum of the members'.
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
      .policy = UpdatePolicy::asked};

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
    const FeatureView wider = with_constant(x, params_.constant);
    double sum = 0;
    for_each_member([&](const auto& seat) { sum += vote(seat, seat.margin_of(wider)); });
    return sum + threshold_.shift();
  }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    const FeatureView wider = with_constant(x, params_.constant);
    double sum = 0;
    double total = 0;
    for_each_member([&](auto& seat) {
      seat.margin = seat.margin_of(wider);
      sum += vote(seat, seat.margin);
      if (sign(y) * seat.margin <= 0) seat.weight *= std::exp(-params_.eta);
      total += seat.weight;
    });
    threshold_.learn(sum, y);
    ++labels_;
    for_each_member([&](auto& seat) {
      seat.weight = (1 - params_.share) * seat.weight / total + params_.share / members_;
      seat.learn(wider, y);
    });
  }

  [[nodiscard]] std::size_t growth(const FeatureView& x) const {
    const FeatureView wider = with_constant(x, params_.constant);
    std::size_t bytes = 0;
    for_each_member([&]<class L>(const Member<L>& seat) {
      if constexpr (Grows<L>) bytes += seat.learner->growth(wider);
    });
    return bytes;
  }

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
  /// A member's part of the margin. Its margins have size 1 before there is a label.
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
};

}  // namespace askfew
