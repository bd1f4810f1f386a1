#include "askfew/workflows/tune.h"

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

std::string tuned_text(const TuneOptions& options, const TuneResult& result) {
  Table table{.caption = "", .columns = {"sampler", "share", "F", "accuracy"}};
  for (const Tuned& t : result.tuned) {
    if (t.fails()) {
      table.rows.push_back({t.sampler.name, "- (fails)", "-", "-"});
      continue;
    }
    table.rows.push_back({t.sampler.name, fmt::format("{:.2f}%", 100 * t.share.mean),
                          fmt::format("{:.4f}", t.f1.mean), fmt::format("{:.2f}%", 100 * t.accuracy.mean)});
  }
  const SamplerConfig& best = result.tuned[0].sampler.config;
  return text_of(table) +
         fmt::format("labels: the scores used all {} labels of the first examples\n", result.labels) +
         fmt::format("best: --learner {} --rule {} --update {}{}\n", text_of(best.learner),
                     text_of(best.rule), text_of(best.update),
                     options.rate.empty() ? "" : " --budget " + options.rate);
}

int tune_parameters(const TuneOptions& options, bool quiet) {
  JobHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  TuneResult result;
  {
    JobsProgress progress("tune", quiet);
    progress.listen(hooks);
    result = tune(options, hooks);
  }
  if (result.stopped) return interrupted_exit_code();
  std::cout << tuned_text(options, result);
  return ok;
}

}  // namespace

void add_tune(Command& program, Ending& ending) {
  auto options = std::make_shared<TuneOptions>();
  auto quiet = std::make_shared<bool>(false);
  Command* command = program.add_subcommand(
      "tune", "Try parameters of a sampler on the first examples, and recommend the best.");
  add_data_flags(*command, options->data);
  add_cache_flag(*command, options->data);
  add_label_flags(*command, options->labels);
  add_reading_flags(*command, options->reading);
  command->add_option("-s,--sampler", options->sampler, "preset whose parameters are tried")
      ->check(a_name)
      ->capture_default_str();
  command
      ->add_option(
          "--grid", options->grid,
          "a parameter and its values, e.g. b=0.1,1,10; may be repeated (default: five powers of ten "
          "around the default of each)")
      ->check(a_name);
  command->add_option("--rate", options->rate, "share of the labels that every candidate may ask, e.g. 5%")
      ->check(a_name);
  command->add_option("--holdout", options->holdout, "how many examples from the beginning are used; 0: all")
      ->range(0, 1'000'000'000'000)
      ->capture_default_str();
  command->add_option("--metric", options->metric, "f1, or accuracy")
      ->one_of({"f1", "accuracy"})
      ->capture_default_str();
  add_aim_flag(*command, options->aim);
  command->add_option("--runs", options->runs, "number of runs, each with its own coins")
      ->range(1, 1000)
      ->capture_default_str();
  add_first_seed_flag(*command, options->seed);
  command->add_flag("--quiet", *quiet, "no progress");
  command->callback([options, quiet, &ending] { ending.code = tune_parameters(*options, *quiet); });
}

}  // namespace askfew::cli
