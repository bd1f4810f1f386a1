#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "askfew/sessions/replay.h"
#include "askfew/system/usual_memory.h"
#include "askfew/workflows/summary.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// A ledger whose lines are all taken again.
struct ReplayOptions {
  std::string ledger{};
  std::uint64_t max_memory = usual_memory();  ///< as SessionOptions has it
};

/// What a session has done so far.
struct SessionSummary {
  std::string learner;  ///< with all parameters, as the rule
  std::string rule;
  std::string update;
  std::uint64_t seed = 0;
  Tally tally{};
  Session::Counts counts{};
  bool multiclass = false;                    ///< then only the error of the estimate means anything
  std::optional<EstimateSummary> estimate{};  ///< with an audit
};
SessionSummary summary_of(const Session& session);

struct ReplayResult {
  std::unique_ptr<Session> session;  ///< as it is after the last line
  SessionSummary summary;
  std::uint64_t lines = 0;
  std::uint64_t torn_bytes = 0;  ///< at the end, of a record that was not written to its end
  std::uint64_t set_aside = 0;   ///< lines that are never taken
  std::uint64_t unrecorded = 0;  ///< last lines whose outcome was not recorded any more
};

/// What becomes of a line; the session's model says what labels are called.
using SeeReplayed = std::function<void(const Session&, const Replayed&)>;

/// Every outcome is as it was recorded, or DataError is thrown. THROWS: FileError, ModelError, MemoryError.
ReplayResult replay(const ReplayOptions& options, const SeeReplayed& see = nullptr);

}  // namespace askfew
