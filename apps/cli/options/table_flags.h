#pragma once

#include <vector>

#include "askfew/streams/formats/tables/table_options.h"

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Adds the options of tables, and returns them.
std::vector<Option*> add_table_flags(Command& command, TableOptions& options);

}  // namespace askfew::cli
