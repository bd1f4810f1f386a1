#pragma once

#include <string>

#include "apps/cli/options/command.h"

namespace askfew::cli {

/// Exit codes, as docs/guide/commands.md lists them.
enum Exit : int { ok = 0, bad_usage = 2, bad_data = 3, closed_pipe = 141 };

/// How a command ended.
struct Ending {
  int code = ok;
  std::string remains;  ///< what an error should say of a model that it leaves on disk; empty: none
};

// Each adds its command to the program; the command's work is its callback.
void add_run(Command& program, Ending& ending);
void add_predict(Command& program, Ending& ending);
void add_evaluate(Command& program, Ending& ending);
void add_label(Command& program, Ending& ending);
void add_tell(Command& program, Ending& ending);
void add_backup(Command& program);
void add_list(Command& program);
void add_inspect(Command& program);
void add_bench(Command& program);
void add_bound(Command& program, Ending& ending);
void add_client(Command& program);
void add_compact(Command& program, Ending& ending);
void add_compare(Command& program, Ending& ending);
void add_completion(Command& program);
void add_convert(Command& program, Ending& ending);
void add_coverage(Command& program, Ending& ending);
void add_data(Command& program, Ending& ending);
void add_ledger(Command& program);
void add_reproduce(Command& program, Ending& ending);
void add_replay(Command& program, Ending& ending);
void add_serve(Command& program, Ending& ending);
void add_stream(Command& program, Ending& ending);
void add_tune(Command& program, Ending& ending);
void add_whatif(Command& program, Ending& ending);

}  // namespace askfew::cli
