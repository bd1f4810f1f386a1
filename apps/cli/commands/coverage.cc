#include "askfew/workflows/coverage.h"

#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "askfew/reports/page.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/experiment_options.h"

namespace askfew::cli {
namespace {

struct CoverageCommand {
  ExperimentData source;
  std::string sampler = "sel-p";
  SpendingOptions spending{.audit = "1%"};
  std::size_t runs = 200;
  std::uint64_t seed = 1;
  std::uint64_t every = 50;
  bool quiet = false;

  int operator()() const;
};

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

int CoverageCommand::operator()() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  CoveragePlan plan{.sampler = parse_preset(sampler), .runs = runs, .seed = seed, .every = every};
  plan.sampler.spending = spending.spending();
  const ExperimentData::Loaded data = source.load(interrupted);
  check_norms({{.name = sampler, .config = plan.sampler}}, data.dataset);
  if (data.dataset.tasks() > 1) throw ConfigError("coverage is of one task: name its labels with --positive");
  LabelBudget& budget = plan.sampler.spending.budget;
  if (budget.is_set() && budget.horizon == 0) budget.horizon = data.dataset.size();
  Coverage found;
  try {
    JobsProgress progress("coverage", quiet);
    found = coverage(data.dataset, plan,
                     {.threads = source.data.threads,
                      .stop = &interrupted,
                      .progress = [&](const JobsDone& done) { progress(done); }});
  } catch (const JobsStopped&) {
    return interrupted_exit_code();
  }
  std::cout << text_of(table_of(found));
  std::cout << fmt::format("{} of the labels were asked\n", percent(found.share));
  return ok;
}

}  // namespace

void add_coverage(CLI::App& program, Ending& ending) {
  auto coverage = std::make_shared<CoverageCommand>();
  CLI::App* command = program.add_subcommand(
      "coverage", "Run an audited sampler many times, and count how often its intervals hold the truth.");
  coverage->source.add_to(*command);
  command->add_option("-s,--sampler", coverage->sampler, "preset, e.g. sel-p or sel-p:b=0.5")
      ->check(a_name)
      ->capture_default_str();
  coverage->spending.add_to(*command);
  command->add_option("--runs", coverage->runs, "how often it is run, with other coins")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--seed", coverage->seed, "seed of the first run; the others count on")
      ->transform(CLI::Validator(decimal, ""))
      ->capture_default_str();
  command->add_option("--every", coverage->every, "rounds between two looks at the intervals")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_flag("--quiet", coverage->quiet, "no progress");
  command->callback([coverage, &ending] { ending.code = (*coverage)(); });
}

}  // namespace askfew::cli
