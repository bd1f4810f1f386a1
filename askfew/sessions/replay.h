#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_reader.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// A line of a ledger that was replayed.
struct Replayed {
  const Incoming& incoming;
  std::int64_t came = 0;  ///< arrival time by the machine's clock
  std::int64_t time = 0;  ///< time of the session
  const Outcome& outcome;
};

/// Sees the lines and events of a ledger: while the ledger is replayed, and later as they are added. So what
/// a program keeps beside a session is the same after a restart.
struct LedgerObserver {
  /// The line is the last one that the session has taken. May be empty.
  std::function<void(const Session&, const Replayed&)> line{};
  std::function<void(const LedgerEvent&)> event{};  ///< may be empty
};

/// The content of a ledger after a replay.
struct ReplayEnd {
  std::uint64_t lines = 0;
  std::uint64_t set_aside = 0;  ///< number of lines that were not applied
  /// Outcomes of the last lines that the ledger does not contain: the process ended before it wrote them.
  std::vector<std::string> unrecorded;
  std::int64_t clock_shift = 0;  ///< from the machine's clock to the session's time, at the end
  bool stopped = false;          ///< `stop` ended the replay before the end of the ledger
};

/// Feeds all lines of a ledger, at their times, to a session in the state at the start of the ledger, and
/// compares each outcome with the recorded outcome. A memory limit holds only for lines without a recorded
/// outcome. `stop`, set by any thread or a signal, ends the replay after a record. REQUIRES: the reader is
/// after the first record. THROWS: DataError if the ledger is damaged or an outcome differs; ModelError if
/// this version does not know a record.
ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const LedgerObserver& observer = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace askfew
