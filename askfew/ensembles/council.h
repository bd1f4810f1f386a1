#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "askfew/core/params.h"
#include "askfew/learners/arow.h"
#include "askfew/learners/arow_diagonal.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/second_order.h"

namespace askfew {

/// A learner among others: how much it counts, and how large its margins are.
template <Learner L>
struct Seat {
  std::optional<L> learner;
  double weight = 0;   ///< 0 where nobody sits
  double squares = 0;  ///< of its margins on the labels so far
  double margin = 0;   ///< on the instance at hand

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
};

/// Learners that vote, those that have been right more than the others: for when nobody knows which learner
/// suits a stream. No paper.
///
///   margin  m = sum of w_k m_k/s_k over the members k, s_k^2 the mean of m_k^2 over the labels so far
///   update  w_k = (1 - share) w_k exp(-eta [y m_k <= 0])/sum + share/K; then every member learns by its own
///           policy
///
/// Members: pa-1, arow-diagonal and perceptron, and, where the number of features is known to be at most
/// `dense`, arow and second-order with all of their covariance; all with their default parameters.
/// The weights are exponential weights with a fixed share (Herbster and Warmuth 1998) on the labels that were
/// asked for, not weighted by how likely that was: they say who is right where it is worth asking. The
/// mistakes of the weighted majority are those of the best member on these labels within a factor, also where
/// the best one changes.
/// Cost of a round: the sum of the members'.
class Council {
 public:
  struct Params {
    double eta = 0.3;
    double share = 0.01;
    double dense = 1000;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"eta", &Params::eta, at_least(0), "how fast those that are right win"},
          Param<Params>{"share", &Params::share, between(0, 1), "how fast the others may come back"},
          Param<Params>{"dense", &Params::dense, at_least(0), "most features for a full covariance"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "council",
      .formula = "m = sum w_k m_k/s_k; w_k *= exp(-eta [y m_k <= 0]), shared out anew; members learn",
      .paper = "no paper: pa-1, arow-diagonal, perceptron, arow and second-order vote",
      .policy = UpdatePolicy::asked};

  static bool gains_from_dimension(const Params& params, FeatureView::Index dimension) {
    return dimension > 0 && dimension <= params.dense;
  }

  Council(const Params& params, const Setting& setting) : params_(checked(info.name, params)) {
    const bool dense = gains_from_dimension(params_, setting.dimension);
    for_each_seat([&]<class L>(Seat<L>& seat) {
      constexpr bool sparse = !std::same_as<L, Arow> && !std::same_as<L, SecondOrder>;
      if (sparse || dense) seat.learner.emplace(typename L::Params{}, setting);
      if (seat.learner) ++members_;
    });
    for_each_member([&](auto& seat) { seat.weight = 1 / members_; });
  }

  [[nodiscard]] double margin(const FeatureView& x) const {
    double sum = 0;
    std::apply(
        [&](const auto&... seat) {
          ((sum += seat.learner ? seat.weight * seat.learner->margin(x) / size(seat) : 0), ...);
        },
        seats_);
    return sum;
  }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    double total = 0;
    for_each_member([&](auto& seat) {
      seat.margin = seat.learner->margin(x);
      if (sign(y) * seat.margin <= 0) seat.weight *= std::exp(-params_.eta);
      total += seat.weight;
    });
    ++labels_;
    for_each_member([&](auto& seat) {
      seat.weight = (1 - params_.share) * seat.weight / total + params_.share / members_;
      seat.learn(x, y);
    });
  }

  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
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
  /// How large the member's margins are: 1 before any was.
  [[nodiscard]] double size(const auto& seat) const {
    return seat.squares > 0 ? std::sqrt(seat.squares / labels_) : 1;
  }

  Params params_;
  std::tuple<Seat<PassiveAggressive<PaOne>>, Seat<ArowDiagonal>, Seat<Perceptron>, Seat<Arow>,
             Seat<SecondOrder>>
      seats_;
  double members_ = 0;
  double labels_ = 0;
};

}  // namespace askfew
