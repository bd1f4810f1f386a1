#pragma once

#include <cstdint>

#include "askfew/sessions/session.h"

namespace askfew {

/// The labels that were asked in the current period of a budget per period. Follows from the ledger's lines.
class PeriodSpending {
 public:
  /// Call after each line.
  void add(const Session& session) {
    const LabelBudget& budget = session.model().config.sampler.spending.budget;
    const std::int64_t period = period_of(budget, session.time());
    const std::uint64_t asked = session.tally().asked;
    if (period != period_ || budget.period != length_) {
      asked_before_ = asked_;
      period_ = period;
      length_ = budget.period;
    }
    asked_ = asked;
  }

  /// REQUIRES: the budget of the session is per period, and the time is not before its last line.
  [[nodiscard]] std::uint64_t spent(const Session& session, std::int64_t time) const {
    const LabelBudget& budget = session.model().config.sampler.spending.budget;
    return period_of(budget, time) == period_ && budget.period == length_ ? asked_ - asked_before_ : 0;
  }

  static void state(auto& self, auto& visit) {
    visit("length", self.length_);
    visit("period", self.period_);
    visit("asked_before", self.asked_before_);
    visit("asked", self.asked_);
  }

 private:
  static std::int64_t period_of(const LabelBudget& budget, std::int64_t time) {
    return budget.kind == LabelBudget::Kind::period ? time / 1'000'000 / budget.period : 0;
  }

  std::int64_t length_ = 0;  // seconds; 0: no budget per period
  std::int64_t period_ = 0;  // periods since 1970
  std::uint64_t asked_before_ = 0;
  std::uint64_t asked_ = 0;
};

}  // namespace askfew
