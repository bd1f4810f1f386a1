#include "askfew/spending/pacer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"
#include "askfew/spending/kth_smallest.h"

namespace askfew {
namespace {

/// As std::clamp, but with a branch: the processor does not wait for the limits.
double limited(double number, double least, double most) {
  if (number < least || number > most) [[unlikely]] {
    return number < least ? least : most;
  }
  return number;
}

double scale_of(double level) {
  return math::exp(level);
}

/// The scale rises above the level with the lag. If the end is known, it rises at least with twice the
/// logarithm of the ratio of the labels left per round to the plan's rate: twice, because the labels that a
/// threshold lets through may grow only with the square root of its scale.
[[gnu::always_inline]] inline double scale_at(double level, double lag, const SpendingPlan& plan) {
  constexpr double max_haste = 2.5;
  constexpr double max_need = 20;
  constexpr double rounding = 1e-9;
  const double haste = limited(lag, -max_haste, max_haste);
  const double labels = plan.labels_left();
  const double rounds = plan.rounds_left() + 1;
  // 2 ln r < h where r < (4 + h)/(4 - h) and h <= 0: most rounds need neither the ratio nor its logarithm.
  const double below = std::min(haste, 0.0);
  if (labels * (4 - below) <= rounds * plan.rate() * (4 + below) * (1 - rounding)) {
    return scale_of(level + haste);
  }
  const double ratio = labels / rounds / plan.rate();
  const double need = haste >= 0 && ratio <= 1 ? 0 : std::min(max_need, 2 * math::log(ratio));
  return scale_of(level + std::max(haste, need));
}

}  // namespace

Pacer::Pacer(const Spending& spending, double first_scale)
    : plan_(spending.budget, spending.audit), audit_(spending.audit), level_(math::log(first_scale)) {
  check(spending);
  const LabelBudget& budget = spending.budget;
  if (audit_ > 0 && budget.kind == LabelBudget::Kind::count && budget.horizon == 0) {
    throw ConfigError(
        "an audit asks in every round, and the budget is a number of labels: give `horizon`, the number of "
        "rounds");
  }
  scores_.reserve(3 * capacity);
  ranks_.reserve(capacity);
}

void Pacer::plan_round() {
  plan_.plan();
  // Plans of earlier versions leave the audit one label, plus the labels that it takes while the plan gives
  // the next few. At the end they leave none.
  if (audit_ > 0 && !plan_.sets_aside())
    reserve_ = std::min(1 + 4 * audit_ / plan_.rate(), 4 * audit_ * plan_.rounds_left());
  if (!moves()) return;
  // The number of labels within which a deviation from the plan is corrected, and the surplus labels beyond
  // the few that prevent the budget from blocking a rule.
  const double hurry = limited(0.01 * static_cast<double>(plan_.spent()), 2, 50);
  const double to_come = plan_.rounds_left() * plan_.rate();
  const double few = 1 + hurry / 8;
  const double surplus = plan_.credit() - reserve_ - (to_come < 10 ? to_come / 10 * few : few);
  lag_ = surplus / hurry;
  // A large deviation is corrected by the credit term alone: the level stays near the plan's rate.
  const double step = limited(lag_, -2, 2) * plan_.rate() / (8 * hurry);
  level_ = limited(level_ + static_cast<double>(strides_.scale) * step, -max_level, max_level);
  scale_ = scale_at(level_, lag_, plan_);
  plan_.prepare(rounds_ + strides_.scale);
}

void Pacer::remember(const Score& score, double rank) {
  const std::array numbers{score.margin, score.norm, score.spread};
  if (kept() < capacity) {
    if (ranks_.size() == kept()) ranks_.push_back(rank);
    scores_.insert(scores_.end(), numbers.begin(), numbers.end());
    return;
  }
  const std::size_t place = (rounds_ / strides_.sample) % capacity;
  std::copy(numbers.begin(), numbers.end(), scores_.begin() + static_cast<std::ptrdiff_t>(3 * place));
  if (!ranks_.empty()) ranks_[place] = rank;
}

/// After 8 times as many rounds as scores are kept, they are powers of two from 8 to 64: at most 1/1,024 of
/// the rounds so far, and 1/64 of those to come. They stay for 64 rounds.
void Pacer::find_strides() {
  constexpr std::uint64_t every_round_until = 8 * capacity;
  if (rounds_ <= every_round_until) {
    strides_ = {.scale = 1, .sample = 1, .end = every_round_until + 1};
    return;
  }
  const std::uint64_t begin = rounds_ / most_stride * most_stride;
  const double left = plan_.rounds_left() + static_cast<double>(rounds_ - begin);
  const double most =
      std::min(static_cast<double>(begin) / 1024, std::min(left, 1e6) / static_cast<double>(most_stride));
  const std::uint64_t spaced =
      std::clamp(std::bit_floor(static_cast<std::uint64_t>(most)), least_stride, most_stride);
  strides_.sample = plan_.is_spaced() ? spaced : least_stride;
  strides_.scale = plan_.is_early() ? strides_.sample : 1;
  strides_.end = begin + most_stride;
}

bool Pacer::is_far_behind() const {
  constexpr double far_behind = 4;
  return plan_.is_spaced() && lag_ > far_behind && kept() < capacity;
}

/// Scores of first rounds may be a thousand times as large as later ones. While the rule is far behind the
/// plan, only the newest quarter counts, at least one score.
std::size_t Pacer::first_looked_at() const {
  return is_far_behind() ? kept() - std::max<std::size_t>(1, kept() / 4) : 0;
}

void Pacer::schedule_look() {
  next_look_ = rounds_ + std::max<std::uint64_t>(rounds_ < 128 ? 16 : 64, rounds_ / 16);
}

/// The rarer the labels, the less information a few scores give.
void Pacer::move_to(double level) {
  const double labels = plan_.rate() * static_cast<double>(kept());
  const double trust = plan_.spent() < 10 || is_far_behind() ? 1 : labels / (labels + 10);
  level_ = limited(level_ + trust * (level - level_), -max_level, max_level);
  if (moves()) scale_ = scale_at(level_, lag_, plan_);
}

/// The smallest rank such that a rule that asks up to it would have asked at least the plan's share of the
/// last scores.
double Pacer::rank_at_rate() {
  scratch_.assign(ranks_.begin() + static_cast<std::ptrdiff_t>(first_looked_at()), ranks_.end());
  const double asked = plan_.rate() * static_cast<double>(scratch_.size());
  return kth_smallest(scratch_, static_cast<std::size_t>(std::max(0.0, std::ceil(asked) - 1)));
}

void Pacer::move_to_scale(double scale) {
  if (plan_.rate() >= 1 || scale <= scale_of(-max_level)) return;
  move_to(std::min(math::log(scale), max_level));
}

}  // namespace askfew
