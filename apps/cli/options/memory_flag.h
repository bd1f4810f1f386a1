#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace askfew::cli {

/// Adds --max-memory. REQUIRES: `bytes` outlives the command, and is the usual memory.
void add_max_memory(CLI::App& command, std::uint64_t& bytes);

}  // namespace askfew::cli
