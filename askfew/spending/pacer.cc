#include "askfew/spending/pacer.h"

#include <algorithm>
#include <cmath>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"
#include "askfew/spending/kth_smallest.h"

namespace askfew {

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
}

void Pacer::plan_round() {
  plan_.plan();
  // Plans of earlier versions leave the audit one label, plus the labels that it takes while the plan gives
  // the next few. At the end they leave none.
  if (audit_ > 0 && !plan_.sets_aside())
    reserve_ = std::min(1 + 4 * audit_ / plan_.rate(), 4 * audit_ * plan_.rounds_left());
  // A large deviation is corrected by the credit term alone: the level stays near the plan's rate.
  if (!moves()) return;
  const double labels = hurry();
  lag_ = behind(labels) / labels;
  const double step = std::clamp(lag_, -2.0, 2.0) * plan_.rate() / (8 * labels);
  level_ = std::clamp(level_ + static_cast<double>(stride()) * step, -max_level, max_level);
}

double Pacer::scale_of(double level) {
  return math::exp(level);
}

double Pacer::new_scale() const {
  constexpr double max_haste = 2.5;
  const double haste = std::clamp(lag_, -max_haste, max_haste);
  return scale_of(level_ + std::max(haste, need(haste)));
}

/// If the end is known: the ratio of the labels left per round to the plan's rate. Twice its logarithm,
/// because the labels that a threshold lets through may grow only with the square root of its scale. Only an
/// answer above `haste` matters, so that most rounds need no logarithm.
double Pacer::need(double haste) const {
  constexpr double max_need = 20;
  if (!(plan_.labels_left() > 0)) return -max_need;
  const double ratio = plan_.labels_left() / (plan_.rounds_left() + 1) / plan_.rate();
  if (haste >= 0 && ratio <= 1) return 0;
  return std::min(max_need, 2 * math::log(ratio));
}

/// The number of labels within which a deviation from the plan is corrected.
double Pacer::hurry() const {
  return std::clamp(0.01 * static_cast<double>(plan_.spent()), 2.0, 50.0);
}

/// Surplus labels, beyond the few that prevent the budget from blocking a rule.
double Pacer::behind(double hurry) const {
  const double end = std::min(1.0, plan_.rounds_left() * plan_.rate() / 10);
  return plan_.credit() - reserve_ - end * (1 + hurry / 8);
}

void Pacer::remember(const Score& score) {
  const std::array numbers{score.margin, score.norm, score.spread};
  if (scores_.size() < 3 * capacity) {
    scores_.insert(scores_.end(), numbers.begin(), numbers.end());
    return;
  }
  const std::size_t place = (rounds_ <= 8 * capacity ? rounds_ : rounds_ / 8) % capacity;
  std::copy(numbers.begin(), numbers.end(), scores_.begin() + static_cast<std::ptrdiff_t>(3 * place));
}

void Pacer::schedule_look() {
  next_look_ = rounds_ + std::max<std::uint64_t>(rounds_ < 128 ? 16 : 64, rounds_ / 16);
}

/// The rarer the labels, the less information a few scores give.
void Pacer::move_to(double level) {
  const double labels = plan_.rate() * static_cast<double>(kept());
  const double trust = plan_.spent() < 10 ? 1 : labels / (labels + 10);
  level_ = std::clamp(level_ + trust * (level - level_), -max_level, max_level);
}

/// The smallest scale at which the rule would have asked at least the plan's share of the last scores.
void Pacer::move_to_quantile() {
  if (critical_.empty() || plan_.rate() >= 1) return;
  const double asked = plan_.rate() * static_cast<double>(critical_.size());
  const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(asked) - 1));
  const double scale = kth_smallest(critical_, last);
  if (scale <= scale_of(-max_level)) return;
  move_to(std::min(math::log(scale), max_level));
}

}  // namespace askfew
