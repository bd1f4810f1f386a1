#pragma once

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Puts the options of a command that reads data under headings, and hides those that few people need until
/// `--help-all` asks for them. Call when all options are there.
void group_help(Command& command);

}  // namespace askfew::cli
