#pragma once

#include <string>

#include "askfew/ledger/ledger_tail.h"

namespace askfew {

struct LedgerRepair {
  LedgerTail tail;   ///< what was cut off
  std::string kept;  ///< the file that the bytes went to; empty: there were none but zeros
};

/// Cuts off what is torn or zero behind the whole records. What is damaged otherwise is left as it is: tail
/// says what. Bytes that are cut off are put into a file beside the ledger first, unless they are zeros.
/// THROWS: DataError for what is no ledger, FileError.
LedgerRepair repair_ledger(const std::string& path);

}  // namespace askfew
