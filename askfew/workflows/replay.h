#pragma once

// The command `replay` as a function.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_place.h"
#include "askfew/sessions/replay.h"
#include "askfew/system/usual_memory.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/summary.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Options to replay all lines of a ledger.
struct ReplayOptions {
  LedgerPlace ledger{};
  std::uint64_t max_memory = usual_memory();  ///< see SessionOptions
};

/// The results of a session so far.
struct SessionSummary {
  std::string learner;  ///< learner and rule: with all parameters
  std::string rule;
  std::string update;
  std::uint64_t seed = 0;
  std::uint64_t seed_labels = 0;  ///< learned before the first instance
  Tally tally{};                  ///< of all topics together
  Session::Counts counts{};
  bool multiclass = false;                    ///< true: only the error of the estimate is meaningful
  std::optional<EstimateSummary> estimate{};  ///< only with an audit, and without topics
  struct Topic {
    std::string name;
    Tally tally{};
    std::optional<EstimateSummary> estimate{};  ///< only with an audit
  };
  std::vector<Topic> topics{};
};
SessionSummary summary_of(const Session& session);

struct ReplayResult {
  std::unique_ptr<Session> session;  ///< after the last line
  SessionSummary summary;
  std::uint64_t lines = 0;
  std::uint64_t dropped = 0;  ///< of these, lines that the ledger no longer has: a checkpoint stands for them
  std::uint64_t checkpoints = 0;  ///< number of checkpoints that equal the state which was replayed
  std::uint64_t torn_bytes = 0;   ///< bytes of an incomplete record at the end
  std::uint64_t set_aside = 0;    ///< number of lines that are never applied
  std::uint64_t unrecorded = 0;   ///< number of last lines without a recorded outcome
  bool stopped = false;           ///< `stop` ended the replay before the end of the ledger
};

struct ReplayHooks : Hooks {
  /// Called with the outcome of a line; the session's model has the names of the labels.
  std::function<void(const Session&, const Replayed&)> line{};
};

/// Every outcome must equal the recorded outcome, and every checkpoint the state; else THROWS DataError.
/// THROWS: FileError, ModelError, MemoryError.
ReplayResult replay(const ReplayOptions& options, const ReplayHooks& hooks = {});

/// Replays the ledgers of all shards of the topics, in their order, and gives each result to `see`. Returns
/// the model of all topics: that of one session which took the same lines. Nothing if `stop` ended it.
/// THROWS: as above; ConfigError if the ledgers are not those of all shards of one session.
std::optional<Snapshot> replay_shards(std::span<const ReplayOptions> shards, const ReplayHooks& hooks,
                                      const std::function<void(const ReplayResult&)>& see);

}  // namespace askfew
