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

/// All that can be said of a task's quality from its asked labels: estimates with intervals, alarms when
/// something changed, what more labels would bring. Takes constant memory.
class QualityMonitor {
 public:
  static constexpr double alpha = 0.05;
  static constexpr std::size_t max_changes = 1000;  ///< that are remembered, the last ones

  /// `audit`: the least probability with which a label is asked; `window`: how many rounds are recent, or
  /// more for the estimates, where so many have few audits.
  explicit QualityMonitor(double audit, std::uint64_t window = 2000);

  /// The label counts only if it was asked: others must not be known here. REQUIRES: the task has two labels;
  /// the probabilities of the query are exact.
  void add(const Round& round);
  /// The label of a round that was asked and added without it. `before`: the label that it takes the place
  /// of, after a correction.
  void label(const AskedLabel& asked, std::optional<Label> before = std::nullopt);

  [[nodiscard]] const Estimate& estimate() const { return estimate_; }
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_.all; }
  /// Those that were noticed after this round.
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
  /// Is saved as an array: kind, round and since of each.
  struct Changes {
    std::vector<Change> all;

    void add(const Change& change);
    [[nodiscard]] std::vector<double> values() const;
    void set_values(const std::vector<double>& values);
  };

  /// Does something to all that is known of a round whose label was asked.
  void at(const AskedLabel& asked, auto&& act);

  Estimate estimate_;
  ErrorAlarm error_alarm_;
  MarginAlarm margin_alarm_;
  LearningCurve curve_;
  Changes changes_;
};

}  // namespace askfew
