#include "askfew/workflows/bound.h"

#include <memory>
#include <utility>

#include "askfew/workflows/load.h"
#include "askfew/workflows/setup.h"

namespace askfew {
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

TaskBounds bounds_of(const BoundOptions& options, const ModelConfig& config, std::size_t task,
                     const LabelledRows& rows, const SharedLimit& memory,
                     const std::function<bool(std::uint64_t)>& continues) {
  const Setting setting{
      .key = {.seed = config.seed, .task = task}, .dimension = config.likely_dimension(), .memory = memory};
  LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = options.svm_c});
  ObservedRuns runs = observe_runs(config.sampler, setting, rows, options.seeds, continues);
  const std::vector<double> comparator = admissible(config.sampler, svm.w);
  ComparatorOnStream u(comparator, rows, runs);
  const StreamShape shape = shape_of(rows, config.dimension);
  std::vector<TheoremRow> theorems = theorems_on(config.sampler, shape, runs, u);
  set_standard_errors(config.sampler, shape, runs, comparator, rows, theorems);
  return {.name = config.labels.task_names()[task],
          .rounds = rows.x.size(),
          .svm = std::move(svm),
          .u = std::move(u),
          .runs = std::move(runs),
          .theorems = std::move(theorems)};
}

}  // namespace

BoundResult bound(const BoundOptions& options, const JobHooks& hooks) {
  if (options.model.labels.multiclass) {
    throw ConfigError("the theorems are about two labels: leave `multiclass` out");
  }
  if (options.seeds == 0) throw ConfigError("`seeds` 0: must be at least 1");
  InputData data(options.data, hooks);
  data.watch_order();
  Setup setup = set_up(options.model, data);
  const ModelConfig& config = setup.config;
  const SharedLimit& memory = data.memory();
  // Refuses impossible settings before hours of reading.
  make_sampler(config.sampler, {.dimension = config.likely_dimension()});
  if (setup.stream == nullptr) setup.stream = data.open(config);
  FeatureState features(config.features, memory);
  const Dataset dataset = Dataset::read(*setup.stream, config.labels.labelling(*setup.stream), features);
  data.tell_skipped();
  BoundResult result{.sampler = config.sampler,
                     .first_seed = config.seed,
                     .seeds = options.seeds,
                     .svm_c = options.svm_c,
                     .tasks = {},
                     .notes = {}};
  result.stopped = hooks.stopped();
  if (result.stopped) return result;
  if (dataset.size() == 0) throw data.no_example();
  result.notes = data.check(*setup.stream);
  check_norms({{{config.sampler.learner.name, config.sampler}}}, dataset);
  const std::size_t tasks = config.labels.task_names().size();
  for (std::size_t task = 0; task < tasks && !result.stopped; ++task) {
    const auto continues = [&](std::uint64_t runs) {
      if (hooks.progress)
        hooks.progress({.jobs = task * options.seeds + runs, .of_jobs = tasks * options.seeds});
      return !hooks.stopped();
    };
    result.tasks.push_back(
        bounds_of(options, config, task, TaskStream(dataset, task).rows(), memory, continues));
    result.stopped = hooks.stopped();
  }
  return result;
}

}  // namespace askfew
