#pragma once

#include <CLI/CLI.hpp>

namespace askfew::cli {

/// Exit codes, as the README promises them.
enum Exit : int { ok = 0, bad_usage = 2, bad_data = 3, closed_pipe = 141 };

// Each adds its command to the program; the command's work is its callback, which sets the exit code.
void add_run(CLI::App& program, int& exit_code);
void add_predict(CLI::App& program);
void add_list(CLI::App& program);
void add_inspect(CLI::App& program);

}  // namespace askfew::cli
