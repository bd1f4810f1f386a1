#pragma once

#include <atomic>
#include <string>

#include "askfew/workflows/hooks.h"

namespace askfew::cli {

/// One line about each of the first examples that were left out, and how many there were.
std::string text_of(const Skipped& skipped);

/// Ends the workflow when interrupted, and tells on standard error what begins and what was skipped.
void set_terminal_hooks(const std::atomic<bool>& interrupted, Hooks& hooks);

}  // namespace askfew::cli
