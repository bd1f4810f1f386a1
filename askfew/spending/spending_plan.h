#pragma once

// The plan of a budget: how many labels may have been asked by each round.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "askfew/spending/label_budget.h"

namespace askfew {

/// The rounds in which most labels of a count are planned if its end is unknown, 20 per label; 0 for other
/// budgets.
std::uint64_t assumed_rounds(const LabelBudget& budget);

/// The number of labels that may have been asked so far. Up to any round, the plan never allows more than the
/// budget:
///
///   share p, end unknown     p t
///   count B, horizon N       A + (B - A) f^a, at most B;  f = t/(0.98 N)
///   share p, horizon N       as the count p N, rounded down; after N rounds p t
///   count B, end unknown     A + (B - A) f^0.5;  f = t/(t + 10 B): four fifths of B after 20 B rounds, never
///   all B per period             B max(share of the period that has passed, rounds in it / rounds in the
///   last)
///
/// A = max(B/10, 10), or B/2 if B <= 10, can be asked at once. a, from 0.5 to 0.7, grows with the share of
/// the labels: a learner's gain per label falls, so that early labels teach most. The power is computed in
/// some rounds, and the plan is a straight line in between. A plan of an earlier version
/// (LabelBudget::Plan::even) has a = 1, and B t/(t + 10 B) if the end is unknown.
///
/// Labels not spent in a period are lost. Periods begin at their multiples since 1970.
///
/// With an audit, which asks each label with probability a, the plan is for the rule alone, and the labels of
/// the audit are set aside (not in LabelBudget::Plan::even and early). Where the end is known, B is what is
/// left for the rule: the labels in total minus those that only the audit asked, minus a per round to come.
/// In addition the rule leaves as many labels as the audit takes in the rounds to come if it has bad luck
/// (4.25 standard deviations). Of a period, the rounds are those of the period before, or grow with the time.
/// A share whose end is unknown leaves a few labels at all times.
class SpendingPlan {
 public:
  /// `audit`: the probability with which the audit asks each label.
  explicit SpendingPlan(const LabelBudget& budget, double audit = 0);

  /// The next instance has come.
  void next_round() { ++rounds_; }
  /// Plans the present round, once. REQUIRES: called in a round before its credit or rate is used; for a
  /// budget per period in every round.
  void plan() {
    if (is_planned()) return;
    if (rounds_ >= line_.end) return plan_anew();
    planned_ = rounds_;
    postponed_ = 0;
    allowance_ = limit_ = rounds_ == prepared_.round ? prepared_.allowance : line_.allowance_at(rounds_);
  }
  /// Computes now what `plan` needs in that round to come; changes no result.
  void prepare(std::uint64_t round) {
    if (round < line_.end) prepared_ = {.round = round, .allowance = line_.allowance_at(round)};
  }
  /// May the rule ask so many labels now? While the plan is a straight line, the allowance never falls: it is
  /// computed only if that of an earlier round is not enough.
  [[nodiscard]] bool allows(double labels) {
    if (!is_planned() && rounds_ < line_.end && credit() >= labels) {
      postponed_ = rounds_;
      return true;
    }
    plan();
    return credit() >= labels;
  }
  /// The stream's time of the next instance, in seconds since 1970. A time before the last time is ignored.
  void advance_to(std::int64_t time);
  void spend() { ++spent_; }
  /// Spends a label that only the audit asked.
  void spend_on_audit() {
    ++spent_;
    ++audited_;
  }

  /// Labels that the rule may ask now.
  [[nodiscard]] double credit() const { return allowance_ - static_cast<double>(spent_); }
  /// Labels that the audit may ask now.
  [[nodiscard]] double audit_credit() const { return limit_ - static_cast<double>(spent_); }
  /// Labels per round that the plan allows at present.
  [[nodiscard]] double rate() const { return rate_; }
  /// Labels spent, in total or in the current period.
  [[nodiscard]] std::uint64_t spent() const { return spent_; }
  /// The number of rounds still to come; infinity if unknown.
  [[nodiscard]] double rounds_left() const {
    if (!has_end()) return std::numeric_limits<double>::infinity();
    return rounds_ >= budget_.horizon ? 0 : static_cast<double>(budget_.horizon - rounds_);
  }
  /// The number of labels still to be asked by the rule if the end is known; else 0.
  [[nodiscard]] double labels_left() const {
    return has_end() ? total_ - reserve_ - static_cast<double>(spent_) : 0;
  }

