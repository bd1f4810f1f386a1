#include "askfew/sessions/answer_writer.h"

#include "askfew/sessions/answers.h"

namespace askfew {

void AnswerWriter::append(const Incoming& incoming, const Incoming& shown, const Outcome& outcome,
                          std::string& answers) {
  const std::span<const std::string> whys = why_.of(incoming, decisions_of(outcome));
  append_answer(shown, outcome, session_.model().config.labels, whys, answers);
  append_new_changes(answers);
}

void AnswerWriter::append_new_changes(std::string& answers) {
  const std::span<const SessionMonitor> monitors = session_.monitors();
  const LabelPlan& labels = session_.model().config.labels;
  told_.resize(monitors.size());
  for (std::size_t k = 0; k < monitors.size(); ++k) {
    const QualityMonitor& watch = monitors[k].watch();
    if (watch.estimate().rounds() < told_[k]) told_[k] = 0;  // another audit: the monitor has begun anew
    append_changes(watch.changes_after(told_[k]), monitors[k],
                   labels.has_topics() ? &labels.names[k] : nullptr, answers);
    told_[k] = watch.estimate().rounds();
  }
}

AnswerWriter::Told monitored_rounds(const Session& session) {
  AnswerWriter::Told rounds;
  for (const SessionMonitor& monitor : session.monitors())
    rounds.push_back(monitor.watch().estimate().rounds());
  return rounds;
}

}  // namespace askfew
