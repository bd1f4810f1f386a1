#pragma once

#include <cstdint>

#include "askfew/spending/label_budget.h"

namespace askfew {

/// How many labels may have been asked by now. It never allows more than the budget, up to any round:
///
///   share p, end unknown     p t
///   count B, horizon N       A + (B - A) t/(0.98 N), at most B; A = B/10, at least 10: the first teach most
///   share p, horizon N       as the count p N, rounded down; after N rounds p t
///   count B, end unknown     B t/(t + 10 B): half of it after 10 B rounds, and never all
///   B a period               B max(share of the period that has passed, rounds in it / rounds in the last)
///
/// What was not spent in a period is not carried over. Periods begin at their multiples since 1970.
class SpendingPlan {
 public:
  explicit SpendingPlan(const LabelBudget& budget);

  /// One more instance has come.
  void next_round();
  /// The stream's time, in seconds since 1970, of the instance to come. Time that goes back stands still.
  void advance_to(std::int64_t time);
  void spend() { ++spent_; }

  /// Labels that may be asked now.
  [[nodiscard]] double credit() const { return allowance_ - static_cast<double>(spent_); }
  /// Labels a round that the plan gives at present.
  [[nodiscard]] double rate() const { return rate_; }
  /// Of the whole, or of the period at hand.
  [[nodiscard]] std::uint64_t spent() const { return spent_; }
  /// Rounds that are still to come; infinity if nobody knows.
  [[nodiscard]] double rounds_left() const;
  /// Labels that are still to be asked, where the end is known; else 0.
  [[nodiscard]] double labels_left() const { return has_end() ? total_ - static_cast<double>(spent_) : 0; }

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("spent", self.spent_);
    visit("allowance", self.allowance_);
    visit("rate", self.rate_);
    visit("time", self.time_);
    visit("period", self.period_);
    visit("rounds_before", self.rounds_before_);
  }

 private:
  /// A count ends with its horizon. A share is one of all rounds: those that nobody knew of have theirs.
  [[nodiscard]] bool has_end() const {
    return total_ > 0 && (budget_.kind == LabelBudget::Kind::count || rounds_ <= budget_.horizon);
  }
  void plan_rounds();
  void plan_period();

  LabelBudget budget_;
  double total_ = 0;  // labels, where the horizon is known
  std::uint64_t rounds_ = 0;
  std::uint64_t spent_ = 0;
  double allowance_ = 0;
  double rate_ = 0;
  std::uint64_t time_ = 0;           // of the instance at hand
  std::uint64_t period_ = 0;         // the period that it is in
  std::uint64_t rounds_before_ = 0;  // in the period before
};

}  // namespace askfew
