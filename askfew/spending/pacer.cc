#include "askfew/spending/pacer.h"

#include <algorithm>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"

namespace askfew {

Pacer::Pacer(const Spending& spending, double first_scale)
    : plan_(spending.budget), audit_(spending.audit), level_(math::log(first_scale)) {
  check(spending);
  const LabelBudget& budget = spending.budget;
  if (audit_ > 0 && budget.kind == LabelBudget::Kind::count && budget.horizon == 0) {
    throw ConfigError(
        "an audit goes on, a number of labels does not: say with `horizon` for how many rounds");
  }
  scores_.reserve(3 * capacity);
}

void Pacer::next_round() {
  ++rounds_;
  plan_.next_round();
  // The audit must always have a label left, or the estimates have a gap. The reserve is one label, plus the
  // labels that the audit takes while the plan gives the next few. At the end the reserve is 0.
  if (audit_ > 0) reserve_ = std::min(1 + 4 * audit_ / plan_.rate(), 4 * audit_ * plan_.rounds_left());
  // A large deviation is corrected by the credit term alone: the level stays near the plan's rate.
  const double step = std::clamp(behind() / hurry(), -2.0, 2.0) * plan_.rate() / (8 * hurry());
  level_ = std::clamp(level_ + step, -max_level, max_level);
}

double Pacer::scale_of(double level) {
  return math::exp(level);
}

double Pacer::scale() const {
  constexpr double max_haste = 2.5;
  const double haste = std::clamp(behind() / hurry(), -max_haste, max_haste);
  return scale_of(level_ + std::max(haste, need()));
}

/// If the end is known: the ratio of the labels left per round to the plan's rate. Twice its logarithm,
/// because the labels that a threshold lets through may grow only with the square root of its scale.
double Pacer::need() const {
  constexpr double max_need = 20;
  if (!(plan_.labels_left() > 0)) return -max_need;
  return std::min(max_need, 2 * math::log(plan_.labels_left() / (plan_.rounds_left() + 1) / plan_.rate()));
}

/// The number of labels within which a deviation from the plan is corrected.
double Pacer::hurry() const {
  return std::clamp(0.01 * static_cast<double>(plan_.spent()), 2.0, 50.0);
}

/// Surplus labels, beyond the few that prevent the budget from blocking a rule.
double Pacer::behind() const {
  const double end = std::min(1.0, plan_.rounds_left() * plan_.rate() / 10);
  return plan_.credit() - reserve_ - end * (1 + hurry() / 8);
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

}  // namespace askfew
