#pragma once

#include <string>

#include "askfew/ledger/ledger_place.h"

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Adds an option or argument that says where a ledger is: a file, or an address of PostgreSQL. REQUIRES: the
/// place outlives the command.
Option* add_ledger_place(Command& command, const std::string& names, LedgerPlace& place,
                         const std::string& help);

}  // namespace askfew::cli
