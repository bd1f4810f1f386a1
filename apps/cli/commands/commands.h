#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace askfew::cli {

/// Exit codes, as the README promises them.
enum Exit : int { ok = 0, bad_usage = 2, bad_data = 3, closed_pipe = 141 };

/// How a command ended.
struct Ending {
  int code = ok;
  std::string remains;  ///< what an error should say of a model that it leaves on disk; empty: none
};

// Each adds its command to the program; the command's work is its callback.
void add_run(CLI::App& program, Ending& ending);
void add_predict(CLI::App& program, Ending& ending);
void add_list(CLI::App& program);
void add_inspect(CLI::App& program);
void add_bench(CLI::App& program);
void add_bound(CLI::App& program, Ending& ending);
void add_compare(CLI::App& program, Ending& ending);
void add_convert(CLI::App& program, Ending& ending);
void add_coverage(CLI::App& program, Ending& ending);
void add_data(CLI::App& program, Ending& ending);
void add_ledger(CLI::App& program);
void add_reproduce(CLI::App& program, Ending& ending);
void add_replay(CLI::App& program, Ending& ending);
void add_stream(CLI::App& program, Ending& ending);
void add_tune(CLI::App& program, Ending& ending);
void add_whatif(CLI::App& program, Ending& ending);

}  // namespace askfew::cli
