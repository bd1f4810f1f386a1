#include "askfew/sessions/replay.h"

#include <algorithm>
#include <deque>
#include <fmt/core.h>
#include <iterator>

#include "askfew/core/errors.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/ledger_payloads.h"

namespace askfew {
namespace {

/// Lines wait for their outcome, which decides how they are taken; the last lines may have no outcome.
class Replayer {
 public:
  Replayer(const std::string& path, Session& session, Compared compared, const LedgerObserver& observer)
      : path_(path), session_(session), compared_(compared), observer_(observer) {}

  void read(const LedgerReader::Record& record) {
    offset_ = record.offset;
    if (record.type == ledger::Type::line) return add_line(record.payload);
    if (record.type == ledger::Type::outcome) return take_as_recorded(record.payload);
    const LedgerEvent event = event_of(record.payload);
    if (const auto* clock = std::get_if<ClockSetBack>(&event)) {
      end_.clock_shift = clock->session - clock->machine;
    } else if (const auto* aside = std::get_if<LineSetAside>(&event)) {
      set_aside(aside->line);
    }
    if (observer_.event) observer_.event(event);
  }

  ReplayEnd stopped() {
    end_.stopped = true;
    return end_;
  }

  ReplayEnd end() {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Line& line = waiting_.front();
      read_line(line);
      const Outcome outcome = session_.take(incoming_, line.came + line.clock_shift);
      append_outcome(outcome, end_.unrecorded.emplace_back());
      see(line, outcome);
    }
    return end_;
  }

 private:
  struct Line {
    std::uint64_t number = 0;
    std::int64_t came = 0;
    std::int64_t clock_shift = 0;
    std::string padded;
  };

  void add_line(std::string_view payload) {
    const auto recorded = recorded_line_of(payload);
    ++end_.lines;
    if (!recorded) fail(end_.lines, "a line without a time");
    Line& line = waiting_.emplace_back(end_.lines, recorded->time, end_.clock_shift, std::string());
    line.padded.reserve(recorded->line.size() + IncomingReader::padding);
    line.padded = recorded->line;
    line.padded.append(IncomingReader::padding, ' ');
  }

  void take_as_recorded(std::string_view payload) {
    if (waiting_.empty()) fail(end_.lines, "an outcome of no line");
    const Line& line = waiting_.front();
    const auto recorded = outcome_of(payload);
    if (!recorded) fail(line.number, "an outcome of a kind that a newer version of askfew wrote, and reads");
    read_line(line);
    const Outcome outcome = take_again(line, *recorded);
    if (!is_same(outcome, *recorded, compared_)) {
      const auto* refusal = std::get_if<Refusal>(&outcome);
      fail(line.number,
           fmt::format("replaying gives another outcome than the ledger says{}{}",
                       refusal != nullptr ? ", a refusal: " : "", refusal != nullptr ? refusal->why : ""));
    }
    see(line, outcome);
    waiting_.pop_front();
  }

  Outcome take_again(const Line& line, const Outcome& recorded) {
    const MemoryLimit::Lifted lifted(session_.memory());
    return session_.take_again(incoming_, line.came + line.clock_shift, recorded);
  }

  void set_aside(std::uint64_t number) {
    const auto line = std::find_if(waiting_.begin(), waiting_.end(),
                                   [&](const Line& waiting) { return waiting.number == number; });
    if (line == waiting_.end()) fail(number, "the line is set aside, and is none without an outcome");
    waiting_.erase(line);
    ++end_.set_aside;
  }

  void read_line(const Line& line) {
    const std::string_view text = std::string_view(line.padded);
    session_.reader().read(text.substr(0, text.size() - IncomingReader::padding), line.number, incoming_);
    if (!is_recorded(incoming_.kind)) fail(line.number, "a line that is neither an instance nor a label");
  }

  void see(const Line& line, const Outcome& outcome) {
    if (observer_.line) observer_.line(session_, {incoming_, line.came, session_.time(), outcome});
  }

  [[noreturn]] void fail(std::uint64_t line, std::string_view why) const {
    throw DataError({.why = fmt::format("byte {}, line {}, round {}: {}", offset_, line,
                                        session_.model().tally(0).round, why),
                     .file = path_});
  }

  const std::string& path_;
  Session& session_;
  Compared compared_;
  const LedgerObserver& observer_;
  std::deque<Line> waiting_;
  Incoming incoming_;
  std::uint64_t offset_ = 0;  // offset of the current record
  ReplayEnd end_;
};

}  // namespace

ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const LedgerObserver& observer, const std::atomic<bool>* stop) {
  const Compared compared = reader.format() < 3 ? Compared::up_to_rounding : Compared::to_the_bit;
  Replayer replayer(path, session, compared, observer);
  while (const auto record = reader.next()) {
    replayer.read(*record);
    if (stop != nullptr && *stop) return replayer.stopped();
  }
  return replayer.end();
}

}  // namespace askfew
