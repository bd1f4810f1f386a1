#include <fmt/core.h>
#include <iostream>

#include "askfew/core/errors.h"
#include "askfew/ledger/repair.h"
#include "askfew/sessions/ledger_check.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

using Kind = LedgerTail::Kind;

struct LedgerCommand {
  LedgerPlace place;
  std::uint64_t line = 0;
  std::string why = "set aside by hand";

  void check() const;
  void repair() const;
  void skip() const;
};

/// What is wrong with a ledger that cannot be cut without a loss, and what can be done.
[[noreturn]] void fail_as_damaged(const LedgerPlace& place, const LedgerTail& tail) {
  throw DataError(
      {.why = fmt::format("damaged at byte {}: the {} bytes from there on are neither torn nor "
                          "zeros, and hold {} whole records, so nothing is cut off. Go on from a "
                          "copy that is whole, or from what comes before: head -c {} LEDGER > NEW",
                          tail.place, grouped(tail.whole + tail.bytes - tail.place), grouped(tail.readable),
                          tail.whole),
       .file = place.name()});
}

void LedgerCommand::check() const {
  const LedgerCheck found = check_ledger(place);
  const LedgerTail& tail = found.tail;
  if (tail.kind == Kind::damaged) fail_as_damaged(place, tail);
  if (tail.kind == Kind::zeros) {
    throw DataError({.why = fmt::format("the last {} bytes are zeros or belong to a record that was not "
                                        "written to its end, as when the power fails; 'askfew ledger repair' "
                                        "cuts them off, and {} lines before them are whole",
                                        grouped(tail.bytes), grouped(found.lines)),
                     .file = place.name()});
  }
  std::cout << fmt::format("ledger     {}: format {}, {} bytes, all whole\n", place.name(), found.format,
                           grouped(tail.whole));
  std::cout << fmt::format("lines      {}, {} with an outcome, {} set aside\n", grouped(found.lines),
                           grouped(found.outcomes), grouped(found.set_aside));
  if (found.dropped) {
    std::cout << fmt::format(
        "dropped    the first {} lines, {} bytes up to the hash {:016x}: a checkpoint stands for them\n",
        grouped(found.dropped_lines), grouped(found.dropped->bytes), found.dropped->hash);
  }
  if (found.checkpoints > 0) std::cout << fmt::format("checkpoints {}\n", grouped(found.checkpoints));
  for (const std::uint64_t number : found.unfinished) {
    std::cout << fmt::format(
        "unfinished line {}: the next stream takes it, or 'askfew ledger skip' sets it aside\n", number);
  }
  if (tail.kind == Kind::torn) {
    std::cout << fmt::format(
        "torn       {} bytes behind them are of a record that was not written to its end: the next stream "
        "cuts "
        "them off, or 'askfew ledger repair'\n",
        grouped(tail.bytes));
  }
}

void LedgerCommand::repair() const {
  const LedgerRepair done = repair_ledger(place);
  if (done.tail.kind == Kind::damaged) fail_as_damaged(place, done.tail);
  if (done.tail.kind == Kind::nothing) {
    std::cout << fmt::format("{}: all {} bytes are whole, nothing to repair\n", place.name(),
                             grouped(done.tail.whole));
    return;
  }
  std::cout << fmt::format("{}: cut off {} bytes, {} of them zeros; {} bytes are left, all whole\n",
                           place.name(), grouped(done.tail.bytes), grouped(done.tail.zeros),
                           grouped(done.tail.whole));
  if (!done.kept.empty()) std::cout << fmt::format("what was cut off is in {}\n", done.kept);
}

void LedgerCommand::skip() const {
  const std::uint64_t torn = set_line_aside(place, line, why);
  if (torn > 0)
    std::cout << fmt::format("{}: cut off {} bytes of a record that was not written to its end\n",
                             place.name(), torn);
  std::cout << fmt::format("{}: line {} is set aside\n", place.name(), grouped(line));
}

}  // namespace

void add_ledger(Command& program) {
  auto ledger = std::make_shared<LedgerCommand>();
  Command* command =
      program.add_subcommand("ledger", "Check a ledger, repair it, or set a line of it aside.");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    Command* added = command->add_subcommand(name, what);
    add_ledger_place(*added, "LEDGER", ledger->place, "ledger of askfew stream or label")->required();
    return added;
  };
  add("check", "Read every byte, and report what is in the ledger and whether it is damaged.")
      ->callback([ledger] { ledger->check(); });
  add("repair", "Cut off an incomplete last record, and zeros that a power failure left.")
      ->callback([ledger] { ledger->repair(); });
  Command* skip = add("skip", "Set aside a line on which every process fails; no stream processes it again.");
  skip->add_option("LINE", ledger->line, "number of the line, as 'askfew ledger check' prints it")
      ->required()
      ->unshown_range(0, ~std::uint64_t{0});
  skip->add_option("--why", ledger->why, "reason, which the ledger records")->capture_default_str();
  skip->callback([ledger] { ledger->skip(); });
}

}  // namespace askfew::cli
