#include "askfew/workflows/tune.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "askfew/reports/page.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/experiment_options.h"

namespace askfew::cli {
namespace {

struct TuneCommand {
  ExperimentData source;
  std::string sampler = "pa-log";
  std::vector<std::string> grid;
  std::string rate;
  std::string metric = "f1";
  std::size_t holdout = 2000;
  std::size_t runs = 3;
  std::uint64_t seed = 1;
  bool quiet = false;

  int operator()() const;

 private:
  [[nodiscard]] TunePlan plan() const;
};

TunePlan TuneCommand::plan() const {
  TunePlan plan{.candidates = {}, .holdout = holdout, .runs = runs, .seed = seed};
  if (!rate.empty()) plan.rate = parse_share(rate);
  std::vector<GridAxis> axes;
  for (const std::string& text : grid) axes.push_back(parse_axis(text));
  if (grid.empty()) axes = usual_grid(sampler, !plan.rate);
  plan.candidates = grid_of(sampler, axes);
  return plan;
}

int TuneCommand::operator()() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  const TunePlan plan = this->plan();
  const ExperimentData::Loaded data = source.load(interrupted);
  check_norms(plan.candidates, data.dataset);
  std::vector<Tuned> tuned;
  try {
    JobsProgress progress("tune", quiet);
    tuned =
        tune(data.dataset, plan,
             {.threads = source.data.threads, .stop = &interrupted, .progress = [&](const JobsDone& done) {
                progress(done);
              }});
  } catch (const JobsStopped&) {
    return interrupted_exit_code();
  }
  const auto score = [&](const Tuned& t) { return metric == "f1" ? t.f1.mean : t.accuracy.mean; };
  std::stable_sort(tuned.begin(), tuned.end(),
                   [&](const Tuned& a, const Tuned& b) { return score(a) > score(b); });
  Table table{.caption = "", .columns = {"sampler", "share", "F", "accuracy"}};
  for (const Tuned& t : tuned) {
    table.rows.push_back({t.sampler.name, fmt::format("{:.2f}%", 100 * t.share.mean),
                          fmt::format("{:.4f}", t.f1.mean), fmt::format("{:.2f}%", 100 * t.accuracy.mean)});
  }
  const SamplerConfig& best = tuned[0].sampler.config;
  std::cout << text_of(table)
            << fmt::format("best: --learner {} --rule {} --update {}\n", askfew::text_of(best.learner),
                           askfew::text_of(best.rule), askfew::text_of(best.update));
  return ok;
}

}  // namespace

void add_tune(CLI::App& program, Ending& ending) {
  auto tune = std::make_shared<TuneCommand>();
  CLI::App* command = program.add_subcommand(
      "tune", "Try parameters of a sampler on the first examples, and say which to run with.");
  tune->source.add_to(*command);
  command->add_option("-s,--sampler", tune->sampler, "preset whose parameters are tried")
      ->check(a_name)
      ->capture_default_str();
  command
      ->add_option(
          "--grid", tune->grid,
          "a parameter and its values, e.g. b=0.1,1,10; may be repeated (default: five powers of ten "
          "around the default of each)")
      ->check(a_name);
  command->add_option("--rate", tune->rate, "share of the labels at which they are compared, e.g. 5%")
      ->check(a_name);
  command->add_option("--holdout", tune->holdout, "how many examples from the beginning are used; 0: all")
      ->capture_default_str();
  command->add_option("--metric", tune->metric, "f1, or accuracy")
      ->check(CLI::IsMember({"f1", "accuracy"}))
      ->capture_default_str();
  command->add_option("--runs", tune->runs, "how often each is run, with other coins")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", tune->seed, "seed of the first run; the others count on")
      ->transform(CLI::Validator(decimal, ""))
      ->capture_default_str();
  command->add_flag("--quiet", tune->quiet, "no progress");
  command->callback([tune, &ending] { ending.code = (*tune)(); });
}

}  // namespace askfew::cli
