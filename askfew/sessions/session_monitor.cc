#include "askfew/sessions/session_monitor.h"

namespace askfew {
namespace {

Label label_of(bool positive) {
  return positive ? Label::positive : Label::negative;
}

}  // namespace

Label SessionMonitor::prediction_of(LabelNumber prediction) const {
  return label_of(of_classes_ || prediction == 1);
}

Label SessionMonitor::truth_of(LabelNumber label, LabelNumber prediction) const {
  return label_of(of_classes_ ? label == prediction : label == 1);
}

void SessionMonitor::add(const Decision& decision, const Score& score) {
  watch_.add({.prediction = prediction_of(decision.prediction),
              .score = score,
              .chance = decision.chance(),
              .asked = decision.asked});
}

void SessionMonitor::label(const Question& question, std::optional<LabelNumber> before) {
  const AskedLabel asked{.round = question.query.round,
                         .prediction = prediction_of(question.prediction),
                         .truth = truth_of(*question.label, question.prediction),
                         .chance = question.query.chance()};
  std::optional<Label> earlier;
  if (before) earlier = truth_of(*before, question.prediction);
  watch_.label(asked, earlier);
}

}  // namespace askfew
