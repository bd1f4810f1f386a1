#include "askfew/workflows/coverage.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "askfew/reports/page.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/reports/jobs_progress.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100 * share);
}

Table table_of(const Coverage& coverage) {
  Table table{.caption = "how often 95% intervals held the truth",
              .columns = {"figure", "at the end", "at all times", "median width", "truth"}};
  const auto add = [&](const std::string& name, const Covered& covered, const std::string& truth) {
    table.rows.push_back({name, percent(covered.at_end), percent(covered.always),
                          fmt::format("{:.4f}", covered.width), truth});
  };
  add("error", coverage.error, fmt::format("{:.4f}", coverage.true_error));
  add("precision", coverage.precision, "");
  add("recall", coverage.recall, "");
  add("F", coverage.f1, fmt::format("{:.4f}", coverage.true_f1));
  add("recent error", coverage.recent_error, "");
  add("recent F", coverage.recent_f1, "");
  return table;
}

int show_coverage(const CoverageOptions& options, bool quiet) {
  JobHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  CoverageResult result;
  {
    JobsProgress progress("coverage", quiet);
    progress.listen(hooks);
    result = coverage(options, hooks);
  }
  if (result.stopped) return interrupted_exit_code();
  std::cout << text_of(table_of(result.coverage));
  std::cout << fmt::format("{} of the labels were asked\n", percent(result.coverage.share));
  return ok;
}

}  // namespace

void add_coverage(Command& program, Ending& ending) {
  auto options = std::make_shared<CoverageOptions>();
  auto quiet = std::make_shared<bool>(false);
  Command* command = program.add_subcommand(
      "coverage", "Run an audited sampler many times, and count how often its intervals contain the truth.");
  add_data_flags(*command, options->data);
  add_cache_flag(*command, options->data);
  add_label_flags(*command, options->labels);
  add_reading_flags(*command, options->reading);
  command->add_option("-s,--sampler", options->sampler.sampler, "preset, e.g. sel-p or sel-p:b=0.5")
      ->check(a_name)
      ->capture_default_str();
  add_spending_flags(*command, options->sampler);
  command->add_option("--runs", options->runs, "number of runs, each with its own coins")
      ->range(1, 100'000)
      ->capture_default_str();
  add_first_seed_flag(*command, options->seed);
  command->add_option("--every", options->every, "rounds between two checks of the intervals")
      ->range(1, 1'000'000)
      ->capture_default_str();
  command->add_flag("--quiet", *quiet, "no progress");
  command->callback([options, quiet, &ending] { ending.code = show_coverage(*options, *quiet); });
}

}  // namespace askfew::cli
