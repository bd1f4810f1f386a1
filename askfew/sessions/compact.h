#pragma once

// Makes a shorter ledger, in which one checkpoint replaces the lines before it.

#include <atomic>
#include <cstdint>
#include <string>

#include "askfew/ledger/ledger_place.h"
#include "askfew/models/model.h"

namespace askfew {

/// A ledger whose past is one checkpoint.
struct CompactLedger {
  std::string bytes;             ///< of the new ledger
  std::uint64_t lines = 0;       ///< of the old ledger
  std::uint64_t old_bytes = 0;   ///< of its whole records
  std::uint64_t torn_bytes = 0;  ///< after them, left out
  std::uint64_t dropped = 0;     ///< lines for which the checkpoint stands
  bool stopped = false;          ///< `stop` ended it: there is no new ledger
};

/// Replays the ledger, which is not changed, and makes a shorter one that continues in the same way: its
/// first record, a checkpoint with the hash of what was dropped, and the records after it. The ledger of a
/// server is cut at the server's last checkpoint, any other at its end. THROWS: as `replay`; ConfigError for
/// a ledger that cannot be compacted; LedgerBusy.
CompactLedger compact_ledger(const LedgerPlace& place, const SharedLimit& memory,
                             const std::atomic<bool>* stop = nullptr);

}  // namespace askfew
