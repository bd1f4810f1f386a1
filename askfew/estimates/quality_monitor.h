#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "askfew/core/round.h"
#include "askfew/estimates/drift_alarm.h"
#include "askfew/estimates/estimate.h"
#include "askfew/estimates/learning_curve.h"

namespace askfew {

/// Everything known about a task's quality from its asked labels: estimates with intervals, alarms after
/// changes, and the value of more labels. Takes constant memory.
class QualityMonitor {
 public:
  static constexpr double alpha = 0.05;
  static constexpr std::size_t max_changes = 1000;  ///< the last changes are remembered
  static constexpr std::uint64_t usual_window = 2000;

  /// `audit`: the least probability with which a label is asked; `horizon`, `kind`: see Estimate; `window`:
  /// the number of recent rounds; the estimates use more rounds if `window` rounds have few audits.
  explicit QualityMonitor(double audit, std::uint64_t horizon = 0, std::uint64_t window = usual_window,
                          ForecastKind kind = ForecastKind::fitted);

  /// A label counts only if it was asked; volunteered labels must not enter. REQUIRES: the task has two
  /// labels; the probabilities of the query are exact.
  void add(const Round& round);
  /// The label of an asked round that was added without its label. `before`: the old label, after a
  /// correction.
  void label(const AskedLabel& asked, std::optional<Label> before = std::nullopt);

  [[nodiscard]] const Estimate& estimate() const { return estimate_; }
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_.all; }
  /// Changes that were noticed after this round.
  [[nodiscard]] std::span<const Change> changes_after(std::uint64_t round) const;
  [[nodiscard]] const LearningCurve& curve() const { return curve_; }

  static void state(auto& self, auto& visit) {
    visit("estimate", self.estimate_);
    visit("error_alarm", self.error_alarm_);
    visit("margin_alarm", self.margin_alarm_);
    visit("curve", self.curve_);
    visit("changes", self.changes_);
  }

 private:
  /// Saved as an array: kind, round and since of each change.
  struct Changes {
    std::vector<Change> all;

    void add(const Change& change);
    [[nodiscard]] std::vector<double> values() const;
    void set_values(const std::vector<double>& values);
  };

  /// Applies `act` to everything that covers a round whose label was asked.
  void at(const AskedLabel& asked, auto&& act);

  Estimate estimate_;
  ErrorAlarm error_alarm_;
  MarginAlarm margin_alarm_;
  LearningCurve curve_;
  Changes changes_;
};

}  // namespace askfew
