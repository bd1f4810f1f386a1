#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "askfew/core/score.h"
#include "askfew/math/elementary.h"
#include "askfew/spending/level_of_mean.h"
#include "askfew/spending/spending_plan.h"

namespace askfew {

/// Steers the scale of a rule so that the labels follow a plan: never more labels than the plan, all labels
/// used at the end, and no label asked only because budget is left.
///
///   scale    exp(level + (credit - aim)/tau)       credit: labels that may be asked now; aim: a few labels
///   level    moves with (credit - aim), and sometimes to the level at which the rule would have asked the
///            plan's share of the last scores
///
/// A larger scale makes every rule ask more, so this is a proportional-integral controller of the credit for
/// any rule. tau grows with the labels spent: the more labels, the slower the control.
class Pacer {
 public:
  /// THROWS: ConfigError if the spending is impossible, given the horizon (if known).
  Pacer(const Spending& spending, double first_scale);

  /// The next instance has come.
  void next_round() {
    count_round();
    if (rounds_ >= strides_.end) find_strides();
    first_busy_ = may_idle() ? std::min((rounds_ / strides_.scale + 1) * strides_.scale, next_look_) : 0;
    if (!may_idle() || moves() || is_due()) plan_round();
  }
  /// Has the pacer nothing to do in the next round, unless the rule asks? So it is in most rounds of a long
  /// run: the scale stays, and no score is remembered.
  [[nodiscard]] bool idles_next() const { return rounds_ + 1 < first_busy_; }
  /// The same as `next_round`. REQUIRES: idles_next().
  void pass_idle_round() { count_round(); }
  void advance_to(std::int64_t time) { plan_.advance_to(time); }
  /// The scale for this round's decision.
  [[nodiscard]] double scale() const { return scale_; }
  /// May the rule ask in this round? May the audit ask?
  [[nodiscard]] bool may_ask() { return plan_.allows(1 + reserve_); }
  [[nodiscard]] bool may_audit() {
    plan_.plan();
    return plan_.audit_credit() >= 1;
  }
  /// A label was asked; `by_rule`: by the rule, whatever the audit says.
  void spend(bool by_rule) {
    if (by_rule) {
      plan_.spend();
    } else {
      plan_.spend_on_audit();
    }
  }

  /// Must this round's score be remembered? Then the score must be exact.
  [[nodiscard]] bool samples() const { return rounds_ % strides_.sample == 0; }
  /// `rank`: see RanksScores; any number for other rules.
  void remember(const Score& score, double rank);

  /// Is it time to look at the last scores?
  [[nodiscard]] bool is_due() const { return rounds_ == next_look_; }
  /// Moves the level to the scale at which the mean of `probability(score)` over the last scores is the
  /// plan's rate. `at` sets the scale of the rule.
  template <class At, class Probability>
  void look(At&& at, Probability&& probability) {
    schedule_look();
    if (kept() == 0) return;
    const std::size_t first = first_looked_at();
    const std::size_t last = kept();
    const std::optional<double> found = level_of_mean(plan_.rate(), level_, [&](double level) {
      at(math::exp(level));
      double sum = 0;
      for (std::size_t k = first; k < last; ++k) sum += probability(score(k));
      return sum / static_cast<double>(last - first);
    });
    if (found) move_to(*found);
  }

  /// The same for a rule that ranks scores (see RanksScores): the level moves to the quantile of the critical
  /// scales of the last scores. Returns false, and does nothing, if there is no critical scale. (Plans of
  /// earlier versions always use `look`: their sessions replay bit for bit.)
  template <class Rank, class CriticalScale>
  bool look_at_ranks(Rank&& rank, CriticalScale&& critical_scale) {
    if (!plan_.is_early()) return false;
    if (kept() == 0) {
      schedule_look();
      return true;
    }
    if (ranks_.empty()) {
      for (std::size_t k = 0; k < kept(); ++k) ranks_.push_back(rank(score(k)));
    }
    const std::optional<double> scale = critical_scale(rank_at_rate());
    if (!scale) return false;
    schedule_look();
    move_to_scale(*scale);
    return true;
  }

  static void state(auto& self, auto& visit) {
    visit("plan", self.plan_);
    visit("rounds", self.rounds_);
    visit("next_look", self.next_look_);
    visit("level", self.level_);
    visit("reserve", self.reserve_);
    visit("scores", self.scores_);
    if (self.plan_.is_early()) visit("scale", self.scale_);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      self.first_busy_ = 0;
      self.strides_ = {};
      self.ranks_.clear();
    }
  }
  /// Could the loaded state have been saved by a pacer?
  [[nodiscard]] bool consistent() const {
    return plan_.consistent() && scores_.size() <= 3 * capacity && scores_.size() % 3 == 0;
  }

 private:
  static constexpr std::size_t capacity = 512;
  static constexpr std::uint64_t least_stride = 8;
  static constexpr std::uint64_t most_stride = 64;

  /// The scale changes, and a score is remembered, in every round, or once in so many rounds: after many
  /// rounds the credit changes slowly. They divide the round that is their end.
  struct Strides {
    std::uint64_t scale = 1;
    std::uint64_t sample = 1;
    std::uint64_t end = 0;  ///< from this round on there are others
  };
  void find_strides();
  [[nodiscard]] bool moves() const { return rounds_ % strides_.scale == 0; }
  /// Are there rounds in which there is nothing to do unless the rule asks?
  [[nodiscard]] bool may_idle() const { return audit_ == 0 && plan_.may_skip_rounds(); }
  void count_round() {
    ++rounds_;
    plan_.next_round();
  }
  void plan_round();
  [[nodiscard]] std::size_t kept() const { return scores_.size() / 3; }
  [[nodiscard]] Score score(std::size_t k) const {
    return {.margin = scores_[3 * k], .norm = scores_[3 * k + 1], .spread = scores_[3 * k + 2]};
  }
  [[nodiscard]] bool is_far_behind() const;
  /// The first of the remembered scores that a look takes into account. REQUIRES: there is a score.
  [[nodiscard]] std::size_t first_looked_at() const;
  void schedule_look();
  void move_to(double level);
  [[nodiscard]] double rank_at_rate();
  void move_to_scale(double scale);

  SpendingPlan plan_;
  double audit_;
  std::uint64_t rounds_ = 0;
  std::uint64_t next_look_ = 16;
  Strides strides_;               // of the present round; computed anew after loading
  std::uint64_t first_busy_ = 0;  // the first round with something to do; 0: the next one, as far as is known
  double level_;
  double lag_ = 0;  // surplus labels in the last round that moved, in units of `hurry`
  double scale_ = 1;
  double reserve_ = 0;           // labels kept for the audit, if the plan sets none aside
  std::vector<double> scores_;   // the last scores, three numbers each, in a ring
  std::vector<double> ranks_;    // their ranks; empty after loading
  std::vector<double> scratch_;  // of a look
};

}  // namespace askfew
