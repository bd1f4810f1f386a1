#pragma once

#include <vector>

#include "askfew/workflows/options.h"

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Adds one flag per row of the table of features, and returns them. REQUIRES: the options outlive the
/// command.
std::vector<Option*> add_feature_flags(Command& command, ReadingOptions& options);

}  // namespace askfew::cli
