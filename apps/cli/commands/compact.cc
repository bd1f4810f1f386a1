#include "askfew/sessions/compact.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "askfew/core/errors.h"
#include "askfew/system/memory_limit.h"
#include "askfew/system/usual_memory.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

struct CompactCommand {
  LedgerPlace ledger;
  LedgerPlace output;
  std::uint64_t max_memory = usual_memory();

  int operator()() const;
};

/// Writes the bytes of a new ledger into a database.
void write_to(const LedgerPlace& place, const std::string& bytes) {
  const auto store = place.for_writing();
  if (store->status().size > 0) throw FileError(place.name() + ": there is a ledger already");
  std::string failure = store->write(0, bytes);
  if (failure.empty()) failure = store->commit(true);
  if (!failure.empty()) throw FileError(place.name() + ": cannot write the ledger: " + failure);
}

int CompactCommand::operator()() const {
  if (!output.is_file() && output.name() == ledger.name())
    throw ConfigError("--output is the ledger that is read: give another name");
  Outputs outputs({{"--output", output.path()}}, {{"LEDGER", ledger.path()}});
  const CompactLedger compact =
      compact_ledger(ledger, std::make_shared<MemoryLimit>(max_memory), &handle_interrupts());
  if (compact.stopped) return interrupted_exit_code();
  if (std::ostream* out = outputs.of("--output")) {
    *out << compact.bytes;
  } else {
    write_to(output, compact.bytes);
  }
  outputs.commit();
  std::cout << fmt::format("ledger     {}: {} lines, {} bytes, every outcome as it was recorded\n",
                           ledger.name(), grouped(compact.lines), grouped(compact.old_bytes));
  std::cout << fmt::format("compacted  {}: {} bytes, a checkpoint stands for {} lines, {} follow\n",
                           output.name(), grouped(compact.bytes.size()), grouped(compact.dropped),
                           grouped(compact.lines - compact.dropped));
  if (compact.torn_bytes > 0) {
    std::cout << fmt::format("left out   {} bytes of a record that was not written to its end\n",
                             grouped(compact.torn_bytes));
  }
  return ok;
}

}  // namespace

void add_compact(Command& program, Ending& ending) {
  auto compact = std::make_shared<CompactCommand>();
  Command* command = program.add_subcommand(
      "compact", "Write a shorter ledger that continues in the same way: one checkpoint replaces its lines.");
  add_ledger_place(*command, "LEDGER", compact->ledger, "ledger of askfew stream or label; it is only read")
      ->required();
  add_ledger_place(*command, "-o,--output", compact->output, "the new ledger")->required();
  add_max_memory(*command, compact->max_memory);
  command->callback([compact, &ending] { ending.code = (*compact)(); });
}

}  // namespace askfew::cli
