#include "askfew/spending/spending_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/core.h>

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
constexpr double most_for_audit = 0.8;     // of the labels of a period

/// Labels that an audit takes at most in these rounds. A rule that leaves so many in every round starves the
/// audit in about four runs in a thousand.
double taken_with_bad_luck(double audit, double rounds) {
  const double expected = audit * rounds;
  return std::min(rounds, 1 + expected + 4.25 * std::sqrt(expected));
}

/// Labels at which an audit hardly ever finds none, if new labels come at a constant rate. The number of
/// labels that an audit takes ahead of them exceeds k with probability e^-ck, where r (e^c - 1) = c and r is
/// the audit's part of the rate; 1/c < 1/3 + r/(2 (1 - r)). Seven times 1/c: in one case in a thousand. One
/// more label is for the first question.
double kept_at_rate(double audit, double rate) {
  const double part = std::min(audit / rate, most_for_audit);
  return 1 + 7 * (1.0 / 3 + part / (2 * (1 - part)));
}

/// Labels of an early plan that can be asked at once.
double first_of(double total) {
  return total <= 10 ? std::max(1.0, total / 2) : std::max(10.0, total / 10);
}

}  // namespace

std::uint64_t assumed_rounds(const LabelBudget& budget) {
  if (budget.kind != LabelBudget::Kind::count || budget.horizon > 0) return 0;
  return static_cast<std::uint64_t>(2 * rounds_for_half * budget.amount);
}

SpendingPlan::SpendingPlan(const LabelBudget& budget, double audit)
    : budget_(budget), audit_(budget.plan >= LabelBudget::Plan::reserved ? audit : 0) {
  if (budget.horizon == 0) return;
  if (budget.kind == LabelBudget::Kind::period) {
    throw ConfigError("`horizon` is not for a budget that comes anew every period");
  }
  const auto horizon = static_cast<double>(budget.horizon);
  total_ = budget.kind == LabelBudget::Kind::share ? std::floor(labels_in(budget.amount, horizon))
                                                   : std::min(budget.amount, horizon);
  if (total_ < 1) {
    throw ConfigError(fmt::format(
        "budget '{}' is less than one label of {} rounds: give a number of labels, or a larger share",
        text_of(budget), budget.horizon));
  }
}

void SpendingPlan::plan_anew() {
  postponed_ = 0;
  if (budget_.kind == LabelBudget::Kind::period) {
    plan_period();
  } else {
    plan_rounds();
  }
  planned_ = rounds_;
  limit_ = allowance_;
  if (sets_aside()) set_aside();
}

void SpendingPlan::set_aside() {
  if (!has_end() && budget_.kind != LabelBudget::Kind::period) {
    reserve_ = kept_at_rate(audit_, budget_.amount);
    allowance_ -= reserve_;
    rate_ = std::max(budget_.amount - audit_, (1 - most_for_audit) * budget_.amount);
    return;
  }
  limit_ = has_end() ? total_ : budget_.amount;
  const double left = has_end() ? rounds_left() : rounds_in_period() - static_cast<double>(rounds_);
  reserve_ = taken_with_bad_luck(audit_, left);
  allowance_ = std::min(allowance_ + static_cast<double>(audited_), limit_ - reserve_);
}

double SpendingPlan::for_rule(double labels, double rounds) const {
  if (!sets_aside()) return labels;
  return std::max(0.0, labels - static_cast<double>(audited_) - audit_ * rounds);
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

std::optional<double> SpendingPlan::planned_by(std::uint64_t round) const {
  if (budget_.kind == LabelBudget::Kind::period || !is_early()) return std::nullopt;
  if (round == 0) return 0.0;  // the shares are of rounds from 1 on
  const auto t = static_cast<double>(round);
  const bool ends = total_ > 0 && (budget_.kind == LabelBudget::Kind::count || round <= budget_.horizon);
  if (!ends && budget_.kind == LabelBudget::Kind::share) return labels_in(budget_.amount, t);
  if (ends && round >= budget_.horizon) return total_;
  const double all = total_ > 0 ? total_ : budget_.amount;
  const double of_audit = total_ > 0 ? audit_ * static_cast<double>(budget_.horizon) : 0;
  const double of_rule = std::max(0.0, all - of_audit);
  const double first = first_of(of_rule);
  const double share = total_ > 0 ? share_by_end(round).share : share_without_end(round).share;
  const double audited = total_ > 0 ? audit_ * t : 0;
  return std::min({all, t, first + (of_rule - first) * share + audited});
}

void SpendingPlan::plan_early() {
  const int low_bits = std::max(static_cast<int>(std::bit_width(rounds_)) - leading_bits, 0);
  const std::uint64_t begin = rounds_ >> low_bits << low_bits;
  if (begin != line_.begin) {
    line_.begin = begin;
    line_.at_begin = has_end() ? share_by_end(begin) : share_without_end(begin);
  }
  line_.total = has_end() ? for_rule(total_, rounds_left()) : budget_.amount;
  line_.first = first_of(line_.total);
  if (!sets_aside()) {
    line_.end = begin + (std::uint64_t{1} << low_bits);
    if (has_end()) line_.end = std::min(line_.end, budget_.horizon + 1);
  }
  rate_ = std::min(max_rate, std::max(line_.total - line_.first, 1.0) * line_.at_begin.slope);
  allowance_ = line_.allowance_at(rounds_);
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
    audited_ = 0;
  }
  const double passed = static_cast<double>(time_ % length) / static_cast<double>(length);
  const auto t = static_cast<double>(rounds_);
  const double of_rounds = rounds_before_ == 0 ? 0 : t / static_cast<double>(rounds_before_);
  const double share = std::min(1.0, std::max(passed, of_rounds));
  const double of_audit = std::min(most_for_audit * budget_.amount, audit_ * rounds_in_period());
  const double of_rule = budget_.amount - of_audit;
  allowance_ = of_rule * share;
  rate_ = std::min(1.0, of_rule * std::max(share, 0.01) / t);
}

/// As many rounds as in the period before, or as the share of the period that has passed suggests.
double SpendingPlan::rounds_in_period() const {
  const auto t = static_cast<double>(rounds_);
  if (rounds_before_ > 0) return std::max(t, static_cast<double>(rounds_before_));
  const auto length = static_cast<std::uint64_t>(budget_.period);
  const double passed = static_cast<double>(time_ % length) / static_cast<double>(length);
  return t / std::max(passed, 0.01);
}

}  // namespace askfew
