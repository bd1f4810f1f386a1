#pragma once

// Replays the lines of a ledger and compares every outcome.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_reader.h"
#include "askfew/sessions/checkpoint.h"
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
  /// What the program keeps. Without `load`, an observer must see all lines and events.
  Beside beside{};

  /// Can the observer begin with this checkpoint?
  [[nodiscard]] bool can_begin_with(const Checkpoint& checkpoint) const {
    return beside.load ? checkpoint.beside == beside.name : !line && !event;
  }
};

/// The content of a ledger after a replay.
struct ReplayEnd : LedgerPast {
  /// The checkpoint from which the session went on, without its state; nothing if all lines were replayed.
  std::optional<Checkpoint> begun_with{};
  std::uint64_t compared = 0;  ///< number of checkpoints that were compared with the session's state
  /// Outcomes of the last lines that the ledger does not contain: the process ended before it wrote them.
  std::vector<std::string> unrecorded;
  std::int64_t clock_shift = 0;  ///< from the machine's clock to the session's time, at the end
  bool stopped = false;          ///< `stop` ended the replay before the end of the ledger
};

/// Feeds all lines of a ledger, at their times, to a session in the state at the start of the ledger, and
/// compares each outcome with the recorded outcome, and each checkpoint with the state of the session. A
/// ledger whose past was dropped begins with a checkpoint, from which the session goes on. A memory limit
/// holds only for lines without a recorded outcome. `stop`, set by any thread or a signal, ends the replay
/// after a record. REQUIRES: the reader is after the first record. THROWS: DataError if the ledger is
/// damaged, an outcome or a state differs; ModelError if this version does not know a record.
ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const LedgerObserver& observer = {}, const std::atomic<bool>* stop = nullptr);

/// Feeds only the lines after the last checkpoint with which the observer can begin, if there is one: the
/// session goes on from its state, and nothing before it is read. THROWS: as above.
ReplayEnd replay_from_last_checkpoint(LedgerReader& reader, const LedgerStore& store, Session& session,
                                      const LedgerObserver& observer);

}  // namespace askfew
