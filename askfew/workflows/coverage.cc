#include "askfew/workflows/coverage.h"

#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/workflows/load.h"
#include "askfew/workflows/setup.h"

namespace askfew {
namespace {

using nlohmann::json;

CoveragePlan plan_of(const CoverageOptions& options) {
  if (options.runs == 0) throw ConfigError("`runs` is 0, expected at least 1");
  return {.sampler = sampler_of(options.sampler),
          .runs = options.runs,
          .seed = options.seed,
          .every = options.every};
}

json json_of(const Covered& covered) {
  return {{"at_end", covered.at_end}, {"always", covered.always}, {"width", covered.width}};
}

}  // namespace

CoverageResult coverage(const CoverageOptions& options, const JobHooks& hooks) {
  static_cast<void>(plan_of(options));  // refuses impossible options before the data is read
  InputData data(options.data, hooks);
  return coverage(load_data(data, options), options, hooks);
}

CoverageResult coverage(const Dataset& dataset, const CoverageOptions& options, const JobHooks& hooks) {
  CoveragePlan plan = plan_of(options);
  check_norms({{{.name = options.sampler.sampler, .config = plan.sampler}}}, dataset);
  if (dataset.tasks() > 1) throw ConfigError("coverage is of one task: name its labels with `positive`");
  LabelBudget& budget = plan.sampler.spending.budget;
  if (budget.is_set() && budget.horizon == 0) budget.horizon = dataset.size();
  CoverageResult result;
  try {
    result.coverage = interval_coverage(dataset, plan, hooks.jobs(options.data));
  } catch (const JobsStopped& stopped) {
    result.stopped = true;
    result.left = stopped.left();
  }
  return result;
}

std::string json_of(const CoverageResult& result) {
  const Coverage& found = result.coverage;
  return json_text(json{{"error", json_of(found.error)},
                        {"precision", json_of(found.precision)},
                        {"recall", json_of(found.recall)},
                        {"f1", json_of(found.f1)},
                        {"recent_error", json_of(found.recent_error)},
                        {"recent_f1", json_of(found.recent_f1)},
                        {"share", found.share},
                        {"true_error", found.true_error},
                        {"true_f1", found.true_f1}},
                   2);
}

}  // namespace askfew
