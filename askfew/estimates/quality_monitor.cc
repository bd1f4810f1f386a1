#include "askfew/estimates/quality_monitor.h"

#include <algorithm>

#include "askfew/core/errors.h"
#include "askfew/core/expects.h"

namespace askfew {

// Each of the two alarms gets half of alpha.
QualityMonitor::QualityMonitor(double audit, std::uint64_t horizon, std::uint64_t window, ForecastKind kind)
    : estimate_(audit, Estimate::usual_window(audit, window), horizon, kind),
      error_alarm_(audit, window, alpha / 2),
      margin_alarm_(std::max<std::uint64_t>(2, window / 2), alpha / 2) {}

void QualityMonitor::at(const AskedLabel& asked, auto&& act) {
  act(estimate_, asked);
  act(error_alarm_, asked);
  act(curve_, LearningCurve::Asked{.wrong = asked.prediction != asked.truth,
                                   .chance = asked.chance,
                                   .ago = estimate_.rounds() - asked.round});
}

void QualityMonitor::add(const Round& round) {
  const Query& query = round.query;
  const Label prediction = label_of(round.prediction);
  const double chance = query.chance();
  const bool covered = query.asked || chance >= estimate_.floor();
  estimate_.add(
      {.prediction = prediction, .margin = query.score.margin, .chance = chance, .asked = query.asked});
  error_alarm_.add(prediction, covered);
  curve_.add();
  if (query.asked) {
    const AskedLabel asked{.round = estimate_.rounds(),
                           .prediction = prediction,
                           .truth = label_of(round.label.value_or(round.prediction)),
                           .chance = chance,
                           .margin = query.score.margin};
    if (round.label) {
      at(asked, [](auto& part, const auto& of) { part.label(of); });
    } else {
      at(asked, [](auto& part, const auto& of) { part.mark_missing(of); });
    }
  }
  if (const auto change = error_alarm_.check()) changes_.add(*change);
  if (const auto change = margin_alarm_.add(query.score.margin, query.score.norm)) changes_.add(*change);
}

void QualityMonitor::label(const AskedLabel& asked, std::optional<Label> before) {
  if (before) {
    AskedLabel instead = asked;
    instead.truth = *before;
    at(instead, [](auto& part, const auto& of) { part.retract(of); });
  } else {
    at(asked, [](auto& part, const auto& of) { part.mark_arrived(of); });
  }
  at(asked, [](auto& part, const auto& of) { part.label(of); });
}

std::span<const Change> QualityMonitor::changes_after(std::uint64_t round) const {
  const auto first = std::partition_point(changes_.all.begin(), changes_.all.end(),
                                          [&](const Change& change) { return change.round <= round; });
  return {first, changes_.all.end()};
}

void QualityMonitor::Changes::add(const Change& change) {
  if (all.size() == max_changes) all.erase(all.begin());
  all.push_back(change);
}

std::vector<double> QualityMonitor::Changes::values() const {
  std::vector<double> values;
  for (const Change& change : all) {
    values.insert(values.end(), {static_cast<double>(change.kind), static_cast<double>(change.round),
                                 static_cast<double>(change.since)});
  }
  return values;
}

void QualityMonitor::Changes::set_values(const std::vector<double>& values) {
  const auto whole = [](double value) { return value >= 0 && value < 0x1p53; };
  if (values.size() % 3 != 0 || !std::all_of(values.begin(), values.end(), whole)) {
    throw ModelError("the detected changes contradict each other");
  }
  all.clear();
  for (std::size_t k = 0; k < values.size(); k += 3) {
    if (values[k] > static_cast<double>(ChangeKind::margins)) {
      throw ModelError("a change of an unknown kind");
    }
    all.push_back({.kind = static_cast<ChangeKind>(values[k]),
                   .round = static_cast<std::uint64_t>(values[k + 1]),
                   .since = static_cast<std::uint64_t>(values[k + 2])});
  }
}

}  // namespace askfew
