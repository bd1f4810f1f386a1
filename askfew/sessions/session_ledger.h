#pragma once

// Opens a session together with its ledger.

#include <cstdint>
#include <memory>
#include <string>

#include "askfew/ledger/ledger_place.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/ledger/ledger_writer.h"
#include "askfew/models/seed_labels.h"
#include "askfew/sessions/ledger_checkpoints.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// The settings for a new session.
struct SessionSettings {
  ModelConfig config;
  LabelQueue::Options labels;
  std::shared_ptr<const SeedKnowledge> seeds{};  ///< null: none
  /// Names of settings, as in the first record, that nobody told: a ledger may have others.
  std::vector<std::string> guesses{};
};

/// A session and the ledger that records its lines.
struct SessionLedger {
  std::unique_ptr<Session> session;
  std::unique_ptr<LedgerWriter> ledger;
  std::unique_ptr<LedgerCheckpoints> checkpoints;  ///< of the ledger; null if none are written
  std::uint64_t replayed = 0;                      ///< number of lines already in the ledger
  std::uint64_t restored = 0;    ///< of these, lines that were not read: they are before the last checkpoint
  std::uint64_t torn = 0;        ///< number of bytes cut off after an incomplete write
  std::int64_t clock_shift = 0;  ///< from the machine's clock to the session's time

  /// Tells the time of the machine's clock, in microseconds since 1970. If the session's time is ahead,
  /// because the clock was ahead before, the session continues from its own time, and the ledger records the
  /// difference with the next lines. Returns the difference.
  std::int64_t set_clock(std::int64_t machine);
};

/// What happens if the ledger has other settings.
enum class SettingsMismatch : std::uint8_t { is_an_error, is_ignored };

/// Opens the ledger and replays its lines, which the observer sees: those after the last checkpoint with
/// which the observer can begin, or all. If there is no ledger or it is empty, starts a new ledger with these
/// settings. Nothing is created if the settings are refused. THROWS: ConfigError if the ledger has other
/// settings and must not; DataError, FileError, ModelError, MemoryError.
SessionLedger open_session_ledger(const LedgerPlace& place, const SessionSettings& settings,
                                  SettingsMismatch mismatch, const SharedLimit& memory,
                                  const LedgerObserver& observer = {});

/// Only the session of a ledger, which another process may be writing. Nothing is replayed yet; the reader is
/// after the first record. THROWS: as above.
std::unique_ptr<Session> session_of(LedgerReader& reader, const std::string& path, const SharedLimit& memory);

}  // namespace askfew
