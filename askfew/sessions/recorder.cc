#include "askfew/sessions/recorder.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/core/expects.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/ledger_payloads.h"
#include "askfew/sessions/session_ledger.h"

namespace askfew {

Recorder::Recorder(const SessionLedger& live, bool sync)
    : Recorder(*live.session, live.ledger.get(), sync, live.clock_shift) {
  checkpoints_ = live.checkpoints.get();
}

template <class Given>
std::size_t Recorder::read(std::span<const Given> lines) {
  if (incoming_.size() < lines.size()) incoming_.resize(lines.size());
  for (size_ = 0; size_ < lines.size();) {
    session_.reader().read(lines[size_], ++lines_, incoming_[size_]);
    if (source_ != nullptr) source_->see_read(first_ + size_, incoming_[size_]);
    if (incoming_[size_++].kind == Incoming::Kind::settings) break;
  }
  return size_;
}

bool Recorder::record_lines(std::int64_t came) {
  if (ledger_ == nullptr) return true;
  if (!ledger_->flush()) return false;  // first the unwritten records
  const LedgerWriter::Mark mark = ledger_->mark();
  if (source_ != nullptr) source_->record(first_, std::span(incoming_).first(size_), *ledger_);
  for (std::size_t k = 0; k < size_; ++k) {
    if (!is_recorded(incoming_[k].kind)) continue;
    payload_.clear();
    append_line_payload(came, incoming_[k].line, payload_);
    ledger_->add(ledger::Type::line, payload_);
  }
  if (!ledger_->flush()) {
    ledger_->retract(mark);
    return false;
  }
  const auto lines = std::count_if(incoming_.begin(), incoming_.begin() + static_cast<std::ptrdiff_t>(size_),
                                   [](const Incoming& incoming) { return is_recorded(incoming.kind); });
  if (checkpoints_ != nullptr) checkpoints_->count_lines(static_cast<std::uint64_t>(lines));
  return true;
}

bool Recorder::end() {
  constexpr int tries = 5;
  constexpr std::chrono::milliseconds pause(250);
  for (int k = 1; !finish(); ++k) {
    if (k == tries) return false;
    std::this_thread::sleep_for(pause);
  }
  if (checkpoints_ != nullptr) checkpoints_->write_at_end(clock_shift_);
  return finish();
}

void Recorder::unfix(const IncomingReader::Fixed& fixed) {
  const auto group = std::span(incoming_).first(size_);
  if (session_.reader().fixed() == fixed ||
      std::ranges::all_of(group, [](const Incoming& incoming) { return is_recorded(incoming.kind); }))
    return;
  session_.reader().set_fixed(fixed);
  for (const Incoming& incoming : group) {
    if (is_recorded(incoming.kind)) session_.reader().read(incoming.line, incoming.number, again_);
  }
}

Outcome Recorder::take(Incoming& incoming, std::int64_t time, std::string& answers) {
  Outcome outcome = session_.take(incoming, time);
  writer_.append(incoming, incoming, outcome, answers);
  if (observer_ != nullptr && observer_->line)
    observer_->line(session_, {incoming, time - clock_shift_, session_.time(), outcome});
  if (ledger_ == nullptr) return outcome;
  payload_.clear();
  append_outcome(outcome, payload_);
  ledger_->add(ledger::Type::outcome, payload_);
  return outcome;
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
  answer_all(lines, came, answers);
}

void Recorder::answer(std::span<const Instance> instances, std::int64_t came, std::string& answers) {
  answer_all(instances, came, answers);
}

template <class Given>
void Recorder::answer_all(std::span<const Given> lines, std::int64_t came, std::string& answers) {
  first_ = 0;
  while (!lines.empty()) {
    const IncomingReader::Fixed fixed = session_.reader().fixed();
    lines = lines.subspan(read(lines));
    answer_group(fixed, came, answers);
    first_ += size_;
  }
  if (checkpoints_ != nullptr) checkpoints_->write_if_due(clock_shift_);
}

void Recorder::answer_group(const IncomingReader::Fixed& fixed, std::int64_t came, std::string& answers) {
  const std::int64_t time = came + clock_shift_;
  EXPECTS(time >= session_.time());
  session_.admit(std::span(incoming_).first(size_));
  unfix(fixed);
  const bool recorded = record_lines(came);
  if (!recorded) session_.reader().set_fixed(fixed);
  if (!recorded && source_ != nullptr)
    throw FileError("the ledger cannot be written, so the messages were not taken: " + ledger_->why());
  const std::size_t begin = answers.size();
  told_before_ = writer_.told();
  answer_lines(recorded ? Recorded::yes : Recorded::no, time, answers);
  if (ledger_ == nullptr || !recorded) return;
  static_cast<void>(ledger_->flush());  // after a failure, tried again before the next lines
  if (!is_committing_ || ledger_->commit(sync_)) return show_answers(std::string_view(answers).substr(begin));
  if (source_ != nullptr)
    throw FileError("the ledger may not have the messages, which are read again: " + ledger_->why());
  answers.resize(begin);
  writer_.set_told(told_before_);
  answer_lines(Recorded::unconfirmed, time, answers);
}

void Recorder::answer_lines(Recorded recorded, std::int64_t time, std::string& answers) {
  const std::size_t begin = answers.size();
  answered_.clear();
  for (std::size_t k = 0; k < size_; ++k) {
    std::optional<Outcome> outcome = answer_line(incoming_[k], recorded, time, answers);
    if (source_ != nullptr) answered_.push_back({std::move(outcome), answers.size() - begin});
  }
}

void Recorder::show_answers(std::string_view answers) const {
  std::size_t begin = 0;
  for (std::size_t k = 0; k < answered_.size(); ++k) {
    const auto& [outcome, end] = answered_[k];
    source_->see_answer(first_ + k, outcome ? &*outcome : nullptr, answers.substr(begin, end - begin));
    begin = end;
  }
}

std::optional<Outcome> Recorder::answer_line(Incoming& incoming, Recorded recorded, std::int64_t time,
                                             std::string& answers) {
  switch (incoming.kind) {
    case Incoming::Kind::instance:
    case Incoming::Kind::label:
    case Incoming::Kind::labelled:
    case Incoming::Kind::settings:
      if (recorded == Recorded::yes) return take(incoming, time, answers);
      refuse(incoming, recorded, answers);
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
    case Incoming::Kind::peek:
      append_peek(session_, incoming, answers);
      break;
    case Incoming::Kind::no_room:
    case Incoming::Kind::malformed:
      append_error(incoming, answers);
      break;
    case Incoming::Kind::blank:
      break;
  }
  return std::nullopt;
}

}  // namespace askfew
