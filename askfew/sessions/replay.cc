#include "askfew/sessions/replay.h"

#include <deque>
#include <fmt/core.h>
#include <iterator>

#include "askfew/core/errors.h"
#include "askfew/sessions/ledger_payloads.h"

namespace askfew {

ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const std::function<void(const Replayed&)>& see) {
  ReplayEnd end;
  std::deque<std::string> outcomes;  // of lines whose recorded ones are still to come
  Incoming incoming;
  std::string padded;
  const auto fail = [&](const LedgerReader::Record& record, std::string_view why) {
    throw DataError({.why = fmt::format("byte {}, line {}, round {}: {}", record.offset, end.lines,
                                        session.model().tally(0).round, why),
                     .file = path});
  };
  while (const auto record = reader.next()) {
    if (record->type == ledger::Type::outcome) {
      if (outcomes.empty()) fail(*record, "an outcome of no line");
      if (outcomes.front() != record->payload)
        fail(*record, "replaying gives another outcome than the ledger says");
      outcomes.pop_front();
      continue;
    }
    ++end.lines;
    const auto line = recorded_line_of(record->payload);
    if (!line) fail(*record, "a line without a time");
    padded.assign(line->line);
    padded.append(IncomingReader::padding, ' ');
    session.reader().read(std::string_view(padded).substr(0, line->line.size()), end.lines, incoming);
    if (incoming.kind != Incoming::Kind::instance && incoming.kind != Incoming::Kind::label)
      fail(*record, "a line that is neither an instance nor a label");
    const Outcome outcome = session.take(incoming, line->time);
    append_outcome(outcome, outcomes.emplace_back());
    if (see) see({incoming, session.time(), outcome});
  }
  end.unrecorded.assign(std::make_move_iterator(outcomes.begin()), std::make_move_iterator(outcomes.end()));
  return end;
}

}  // namespace askfew
