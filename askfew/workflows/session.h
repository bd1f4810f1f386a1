#pragma once

#include <functional>
#include <string>
#include <vector>

#include "askfew/sessions/session_ledger.h"
#include "askfew/system/usual_memory.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time; the session that is opened is for one
// thread at a time.

namespace askfew {

/// A session with instances and late labels, for `askfew stream` and services.
struct SessionOptions {
  ModelOptions model{};  ///< for a new session; the options for file formats are not used
  bool topics = false;   ///< one or two labels are topics, too, as more labels are; also if they are asked
                         ///< together
  std::string
      shard{};  ///< a part of the topics, as "3/8": the third eighth; see askfew/models/topic_shards.h
  std::string expire{};  ///< forget a question after so many rounds, "1000", or after a time, "30s", "10m",
                         ///< "12h", "7d"
  std::uint64_t keep = LabelQueue::Options{}.keep;  ///< number of answered questions that can still be
                                                    ///< corrected
  std::string volunteered = "refuse";               ///< labels that were not asked: refuse, keep or learn
  std::string overlap{};  ///< a share of the questions, and the people who answer them: "10%:3"
  LedgerPlace ledger{};   ///< record every line here, and continue from its content; empty: no recording
  /// What happens if that ledger has other settings.
  SettingsMismatch mismatch = SettingsMismatch::is_an_error;
  /// Settings that nobody told, as their names in a ledger, such as `horizon`: a ledger may have others.
  std::vector<std::string> guesses{};
  /// Memory in bytes for the learner's matrices and stored examples, and for questions, all together.
  std::uint64_t max_memory = usual_memory();
  /// Tables of texts, like `model.seed_labels`; rows without a label are left out.
  std::vector<std::string> seed_texts{};
  TableOptions seed_table{};  ///< the columns of those tables
  Doubt doubt{};              ///< gets what is doubtful about the seed labels, one sentence each
};

/// The configuration of a model whose instances come one at a time: nothing is known about them before.
/// THROWS: ConfigError, FileError.
ModelConfig live_config(const ModelOptions& options);

/// Is this text a valid expiry? See SessionOptions::expire.
bool is_expiry(const std::string& text);

/// `observer`: sees what is in the ledger already. THROWS: ConfigError, DataError, FileError, ModelError,
/// MemoryError.
SessionLedger open_session(const SessionOptions& options, const LedgerObserver& observer = {});

/// Opens many sessions with the same options, each with its own ledger. All of them together have
/// `max_memory`; the options are read once. THROWS: as above.
std::function<SessionLedger(const std::string& ledger, const LedgerObserver& observer)> session_opener(
    const SessionOptions& options);

}  // namespace askfew