  /// Does the plan spend many labels early?
  [[nodiscard]] bool is_early() const { return budget_.plan != LabelBudget::Plan::even; }
  /// May rounds be left out, in which neither credit nor rate is used?
  [[nodiscard]] bool may_skip_rounds() const {
    return is_early() && audit_ == 0 && budget_.kind != LabelBudget::Kind::period;
  }
  /// Does the scale of a rule change less often after many rounds?
  [[nodiscard]] bool is_spaced() const { return budget_.plan == LabelBudget::Plan::spaced; }
  /// Does the plan set the labels of an audit aside?
  [[nodiscard]] bool sets_aside() const { return audit_ > 0; }

  /// The labels that are planned by a round, those of the audit included, whatever was asked so far. Nothing
  /// for a budget per period, and for the plan of an earlier version.
  [[nodiscard]] std::optional<double> planned_by(std::uint64_t round) const;

  /// Could the loaded state have been saved by a plan?
  [[nodiscard]] bool consistent() const { return audited_ <= spent_; }
  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("spent", self.spent_);
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("allowance", self.postponed_ > 0 ? self.line_.allowance_at(self.postponed_) : self.allowance_);
    } else {
      visit("allowance", self.allowance_);
      self.forget_line();
    }
    visit("rate", self.rate_);
    visit("time", self.time_);
    visit("period", self.period_);
    visit("rounds_before", self.rounds_before_);
    if (self.sets_aside()) visit("audited", self.audited_);
  }

 private:
  static constexpr std::uint64_t no_round = std::numeric_limits<std::uint64_t>::max();
  [[nodiscard]] bool is_planned() const { return planned_ == rounds_; }
  /// A count ends with its horizon. A share never ends: rounds after the horizon get their share as well.
  [[nodiscard]] bool has_end() const {
    return total_ > 0 && (budget_.kind == LabelBudget::Kind::count || rounds_ <= budget_.horizon);
  }
  struct Share {
    double share;  ///< of the labels after the first
    double slope;  ///< share per round
  };
  /// A straight piece of an early plan.
  struct Line {
    std::uint64_t begin = 0;
    Share at_begin{};
    double first = 0;  ///< labels that can be asked at once
    double total = 0;
    std::uint64_t end = 0;  ///< up to this round the allowance depends on the line alone; 0: in no round

    [[nodiscard]] double allowance_at(std::uint64_t round) const {
      const double share =
          std::min(1.0, at_begin.share + at_begin.slope * static_cast<double>(round - begin));
      return std::min(total, first + (total - first) * share);
    }
  };
  struct Prepared {
    std::uint64_t round = 0;
    double allowance = 0;
  };
  [[nodiscard]] Share share_by_end(std::uint64_t round) const;
  [[nodiscard]] Share share_without_end(std::uint64_t round) const;
  /// What was computed in advance may not fit a loaded state.
  void forget_line() {
    line_ = {};
    prepared_ = {};
    planned_ = no_round;
    postponed_ = 0;
  }
  void plan_anew();
  void plan_rounds();
  void plan_early();
  void plan_period();
  void set_aside();
  /// Labels for the rule, out of `labels` for it and for the audit of `rounds` rounds to come.
  [[nodiscard]] double for_rule(double labels, double rounds) const;
  /// The expected number of rounds in the current period.
  [[nodiscard]] double rounds_in_period() const;

  LabelBudget budget_;
  double audit_;      // 0: the plan sets nothing aside
  double total_ = 0;  // labels in total, if the horizon is known
  std::uint64_t rounds_ = 0;
  std::uint64_t planned_ = no_round;  // the last round that was planned
  std::uint64_t spent_ = 0;
  std::uint64_t audited_ = 0;  // of these, labels that only the audit asked
  double allowance_ = 0;       // labels that may have been asked after this round, if the rule asks
  double limit_ = 0;           // labels that may have been asked after this round, if only the audit asks
  double reserve_ = 0;         // labels that the rule leaves to the audit
  double rate_ = 0;
  std::uint64_t time_ = 0;           // time of the current instance
  std::uint64_t period_ = 0;         // the current period
  std::uint64_t rounds_before_ = 0;  // rounds in the previous period
  Line line_;                        // the last one, computed anew after loading
  Prepared prepared_;                // a round to come, of the same line
  std::uint64_t postponed_ = 0;      // the last round planned, if allowance_ is of an earlier one; else 0
};

}  // namespace askfew
