#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "askfew/ledger/ledger_reader.h"
#include "askfew/ledger/ledger_writer.h"
#include "askfew/live/session.h"

namespace askfew {

/// How a session is begun.
struct SessionSettings {
  ModelConfig config;
  LabelQueue::Options labels;
};

/// A session, and the ledger that all it takes goes to.
struct LiveLedger {
  std::unique_ptr<Session> session;
  std::unique_ptr<LedgerWriter> ledger;
  std::uint64_t replayed = 0;  ///< lines that the ledger had
  std::uint64_t torn = 0;      ///< bytes that were cut off: a write that did not get through
};

/// Goes on from the ledger at the path, all lines of it replayed; or begins one, if there is none or it is
/// empty. Without settings those of the ledger are taken. THROWS: ConfigError if the ledger has other
/// settings, or there are none; DataError, FileError, ModelError, MemoryError.
LiveLedger open_live_ledger(const std::string& path, const std::optional<SessionSettings>& settings,
                            SharedLimit memory);

/// Only the session of a ledger that somebody may be writing; with nothing replayed yet, and the reader
/// behind the first record. THROWS: as above.
std::unique_ptr<Session> session_of(LedgerReader& reader, const std::string& path, SharedLimit memory);

}  // namespace askfew
