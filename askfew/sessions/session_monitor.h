#pragma once

#include <cstdint>
#include <optional>

#include "askfew/estimates/quality_monitor.h"
#include "askfew/sessions/question.h"

namespace askfew {

/// Passes the events of one task of a session to a QualityMonitor: rounds when they are decided, labels when
/// they come. An asked label counts as missing until it comes, and for ever if it never comes. So the
/// guarantees hold at all times, even if labellers decline difficult instances. With classes, a prediction is
/// only right or wrong, and only the error is meaningful.
class SessionMonitor {
 public:
  /// `rounds_before`: rounds of the session that the monitor has not seen. REQUIRES: the monitor outlives
  /// this object.
  SessionMonitor(QualityMonitor& watch, bool of_classes, std::uint64_t rounds_before = 0)
      : watch_(watch), of_classes_(of_classes), rounds_before_(rounds_before) {}

  /// Adds a round whose label has not come yet.
  void add(const Round& round);
  /// Adds a round without a prediction.
  void add_failure() { watch_.add({}); }
  /// The latest label of a question, unless its round came before the monitor. `before`: the earlier label,
  /// if any.
  void label(const TaskQuestion& question, std::optional<LabelNumber> before);

  [[nodiscard]] const QualityMonitor& watch() const { return watch_; }
  [[nodiscard]] bool is_of_classes() const { return of_classes_; }
  [[nodiscard]] std::uint64_t rounds_before() const { return rounds_before_; }

 private:
  /// The label for the monitor. With classes: 1 if the prediction is right, else 0.
  [[nodiscard]] LabelNumber seen(LabelNumber label, LabelNumber prediction) const;

  QualityMonitor& watch_;
  bool of_classes_;
  std::uint64_t rounds_before_;
};

}  // namespace askfew
