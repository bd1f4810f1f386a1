#include "askfew/workflows/coverage.h"

#include "askfew/workflows/load.h"
#include "askfew/workflows/setup.h"

namespace askfew {

CoverageResult coverage(const CoverageOptions& options, const JobHooks& hooks) {
  CoveragePlan plan{.sampler = sampler_of(options.sampler),
                    .runs = options.runs,
                    .seed = options.seed,
                    .every = options.every};
  InputData data(options.data, hooks);
  const Dataset dataset = load_data(data, options.labels, options.reading);
  check_norms({{{.name = options.sampler.sampler, .config = plan.sampler}}}, dataset);
  if (dataset.tasks() > 1) throw ConfigError("coverage is of one task: name its labels with `positive`");
  LabelBudget& budget = plan.sampler.spending.budget;
  if (budget.is_set() && budget.horizon == 0) budget.horizon = dataset.size();
  CoverageResult result;
  try {
    result.coverage = interval_coverage(
        dataset, plan, {.threads = options.data.threads, .stop = hooks.stop, .progress = hooks.progress});
  } catch (const JobsStopped&) {
    result.stopped = true;
  }
  return result;
}

}  // namespace askfew
