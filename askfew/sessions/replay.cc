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
    if (record.type == ledger::Type::checkpoint) return see_checkpoint(record.payload);
    is_beginning_ = false;
    const LedgerEvent event = event_of(record.payload);
    if (const auto* clock = std::get_if<ClockSetBack>(&event)) {
      end_.clock_shift = clock->session - clock->machine;
    } else if (const auto* aside = std::get_if<LineSetAside>(&event)) {
      set_aside(aside->line);
    }
    if (observer_.event) observer_.event(event);
  }

  /// The first record is a checkpoint, from which the session goes on.
  void begin_with(const LedgerReader::Record& record) {
    offset_ = record.offset;
    restore(decoded(record.payload), record.payload.size());
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

  [[nodiscard]] Checkpoint decoded(std::string_view payload) const {
    try {
      return checkpoint_of(payload);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: byte {}: {}", path_, offset_, error.what()));
    }
  }

  void see_checkpoint(std::string_view payload) {
    const Checkpoint checkpoint = decoded(payload);
    if (checkpoint.dropped && is_beginning_) {
      if (observer_.beside.load && !observer_.can_begin_with(checkpoint))
        fail(checkpoint.lines, "the ledger was compacted, and the lines up to here are needed");
      return restore(checkpoint, payload.size());
    }
    if (!waiting_.empty()) fail(end_.lines, "a checkpoint, and lines without an outcome before it");
    session_.advance_to(checkpoint.time);
    const bool are_same_lines = !checkpoint.dropped && checkpoint.lines == end_.lines &&
                                checkpoint.set_aside == end_.set_aside &&
                                checkpoint.clock_shift == end_.clock_shift;
    const std::string difference =
        are_same_lines ? difference_of(session_.snapshot(), checkpoint.state) : "the lines before it";
    if (!difference.empty())
      fail(end_.lines, "replaying gives another state than the checkpoint says, in " + difference);
    count_checkpoint(payload.size(), checkpoint.state_bytes);
    ++end_.compared;
  }

  void restore(const Checkpoint& checkpoint, std::uint64_t bytes) {
    try {
      session_.restore(checkpoint.state);
      if (observer_.beside.load) observer_.beside.load(checkpoint.state);
    } catch (const ModelError& error) {
      throw ModelError(fmt::format("{}: byte {}: the checkpoint: {}", path_, offset_, error.what()));
    }
    is_beginning_ = false;
    end_.lines = checkpoint.lines;
    end_.set_aside = checkpoint.set_aside;
    end_.clock_shift = checkpoint.clock_shift;
    end_.checkpoints = checkpoint.checkpoints;
    count_checkpoint(bytes, checkpoint.state_bytes);
    if (checkpoint.dropped) end_.checkpoints = 0;  // it stands for lines
    end_.begun_with = checkpoint;
    end_.begun_with->state = {};
  }

  void count_checkpoint(std::uint64_t bytes, std::uint64_t state_bytes) {
    end_.checkpoints += bytes;
    end_.last = {.bytes = bytes, .end = offset_ + bytes, .state_bytes = state_bytes};
  }

  void add_line(std::string_view payload) {
    is_beginning_ = false;
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
  bool is_beginning_ = true;  // only the first record came before
  ReplayEnd end_;
};

Compared compared_in(const LedgerReader& reader) {
  return reader.format() < 3 ? Compared::up_to_rounding : Compared::to_the_bit;
}

/// Is there a whole checkpoint with which the observer can begin? A part of a large one is none.
bool is_good(const LedgerStore& store, const RecordPlace& place, const LedgerObserver& observer) {
  LedgerReader reader(store);
  reader.go_to(place);
  try {
    const auto record = reader.next();
    return record && observer.can_begin_with(checkpoint_head_of(record->payload));
  } catch (const LedgerDamage&) {
    return false;
  } catch (const ModelError&) {
    return false;
  }
}

/// Do whole records follow from there to the end?
bool reaches_end(const LedgerStore& store, const RecordPlace& place) {
  LedgerReader reader(store);
  reader.go_to(place);
  try {
    while (reader.next()) {
    }
  } catch (const DataError&) {
    return false;
  }
  return reader.torn_bytes() == 0;
}

/// Reads all records, as far as they are whole.
std::optional<RecordPlace> last_good_of_all(const LedgerStore& store, const LedgerObserver& observer) {
  std::optional<RecordPlace> last;
  LedgerReader reader(store);
  try {
    while (const auto record = reader.next()) {
      const RecordPlace place{.place = record->offset, .before = record->before};
      if (record->type == ledger::Type::checkpoint && is_good(store, place, observer)) last = place;
    }
  } catch (const DataError&) {
    return last;  // whoever reads on from there will see what is wrong
  }
  return last;
}

/// Searches backwards, which reads only the end of the ledger. Numbers that people have sent may look like a
/// checkpoint, but no records lead from there to the end, because nobody can foresee the hashes of the real
/// ones. If something is torn or damaged, this is no proof, and all records are read, from the first one on.
/// `first`: where the second record begins.
std::optional<RecordPlace> place_of_last_checkpoint(const LedgerStore& store, std::uint64_t first,
                                                    const LedgerObserver& observer) {
  auto place = find_last_record(store, ledger::Type::checkpoint, first, store.status().size);
  while (place && !is_good(store, *place, observer))
    place = find_last_record(store, ledger::Type::checkpoint, first, place->place);
  return !place || reaches_end(store, *place) ? place : last_good_of_all(store, observer);
}

}  // namespace

ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const LedgerObserver& observer, const std::atomic<bool>* stop) {
  Replayer replayer(path, session, compared_in(reader), observer);
  while (const auto record = reader.next()) {
    replayer.read(*record);
    if (stop != nullptr && *stop) return replayer.stopped();
  }
  return replayer.end();
}

ReplayEnd replay_from_last_checkpoint(LedgerReader& reader, const LedgerStore& store, Session& session,
                                      const LedgerObserver& observer) {
  Replayer replayer(store.name(), session, compared_in(reader), observer);
  if (const auto place = place_of_last_checkpoint(store, reader.next_place(), observer)) {
    reader.go_to(*place);
    replayer.begin_with(*reader.next());
  }
  while (const auto record = reader.next()) replayer.read(*record);
  return replayer.end();
}

}  // namespace askfew
