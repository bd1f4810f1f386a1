#pragma once

#include <memory>
#include <string>

#include "askfew/ledger/ledger_collection.h"
#include "askfew/ledger/ledger_place.h"

// Threads: many threads may call this at the same time.

namespace askfew {

/// A ledger by its name: the path of a file, or the address of a ledger in a database, as
/// postgresql://USER@HOST/DATABASE?ledger=NAME. Nothing is opened yet. THROWS: ConfigError.
LedgerPlace ledger_at(const std::string& name);
/// Many ledgers in a database: "ledger=team" has those whose names begin with "team/". THROWS: ConfigError.
std::unique_ptr<LedgerCollection> ledgers_at(const std::string& address);

}  // namespace askfew
