#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "askfew/workflows/hooks.h"

namespace askfew::cli {

/// One line about each of the first examples that were left out, and how many there were.
std::string text_of(const Skipped& skipped);

/// Prints what the user should know about a result, a line each, on standard error.
void print_notes(const std::vector<std::string>& notes);

/// Ends the workflow when interrupted, and tells on standard error what begins and what was skipped.
void set_terminal_hooks(const std::atomic<bool>& interrupted, Hooks& hooks);

}  // namespace askfew::cli
