#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_reader.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// A line of a ledger, taken again.
struct Replayed {
  const Incoming& incoming;
  std::int64_t came = 0;  ///< by the machine's clock
  std::int64_t time = 0;  ///< of the session
  const Outcome& outcome;
};

/// What a ledger held.
struct ReplayEnd {
  std::uint64_t lines = 0;
  std::uint64_t set_aside = 0;  ///< lines that were not taken
  /// What became of the last lines, of which the ledger does not tell: the process ended between the two.
  std::vector<std::string> unrecorded;
  std::int64_t clock_shift = 0;  ///< from the machine's clock to the session's time, at the end
};

/// Feeds all lines of a ledger, at their times, to a session that is as the ledger began, and compares what
/// becomes of each with what the ledger says. A limit of memory holds only for lines whose outcome is not
/// recorded. REQUIRES: the reader has passed the first record. THROWS: DataError for a ledger that is
/// damaged, or says something else; ModelError for what this version does not know.
ReplayEnd replay(LedgerReader& reader, const std::string& path, Session& session,
                 const std::function<void(const Replayed&)>& see = nullptr);

}  // namespace askfew
