#pragma once

#include <string>

#include "askfew/ledger/ledger_place.h"
#include "askfew/ledger/ledger_tail.h"

namespace askfew {

struct LedgerRepair {
  LedgerTail tail;   ///< the part that was cut off
  std::string kept;  ///< the file that keeps the bytes; empty: there were only zeros
};

/// Cuts off torn bytes and zeros after the complete records. Other damage is left unchanged; `tail` describes
/// it. Bytes other than zeros are first saved in a file next to the ledger. THROWS: ConfigError if the ledger
/// is in no file, DataError if the file is not a ledger, FileError.
LedgerRepair repair_ledger(const LedgerPlace& place);

}  // namespace askfew
