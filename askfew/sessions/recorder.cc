#include "askfew/sessions/recorder.h"

#include "askfew/core/expects.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/ledger_payloads.h"

namespace askfew {
std::size_t Recorder::read(std::span<const std::string_view> lines) {
  if (incoming_.size() < lines.size()) incoming_.resize(lines.size());
  for (size_ = 0; size_ < lines.size();) {
    session_.reader().read(lines[size_], ++lines_, incoming_[size_]);
    if (incoming_[size_++].kind == Incoming::Kind::settings) break;
  }
  return size_;
}

bool Recorder::record_lines(std::int64_t came) {
  if (ledger_ == nullptr) return true;
  if (!ledger_->flush()) return false;  // first the unwritten records
  const LedgerWriter::Mark mark = ledger_->mark();
  for (std::size_t k = 0; k < size_; ++k) {
    if (!is_recorded(incoming_[k].kind)) continue;
    payload_.clear();
    append_line_payload(came, incoming_[k].line, payload_);
    ledger_->add(ledger::Type::line, payload_);
  }
  if (ledger_->flush()) return true;
  ledger_->retract(mark);
  return false;
}

void Recorder::take(Incoming& incoming, std::int64_t time, std::string& answers) {
  const Outcome outcome = session_.take(incoming, time);
  const auto* decision = std::get_if<Decision>(&outcome);
  const std::string_view why = decision != nullptr ? why_.of(incoming, *decision) : std::string_view();
  append_answer(incoming, outcome, session_.model().config.labels, why, answers);
  tell_changes(answers);
  if (observer_ != nullptr && observer_->line)
    observer_->line(session_, {incoming, time - clock_shift_, session_.time(), outcome});
  if (ledger_ == nullptr) return;
  payload_.clear();
  append_outcome(outcome, payload_);
  ledger_->add(ledger::Type::outcome, payload_);
}

void Recorder::tell_changes(std::string& answers) {
  if (session_.watch() == nullptr) return;
  const QualityMonitor& watch = session_.watch()->watch();
  if (watch.estimate().rounds() < told_) told_ = 0;  // another audit: the monitor has begun anew
  append_changes(watch.changes_after(told_), *session_.watch(), answers);
  told_ = watch.estimate().rounds();
}

void Recorder::refuse(const Incoming& incoming, Recorded recorded, std::string& answers) const {
  std::string why = (recorded == Recorded::no ? "the ledger cannot be written, so the line was not taken: "
                                              : "the ledger may not have the line, send the line again: ") +
                    ledger_->why();
  if (ledger_->is_ragged())
    why += "; part of it cannot be cut off again: if this process ends, send the line again";
  append_error(incoming, why, answers);
}

void Recorder::answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers) {
  while (!lines.empty()) {
    const IncomingReader::Fixed fixed = session_.reader().fixed();
    lines = lines.subspan(read(lines));
    answer_group(fixed, came, answers);
  }
}

void Recorder::answer_group(const IncomingReader::Fixed& fixed, std::int64_t came, std::string& answers) {
  const std::int64_t time = came + clock_shift_;
  EXPECTS(time >= session_.time());
  session_.admit(std::span(incoming_).first(size_));
  const bool recorded = record_lines(came);
  if (!recorded) session_.reader().set_fixed(fixed);
  const std::size_t begin = answers.size();
  const std::uint64_t told = told_;
  answer_lines(recorded ? Recorded::yes : Recorded::no, time, answers);
  if (ledger_ == nullptr || !recorded) return;
  static_cast<void>(ledger_->flush());  // after a failure, tried again before the next lines
  if (!is_committing_ || ledger_->commit(sync_)) return;
  answers.resize(begin);
  told_ = told;
  answer_lines(Recorded::unconfirmed, time, answers);
}

void Recorder::answer_lines(Recorded recorded, std::int64_t time, std::string& answers) {
  for (std::size_t k = 0; k < size_; ++k) {
    Incoming& incoming = incoming_[k];
    switch (incoming.kind) {
      case Incoming::Kind::instance:
      case Incoming::Kind::label:
      case Incoming::Kind::labelled:
      case Incoming::Kind::settings:
        if (recorded == Recorded::yes) {
          take(incoming, time, answers);
        } else {
          refuse(incoming, recorded, answers);
        }
        break;
      case Incoming::Kind::report:
        session_.advance_to(time);
        append_report(session_, answers);
        break;
      case Incoming::Kind::pending:
        session_.advance_to(time);
        append_pending(session_, incoming.pending, answers);
        break;
      case Incoming::Kind::disputed:
        append_disputed(session_, incoming.disputed, answers);
        break;
      case Incoming::Kind::no_room:
        append_error(incoming, incoming.error.why, answers);
        break;
      case Incoming::Kind::malformed:
        append_error(incoming, answers);
        break;
      case Incoming::Kind::blank:
        break;
    }
  }
}

}  // namespace askfew
