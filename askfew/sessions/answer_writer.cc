#include "askfew/sessions/answer_writer.h"

#include "askfew/sessions/answers.h"

namespace askfew {

void AnswerWriter::append(const Incoming& incoming, const Incoming& shown, const Outcome& outcome,
                          std::string& answers) {
  const auto* decision = std::get_if<Decision>(&outcome);
  const std::string_view why = decision != nullptr ? why_.of(incoming, *decision) : std::string_view();
  append_answer(shown, outcome, session_.model().config.labels, why, answers);
  append_new_changes(answers);
}

void AnswerWriter::append_new_changes(std::string& answers) {
  if (session_.watch() == nullptr) return;
  const QualityMonitor& watch = session_.watch()->watch();
  if (watch.estimate().rounds() < told_) told_ = 0;  // another audit: the monitor has begun anew
  append_changes(watch.changes_after(told_), *session_.watch(), answers);
  told_ = watch.estimate().rounds();
}

std::uint64_t monitored_rounds(const Session& session) {
  return session.watch() == nullptr ? 0 : session.watch()->watch().estimate().rounds();
}

}  // namespace askfew
