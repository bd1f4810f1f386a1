#include "askfew/sessions/session_monitor.h"

namespace askfew {

LabelNumber SessionMonitor::seen(LabelNumber label, LabelNumber prediction) const {
  if (!of_classes_) return label;
  return label == prediction ? 1 : 0;
}

void SessionMonitor::add(const Round& round) {
  Round of_watch = round;
  of_watch.prediction = seen(round.prediction, round.prediction);
  watch_.add(of_watch);
}

void SessionMonitor::label(const TaskQuestion& question, std::optional<LabelNumber> before) {
  if (question.query.round <= rounds_before_) return;
  const AskedLabel asked{.round = question.query.round - rounds_before_,
                         .prediction = label_of(seen(question.prediction, question.prediction)),
                         .truth = label_of(seen(*question.label, question.prediction)),
                         .chance = question.query.chance(),
                         .margin = question.query.score.margin};
  std::optional<Label> earlier;
  if (before) earlier = label_of(seen(*before, question.prediction));
  watch_.label(asked, earlier);
}

}  // namespace askfew
