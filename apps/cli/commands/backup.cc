#include "apps/server/backup.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "askfew/postgres/postgres_ledger.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

struct BackupCommand {
  std::string folder;
  std::string target;
  std::string ledger;

  void operator()() const {
    const auto ledgers = ledger.empty() ? nullptr : ledgers_at(ledger);
    const server::Backup backup = server::back_up(folder, target, ledgers.get());
    std::cout << fmt::format("{}: {} project{}, {} bytes of ledgers, every byte checked\n", target,
                             grouped(backup.projects), backup.projects == 1 ? "" : "s",
                             grouped(backup.bytes));
    if (backup.torn > 0)
      std::cout << fmt::format("left out: {} bytes that were being written\n", grouped(backup.torn));
  }
};

}  // namespace

void add_backup(Command& program) {
  auto backup = std::make_shared<BackupCommand>();
  Command* command = program.add_subcommand(
      "backup", "Copy the folder of a server, also while it runs. The copy can be served as it is.");
  command->add_option("FOLDER", backup->folder, "the folder of askfew serve")->required()->check(a_name);
  command->add_option("TARGET", backup->target, "a new folder")->required()->check(a_name);
  command
      ->add_option("--ledger", backup->ledger,
                   "the address that the server has for its ledgers, if it has one")
      ->type_name("ADDRESS")
      ->check(a_name);
  command->callback([backup] { (*backup)(); });
}

}  // namespace askfew::cli
