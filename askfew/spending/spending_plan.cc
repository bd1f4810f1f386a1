#include "askfew/spending/spending_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

constexpr double share_of_horizon = 0.98;  // leaves rounds at the end for the last labels to find good
                                           // instances
constexpr double rounds_for_half = 10;     // per label of a budget whose end is unknown
constexpr double least_power = 0.5;        // of the share of the horizon, in an early plan
constexpr double max_rate = 0.9;           // labels per round, in an early plan
constexpr int leading_bits = 8;            // of the rounds in which an early plan bends

}  // namespace

std::uint64_t assumed_rounds(const LabelBudget& budget) {
  if (budget.kind != LabelBudget::Kind::count || budget.horizon > 0) return 0;
  return static_cast<std::uint64_t>(2 * rounds_for_half * budget.amount);
}

SpendingPlan::SpendingPlan(const LabelBudget& budget) : budget_(budget) {
  if (budget.horizon == 0) return;
  if (budget.kind == LabelBudget::Kind::period) {
    throw ConfigError("`horizon` is not for a budget that comes anew every period");
  }
  const auto horizon = static_cast<double>(budget.horizon);
  total_ = budget.kind == LabelBudget::Kind::share ? std::floor(labels_in(budget.amount, horizon))
                                                   : std::min(budget.amount, horizon);
  if (total_ < 1) throw ConfigError("the budget is not enough for one label");
}

void SpendingPlan::next_round() {
  ++rounds_;
  if (budget_.kind == LabelBudget::Kind::period) {
    plan_period();
  } else {
    plan_rounds();
  }
}

void SpendingPlan::advance_to(std::int64_t time) {
  const auto since_1970 = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
  time_ = std::max(time_, since_1970);
}

void SpendingPlan::plan_rounds() {
  const auto t = static_cast<double>(rounds_);
  if (!has_end() && budget_.kind == LabelBudget::Kind::share) {
    rate_ = budget_.amount;
    allowance_ = labels_in(budget_.amount, t);
  } else if (is_early()) {
    plan_early();
  } else if (has_end()) {
    const double first = std::min(total_, std::max(10.0, total_ / 10));
    const double end = share_of_horizon * static_cast<double>(budget_.horizon);
    rate_ = std::max(total_ - first, 1.0) / end;
    allowance_ = std::min(total_, first + (total_ - first) * t / end);
  } else {
    const double half = rounds_for_half * budget_.amount;
    rate_ = budget_.amount * half / ((t + half) * (t + half));
    allowance_ = budget_.amount * t / (t + half);
  }
}

void SpendingPlan::plan_early() {
  const int low_bits = static_cast<int>(std::bit_width(rounds_)) - leading_bits;
  const std::uint64_t bend = low_bits > 0 ? rounds_ >> low_bits << low_bits : rounds_;
  if (bend != bend_) {
    bend_ = bend;
    const auto [share, slope] = has_end() ? share_by_end(bend) : share_without_end(bend);
    share_ = share;
    slope_ = slope;
  }
  const double total = has_end() ? total_ : budget_.amount;
  const double first = total <= 10 ? std::max(1.0, total / 2) : std::max(10.0, total / 10);
  const double share = std::min(1.0, share_ + slope_ * static_cast<double>(rounds_ - bend));
  rate_ = std::min(max_rate, std::max(total - first, 1.0) * slope_);
  allowance_ = std::min(total, first + (total - first) * share);
}

/// f^a and its slope, f = t/(0.98 N). After its end the plan keeps its last slope: the pacer needs a rate.
SpendingPlan::Share SpendingPlan::share_by_end(std::uint64_t round) const {
  const auto horizon = static_cast<double>(budget_.horizon);
  const double end = share_of_horizon * horizon;
  const double power = std::clamp(least_power + (total_ / horizon - 0.05) * 4 / 3, least_power, 0.7);
  const double f = std::min(1.0, static_cast<double>(round) / end);
  const double share = math::pow(f, power);
  return {.share = share, .slope = power * share / f / end};
}

/// f^0.5 and its slope, f = t/(t + 10 B).
SpendingPlan::Share SpendingPlan::share_without_end(std::uint64_t round) const {
  const auto t = static_cast<double>(round);
  const double half = rounds_for_half * budget_.amount;
  const double share = math::pow(t / (t + half), least_power);
  return {.share = share, .slope = least_power * share * half / (t * (t + half))};
}

void SpendingPlan::plan_period() {
  const auto length = static_cast<std::uint64_t>(budget_.period);
  if (const std::uint64_t now = time_ / length; now != period_) {
    // After a period without instances, the number of instances per period is unknown.
    rounds_before_ = now == period_ + 1 ? rounds_ - 1 : 0;
    period_ = now;
    rounds_ = 1;
    spent_ = 0;
  }
  const double passed = static_cast<double>(time_ % length) / static_cast<double>(length);
  const auto t = static_cast<double>(rounds_);
  const double of_rounds = rounds_before_ == 0 ? 0 : t / static_cast<double>(rounds_before_);
  const double share = std::min(1.0, std::max(passed, of_rounds));
  allowance_ = budget_.amount * share;
  rate_ = std::min(1.0, budget_.amount * std::max(share, 0.01) / t);
}

double SpendingPlan::rounds_left() const {
  if (!has_end()) return std::numeric_limits<double>::infinity();
  return rounds_ >= budget_.horizon ? 0 : static_cast<double>(budget_.horizon - rounds_);
}

}  // namespace askfew
