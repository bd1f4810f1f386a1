#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "askfew/ledger/ledger_reader.h"
#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// How a session is begun.
struct SessionSettings {
  ModelConfig config;
  LabelQueue::Options labels;
};

/// A session, and the ledger that all it takes goes to.
struct SessionLedger {
  std::unique_ptr<Session> session;
  std::unique_ptr<LedgerWriter> ledger;
  std::uint64_t replayed = 0;    ///< lines that the ledger had
  std::uint64_t torn = 0;        ///< bytes that were cut off: a write that did not get through
  std::int64_t clock_shift = 0;  ///< from the machine's clock to the session's time

  /// The machine's clock shows this, in microseconds since 1970. Where the session is ahead, as its clock was
  /// before, its time goes on from there, and the ledger tells the difference with the next lines. Returns by
  /// how much it is.
  std::int64_t set_clock(std::int64_t machine);
};

/// What happens if the ledger was begun with other settings.
enum class SettingsMismatch : std::uint8_t { is_an_error, is_ignored };

/// Goes on from the ledger at the path, all lines of it replayed; or begins one with these settings, if there
/// is none or it is empty. No file is made if the settings are refused. THROWS: ConfigError if the ledger has
/// other settings and must not; DataError, FileError, ModelError, MemoryError.
SessionLedger open_session_ledger(const std::string& path, const SessionSettings& settings,
                                  SettingsMismatch mismatch, const SharedLimit& memory);

/// Only the session of a ledger that somebody may be writing; with nothing replayed yet, and the reader
/// behind the first record. THROWS: as above.
std::unique_ptr<Session> session_of(LedgerReader& reader, const std::string& path, const SharedLimit& memory);

}  // namespace askfew
