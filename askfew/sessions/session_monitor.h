#pragma once

#include <cstdint>
#include <optional>

#include "askfew/estimates/quality_monitor.h"
#include "askfew/sessions/label_queue.h"

namespace askfew {

/// Shows a session to a QualityMonitor: rounds when they are decided, labels when they come. A label that was
/// asked counts as lost until it comes, and for ever if it never does: so what is promised holds at all
/// times, also where those who label decline what is hard. Of classes a prediction is right or wrong, and
/// only the error means anything.
class SessionMonitor {
 public:
  /// REQUIRES: the watch has seen nothing yet, and outlives it.
  SessionMonitor(QualityMonitor& watch, bool of_classes) : watch_(watch), of_classes_(of_classes) {}

  /// A round whose label has not come yet.
  void add(const Round& round);
  /// A round without a prediction.
  void add_failure() { watch_.add({}); }
  /// The last label of a question, after another one or the first.
  void label(const Question& question, std::optional<LabelNumber> before);

  [[nodiscard]] const QualityMonitor& watch() const { return watch_; }
  [[nodiscard]] bool is_of_classes() const { return of_classes_; }

 private:
  /// What a label is to the watch, where this was predicted: of classes 1 if the prediction is right.
  [[nodiscard]] LabelNumber seen(LabelNumber label, LabelNumber prediction) const;

  QualityMonitor& watch_;
  bool of_classes_;
};

}  // namespace askfew
