#include "askfew/metrics/watch.h"

#include <algorithm>

#include "askfew/core/errors.h"

namespace askfew {

// Half of alpha is for each of the alarms.
Watch::Watch(double audit, std::uint64_t window)
    : estimate_(audit, Estimate::usual_window(audit, window)),
      error_alarm_(audit, window, alpha / 2),
      margin_alarm_(std::max<std::uint64_t>(2, window / 2), alpha / 2) {}

void Watch::add(const WatchedRound& round) {
  const bool covered = round.truth.has_value() || round.chance >= estimate_.floor();
  estimate_.add(round.prediction, covered);
  error_alarm_.add(round.prediction, covered);
  curve_.add();
  if (round.truth) {
    const AskedLabel asked{.round = estimate_.rounds(),
                           .prediction = round.prediction,
                           .truth = *round.truth,
                           .chance = round.chance};
    estimate_.label(asked);
    error_alarm_.label(asked);
    curve_.label(asked.prediction != asked.truth, asked.chance);
  }
  if (const auto change = error_alarm_.check()) changes_.all.push_back(*change);
  if (const auto change = margin_alarm_.add(round.score.margin, round.score.norm)) {
    changes_.all.push_back(*change);
  }
}

std::vector<double> Watch::Changes::values() const {
  std::vector<double> values;
  for (const Change& change : all) {
    values.insert(values.end(), {static_cast<double>(change.kind), static_cast<double>(change.round),
                                 static_cast<double>(change.since)});
  }
  return values;
}

void Watch::Changes::set_values(const std::vector<double>& values) {
  const auto whole = [](double value) { return value >= 0 && value < 0x1p53; };
  if (values.size() % 3 != 0 || !std::all_of(values.begin(), values.end(), whole)) {
    throw ModelError("the changes that were noticed do not fit together");
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
