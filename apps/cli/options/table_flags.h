#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "askfew/streams/formats/tables/table_options.h"

namespace askfew::cli {

/// Adds the options of tables, and returns them.
std::vector<CLI::Option*> add_table_flags(CLI::App& command, TableOptions& options);

}  // namespace askfew::cli
