#pragma once

#include <string>

#include "askfew/sessions/session_ledger.h"
#include "askfew/system/usual_memory.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time; the session that is opened is for one
// thread at a time.

namespace askfew {

/// A session of instances and late labels, as `askfew stream` and services have it.
struct SessionOptions {
  ModelOptions model{};  ///< of a new session; of the formats of files nothing is used
  std::string expire{};  ///< forget a question after so many rounds, "1000", or "30s", "10m", "12h", "7d"
  std::uint64_t keep = LabelQueue::Options{}.keep;  ///< answered questions that can still be corrected
  std::string ledger{};  ///< record every line here, and go on from what is there; empty: nothing is recorded
  /// What happens if that ledger was begun with other settings than these.
  SettingsMismatch mismatch = SettingsMismatch::is_an_error;
  /// Bytes for the learner's matrices and stored examples, and for questions, all together.
  std::uint64_t max_memory = usual_memory();
};

/// Is this a time after which a question expires? See SessionOptions::expire.
bool is_expiry(const std::string& text);

/// THROWS: ConfigError, DataError, FileError, ModelError, MemoryError.
SessionLedger open_session(const SessionOptions& options);

}  // namespace askfew
