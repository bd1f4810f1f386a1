#include "askfew/workflows/bound.h"

#include <iostream>
#include <memory>

#include "askfew/workflows/input_files.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/bound_report.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

int show_bounds(const BoundOptions& options, const std::string& json_path) {
  JobHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  Outputs outputs({{"--json", json_path}}, input_files(options.data, options.model.reading));
  const BoundResult result = bound(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  print_notes(result.notes);
  if (std::ostream* out = outputs.of("--json")) *out << with_flags(json_of(result)) << '\n';
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << with_flags(text_of(result));
  return ok;
}

}  // namespace

void add_bound(Command& program, Ending& ending) {
  auto options = std::make_shared<BoundOptions>();
  auto json_path = std::make_shared<std::string>();
  Command* command = program.add_subcommand(
      "bound", "Compare the bounds of the papers' theorems with the mistakes of a sampler on a data set.");
  add_data_flags(*command, options->data);
  add_cache_flag(*command, options->data);
  add_model_flags(*command, options->model);
  command->add_option("--svm-c", options->svm_c, "C of the linear SVM that the theorems compare with")
      ->unshown_range(1e-9, 1e9)
      ->capture_default_str();
  command->add_option("--seeds", options->seeds, "number of runs; each further run adds 1 to the seed")
      ->unshown_range(1, 100'000)
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--json", *json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->callback([options, json_path, &ending] { ending.code = show_bounds(*options, *json_path); });
}

}  // namespace askfew::cli
