#include "askfew/workflows/tune.h"

#include <algorithm>

#include "askfew/config/share.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/load.h"

namespace askfew {
namespace {

TunePlan plan_of(const TuneOptions& options) {
  TunePlan plan{.candidates = {}, .holdout = options.holdout, .runs = options.runs, .seed = options.seed};
  if (!options.rate.empty()) plan.rate = parse_share(options.rate);
  std::vector<GridAxis> axes;
  for (const std::string& text : options.grid) axes.push_back(parse_axis(text));
  if (axes.empty()) axes = usual_grid(options.sampler, !plan.rate);
  plan.candidates = grid_of(options.sampler, axes);
  for (auto& candidate : plan.candidates) candidate.config.aim = parse_aim(options.aim);
  return plan;
}

}  // namespace

TuneResult tune(const TuneOptions& options, const JobHooks& hooks) {
  const auto metric =
      choice<Sample Tuned::*>("metric", options.metric, {{"f1", &Tuned::f1}, {"accuracy", &Tuned::accuracy}});
  const TunePlan plan = plan_of(options);
  InputData data(options.data, hooks);
  const Dataset dataset = load_data(data, options.labels, options.reading);
  check_norms(plan.candidates, dataset);
  TuneResult result;
  try {
    result.tuned = tune_samplers(
        dataset, plan, {.threads = options.data.threads, .stop = hooks.stop, .progress = hooks.progress});
  } catch (const JobsStopped&) {
    result.stopped = true;
  }
  std::stable_sort(result.tuned.begin(), result.tuned.end(),
                   [&](const Tuned& a, const Tuned& b) { return (a.*metric).mean > (b.*metric).mean; });
  return result;
}

}  // namespace askfew
