#pragma once

#include <optional>

#include "askfew/live/outcome.h"
#include "askfew/metrics/estimate.h"
#include "askfew/oracles/label_queue.h"

namespace askfew {

/// How good the predictions of a session are, from the labels that came. A label that was asked counts as
/// lost until it comes, and for ever if it never does: so the intervals hold at all times, also where those
/// who label decline what is hard. Of classes a prediction is right or wrong, and only the error means
/// anything.
class LiveEstimate {
 public:
  /// `floor`: the least probability with which a label is asked.
  LiveEstimate(double floor, bool of_classes) : estimate_(floor), of_classes_(of_classes) {}

  void add(const Decision& decision);
  /// A round without a prediction.
  void add_failure() { estimate_.add(Label::negative, false); }
  /// The last label of a question, after another one or the first.
  void label(const Question& question, std::optional<LabelNumber> before);

  [[nodiscard]] bool is_of_classes() const { return of_classes_; }
  [[nodiscard]] Quality whole() const { return estimate_.whole(); }
  [[nodiscard]] Quality recent() const { return estimate_.recent(); }

 private:
  [[nodiscard]] AskedLabel asked(std::uint64_t round, LabelNumber prediction, LabelNumber truth,
                                 double chance) const;

  Estimate estimate_;
  bool of_classes_;
};

}  // namespace askfew
