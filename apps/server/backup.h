#pragma once

#include <cstdint>
#include <string>

#include "askfew/ledger/ledger_collection.h"

namespace askfew::server {

struct Backup {
  std::uint64_t projects = 0;
  std::uint64_t bytes = 0;  ///< of all ledgers
  std::uint64_t torn = 0;   ///< bytes of records that a server was writing, and that were left out
};

/// Copies a folder of projects, also while a server uses it: of each ledger all complete records, of which
/// every byte is checked; of the accounts one state. The copy is a folder that a server can use. THROWS:
/// ConfigError if the ledgers are elsewhere, FileError, also if there is something at the target; DataError
/// for a damaged ledger. `ledgers`: null if the ledgers are files in the folder. In the copy they are files
/// in any case.
Backup back_up(const std::string& folder, const std::string& target, const LedgerCollection* ledgers);

}  // namespace askfew::server
