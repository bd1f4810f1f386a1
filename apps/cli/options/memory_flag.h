#pragma once

#include <cstdint>
#include <string>

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// For `transform`: 500MB, 1.5 GiB or 4096 becomes a number of bytes. Returns what is wrong with it, or
/// nothing.
std::string size_in_bytes(std::string& text);

/// Adds --max-memory. REQUIRES: `bytes` outlives the command, and is the usual memory.
void add_max_memory(Command& command, std::uint64_t& bytes);

}  // namespace askfew::cli
