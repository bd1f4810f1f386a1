#include <iostream>
#include <memory>

#include "askfew/system/memory_limit.h"
#include "askfew/trials/dataset.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/experiment_options.h"
#include "apps/cli/options/memory.h"
#include "apps/cli/options/options.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/bound_report.h"

namespace askfew::cli {
namespace {

/// One task of a data set, as a stream.
struct TaskStream {
  TaskStream(const Dataset& data, std::size_t task) {
    for (std::size_t row = 0; row < data.size(); ++row) {
      x.push_back(data.x(row));
      y.push_back(data.label(row, task));
    }
  }
  [[nodiscard]] LabelledRows rows() const { return {x, y}; }

  std::vector<FeatureView> x;
  std::vector<Label> y;
};

struct BoundCommand {
  DataOptions data;
  ModelOptions fresh;
  double svm_c = 1;
  std::uint64_t seeds = 10;
  std::string json_path;

  int operator()() const;

 private:
  [[nodiscard]] Dataset read(const ModelConfig& config, const SharedLimit& memory,
                             const std::atomic<bool>& interrupted) const;
  [[nodiscard]] TaskBounds bounds_of(const ModelConfig& config, std::size_t task, const LabelledRows& rows,
                                     const SharedLimit& memory) const;
};

Dataset BoundCommand::read(const ModelConfig& config, const SharedLimit& memory,
                           const std::atomic<bool>& interrupted) const {
  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(config, skipped, &interrupted);
  FeatureState features(config.features, memory);
  Dataset dataset = Dataset::read(*stream, config.labels.labelling(*stream), features);
  std::cerr << text_of(*skipped);
  for (const std::string& note : stream->notes()) std::cerr << "note: " << note << '\n';
  return dataset;
}

TaskBounds BoundCommand::bounds_of(const ModelConfig& config, std::size_t task, const LabelledRows& rows,
                                   const SharedLimit& memory) const {
  const Setting setting{
      .key = {.seed = config.seed, .task = task}, .dimension = config.likely_dimension(), .memory = memory};
  LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = svm_c});
  ObservedRuns runs = observe_runs(config.sampler, setting, rows, seeds);
  ComparatorOnStream u(admissible(config.sampler, svm.w), rows, runs);
  std::vector<TheoremRow> theorems = theorems_on(config.sampler, shape_of(rows, config.dimension), runs, u);
  return {.name = config.labels.task_names()[task],
          .rounds = rows.x.size(),
          .svm = std::move(svm),
          .u = std::move(u),
          .runs = std::move(runs),
          .theorems = std::move(theorems)};
}

int BoundCommand::operator()() const {
  if (fresh.labels.multiclass) throw ConfigError("the theorems are about two labels: leave --multiclass out");
  const std::atomic<bool>& interrupted = handle_interrupts();
  Outputs outputs({{"--json", json_path}}, fresh.inputs(data));
  const ModelConfig config = fresh.config(data, &interrupted);
  const SharedLimit& memory = data.memory();
  make_sampler(
      config.sampler,
      {.dimension = config.likely_dimension()});  // what is impossible is refused before hours of reading
  const Dataset dataset = read(config, memory, interrupted);
  if (interrupted) return interrupted_exit_code();
  if (dataset.size() == 0) throw DataError({.why = "no example in it", .file = data.name()});
  check_norms({{config.sampler.learner.name, config.sampler}}, dataset);
  BoundReport report{
      .sampler = config.sampler, .first_seed = config.seed, .seeds = seeds, .svm_c = svm_c, .tasks = {}};
  for (std::size_t task = 0; task < config.labels.task_names().size(); ++task) {
    report.tasks.push_back(bounds_of(config, task, TaskStream(dataset, task).rows(), memory));
    if (interrupted) return interrupted_exit_code();
  }
  if (std::ostream* out = outputs.of("--json")) *out << json_of(report).dump(2) << '\n';
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_of(report);
  return ok;
}

}  // namespace

void add_bound(CLI::App& program, Ending& ending) {
  auto bound = std::make_shared<BoundCommand>();
  CLI::App* command = program.add_subcommand(
      "bound", "Compare what the papers' theorems promise of a sampler with what it does on a data set.");
  bound->data.add_to(*command);
  bound->data.add_cache_to(*command);
  bound->fresh.add_to(*command);
  command->add_option("--svm-c", bound->svm_c, "C of the linear SVM that the theorems compare with")
      ->check(CLI::Range(1e-9, 1e9).description(""))
      ->capture_default_str();
  command->add_option("--seeds", bound->seeds, "runs, with the seeds from --seed on")
      ->transform(CLI::Validator(decimal, ""))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}).description(""))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--json", bound->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->callback([bound, &ending] { ending.code = (*bound)(); });
}

}  // namespace askfew::cli
