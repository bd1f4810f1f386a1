#include "askfew/sessions/compact.h"

#include <optional>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/sessions/session_ledger.h"

namespace askfew {
namespace {

/// What decides where a ledger can be cut.
struct Contents {
  bool has_messages = false;
  bool is_of_server = false;
  std::optional<RecordPlace> last_of_server{};  // the last checkpoint that has the state of the server, too
};

Contents contents_of(const LedgerStore& store) {
  Contents contents;
  LedgerReader reader(store);
  while (const auto record = reader.next()) {
    if (record->type == ledger::Type::event) {
      const LedgerEvent event = event_of(record->payload);
      contents.has_messages |=
          std::holds_alternative<MessagesTaken>(event) || std::holds_alternative<MessageRefused>(event);
      contents.is_of_server |= std::holds_alternative<AnswerHeld>(event) ||
                               std::holds_alternative<AnswerTakenBack>(event) ||
                               std::holds_alternative<InstanceKept>(event);
    } else if (record->type == ledger::Type::checkpoint &&
               !checkpoint_head_of(record->payload).beside.empty()) {
      contents.is_of_server = true;
      contents.last_of_server = {.place = record->offset, .before = record->before};
    }
  }
  return contents;
}

void expect_compactable(const LedgerPlace& place, const Contents& contents, const Session& session) {
  if (contents.has_messages) {
    throw ConfigError(
        place.name() +
        ": the ledger tells which messages of a topic were taken and answered: it cannot be compacted");
  }
  if (contents.is_of_server && !contents.last_of_server) {
    throw ConfigError(
        place.name() +
        ": the ledger of a server has no checkpoint yet: the server writes one when there are more "
        "lines, or when it closes the project");
  }
  if (session.settings().queue.mixes_late) {
    throw ConfigError(
        place.name() +
        ": the session learns late labels as an earlier version did, from what no checkpoint has: it "
        "cannot be compacted");
  }
}

/// Appends records to the bytes of a ledger.
class Appender {
 public:
  explicit Appender(std::string& bytes) : bytes_(bytes), link_(ledger::first_link(ledger::magic)) {
    bytes_ = ledger::magic;
  }
  void add(ledger::Type type, std::string_view payload) {
    link_ = ledger::append_record(type, payload, link_, bytes_);
  }

 private:
  std::string& bytes_;
  ledger::Link link_;
};

}  // namespace

CompactLedger compact_ledger(const LedgerPlace& place, const SharedLimit& memory,
                             const std::atomic<bool>* stop) {
  const auto store = place.find_for_writing();  // nobody else adds lines meanwhile
  if (store == nullptr) throw FileError(place.name() + ": there is no such ledger");
  const Contents contents = contents_of(*store);
  LedgerReader first(*store);
  const auto record = first.next();
  const std::string start(record ? record->payload : std::string_view());
  const std::uint64_t after_first = first.next_place();

  LedgerReader reader(*store);
  const auto session = session_of(reader, place.name(), memory);
  expect_compactable(place, contents, *session);
  const ReplayEnd end = replay(reader, place.name(), *session, {}, stop);
  CompactLedger compact{.lines = end.lines,
                        .old_bytes = reader.whole_bytes(),
                        .torn_bytes = reader.torn_bytes(),
                        .stopped = end.stopped};
  if (end.stopped) return compact;

  Checkpoint checkpoint{.lines = end.lines,
                        .set_aside = end.set_aside,
                        .clock_shift = end.clock_shift,
                        .time = session->time()};
  RecordPlace cut{.place = reader.whole_bytes(), .before = reader.link()};
  if (contents.last_of_server) {
    cut = *contents.last_of_server;
    reader.go_to(cut);
    checkpoint = checkpoint_of(reader.next()->payload);
  } else {
    checkpoint.state = session->snapshot();
  }
  const std::uint64_t dropped_before =
      end.begun_with && end.begun_with->dropped ? end.begun_with->dropped->bytes : 0;
  checkpoint.checkpoints = 0;
  checkpoint.dropped = {.bytes = dropped_before + cut.place - after_first, .hash = cut.before};
  compact.dropped = checkpoint.lines;
  Appender appender(compact.bytes);
  appender.add(ledger::Type::start, start);
  appender.add(ledger::Type::checkpoint, checkpoint_payload(checkpoint));
  while (contents.last_of_server) {
    const auto next = reader.next();
    if (!next) break;
    appender.add(next->type, next->payload);
  }
  return compact;
}

}  // namespace askfew
