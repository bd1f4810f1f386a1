#pragma once

// Keeps a folder of projects and its ledgers together.

#include <string>

#include "askfew/ledger/ledger_collection.h"

// Threads: these functions are for one process and one thread at a time with one folder.

namespace askfew {

/// The name of the collection that has the ledgers of a folder of projects; empty: they are files in the
/// folder.
std::string ledgers_of_folder(const std::string& folder);

/// A folder of projects and its ledgers belong together from the first start on. Refuses a folder with other
/// ledgers, and ledgers of another folder. `ledgers`: null for files in the folder; otherwise REQUIRES: this
/// process has taken them, and the folder exists. THROWS: ConfigError, FileError.
void bind_ledgers(const std::string& folder, LedgerCollection* ledgers);

}  // namespace askfew
