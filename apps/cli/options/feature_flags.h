#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "askfew/workflows/options.h"

namespace askfew::cli {

/// Adds one flag per row of the table of features, and returns them. REQUIRES: the options outlive the
/// command.
std::vector<CLI::Option*> add_feature_flags(CLI::App& command, ReadingOptions& options);

}  // namespace askfew::cli
