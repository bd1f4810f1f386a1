#include "askfew/sessions/ledger_check.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/ledger_payloads.h"

namespace askfew {
namespace {

/// Records which lines have an outcome.
class Bookkeeper {
 public:
  Bookkeeper(const std::string& path, LedgerCheck& check) : path_(path), check_(check) {}

  void read(const LedgerReader::Record& record) {
    switch (record.type) {
      case ledger::Type::start:
        break;
      case ledger::Type::line:
        add_line(record);
        break;
      case ledger::Type::outcome:
        if (waiting_.empty()) fail(record, "an outcome of no line");
        if (!outcome_of(record.payload)) fail(record, "an outcome that a newer version of askfew reads");
        waiting_.pop_front();
        ++check_.outcomes;
        break;
      case ledger::Type::event:
        if (const LedgerEvent event = event_of(record.payload); std::holds_alternative<LineSetAside>(event))
          set_aside(record, std::get<LineSetAside>(event).line);
        break;
      case ledger::Type::checkpoint:
        see_checkpoint(record);
        break;
    }
  }
  void end() { check_.unfinished.assign(waiting_.begin(), waiting_.end()); }

 private:
  void add_line(const LedgerReader::Record& record) {
    const auto line = recorded_line_of(record.payload);
    if (!line) fail(record, "a line without a time");
    waiting_.push_back(++check_.lines);
    if (!check_.times) check_.times = {.first = line->time, .last = line->time};
    check_.times->last = line->time;
  }
  void see_checkpoint(const LedgerReader::Record& record) {
    const Checkpoint checkpoint = checkpoint_head_of(record.payload);
    if (checkpoint.dropped && check_.lines == 0 && check_.checkpoints == 0) {
      check_.dropped = checkpoint.dropped;
      check_.dropped_lines = check_.lines = checkpoint.lines;
    }
    if (checkpoint.lines != check_.lines || !waiting_.empty()) fail(record, "a checkpoint of other lines");
    ++check_.checkpoints;
  }
  void set_aside(const LedgerReader::Record& record, std::uint64_t number) {
    const auto line = std::find(waiting_.begin(), waiting_.end(), number);
    if (line == waiting_.end()) fail(record, "a line is set aside that is none without an outcome");
    waiting_.erase(line);
    ++check_.set_aside;
  }
  [[noreturn]] void fail(const LedgerReader::Record& record, std::string_view why) const {
    throw DataError({.why = fmt::format("byte {}: {}", record.offset, why), .file = path_});
  }

  const std::string& path_;
  LedgerCheck& check_;
  std::deque<std::uint64_t> waiting_;
};

LedgerCheck check_all(const LedgerStore& store, LedgerReader& reader) {
  LedgerCheck check;
  Bookkeeper books(store.name(), check);
  try {
    while (const auto record = reader.next()) books.read(*record);
    check.tail = tail_of(store, reader, nullptr);
  } catch (const LedgerDamage& damage) {
    check.tail = tail_of(store, reader, &damage);
  }
  check.format = reader.format();
  books.end();
  return check;
}

}  // namespace

LedgerCheck check_ledger(const LedgerPlace& place) {
  const auto store = place.for_reading();
  LedgerReader reader(*store);
  return check_all(*store, reader);
}

std::uint64_t set_line_aside(const LedgerPlace& place, std::uint64_t line, const std::string& why) {
  const std::string& path = place.name();
  auto store = place.find_for_writing();
  if (store == nullptr) throw FileError(path + ": there is no such ledger");
  LedgerReader reader(*store);
  const LedgerCheck check = check_all(*store, reader);
  const bool is_damaged =
      check.tail.kind == LedgerTail::Kind::damaged || check.tail.kind == LedgerTail::Kind::zeros;
  if (is_damaged) throw DataError({.why = "the ledger is to be repaired first", .file = path});
  const auto found = std::find(check.unfinished.begin(), check.unfinished.end(), line);
  if (found == check.unfinished.end()) {
    throw ConfigError(fmt::format(
        "{}: line {} {}; only a line without an outcome can be set aside", path, line,
        line == 0 || line > check.lines ? "is not there" : "has an outcome, or is set aside already"));
  }
  LedgerWriter writer(std::move(store), reader.whole_bytes(), reader.link());
  writer.add(ledger::Type::event, event_payload(LineSetAside{.line = line, .why = why}));
  if (!writer.flush() || !writer.commit(true))
    throw FileError(path + ": cannot write the ledger: " + writer.why());
  return check.tail.bytes;
}

}  // namespace askfew
