#pragma once

#include <cstdint>
#include <string>

namespace askfew::server {

struct Backup {
  std::uint64_t projects = 0;
  std::uint64_t bytes = 0;  ///< of all ledgers
  std::uint64_t torn = 0;   ///< bytes of records that a server was writing, and that were left out
};

/// Copies a folder of projects, also while a server uses it: of each ledger all complete records, of which
/// every byte is checked; of the accounts one state. The copy is a folder that a server can use. THROWS:
/// FileError, also if there is something at the target; DataError for a damaged ledger.
Backup back_up(const std::string& folder, const std::string& target);

}  // namespace askfew::server
