#include "askfew/workflows/tune.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/share.h"
#include "askfew/json/json_text.h"
#include "askfew/workflows/choice.h"
#include "askfew/workflows/load.h"

namespace askfew {
namespace {

using nlohmann::json;

Sample Tuned::*metric_of(const TuneOptions& options) {
  return choice<Sample Tuned::*>("metric", options.metric,
                                 {{"f1", &Tuned::f1}, {"accuracy", &Tuned::accuracy}});
}

TunePlan plan_of(const TuneOptions& options) {
  if (options.runs == 0) throw ConfigError("`runs` is 0, expected at least 1");
  TunePlan plan{.candidates = {}, .holdout = options.holdout, .runs = options.runs, .seed = options.seed};
  const std::vector<RuleEntry>& rules = rule_entries();
  const std::string rule = parse_preset(options.sampler).rule.name;
  const std::string scale(entry_named(rules, rule, "rule").info.scale);
  if (!options.rate.empty()) {
    if (scale.empty()) {
      throw ConfigError(fmt::format(
          "rule {} has no scale, so it cannot ask for a `rate` of the labels: leave `rate` out", rule));
    }
    plan.rate = parse_share(options.rate);
  } else if (!scale.empty()) {
    throw ConfigError("`rate` is missing: candidates are compared at one share of the labels, such as 5%");
  }
  std::vector<GridAxis> axes;
  for (const std::string& text : options.grid) axes.push_back(parse_axis(text));
  if (axes.empty()) axes = usual_grid(options.sampler);
  for (const GridAxis& axis : axes) {
    if (!scale.empty() && (axis.param == scale || axis.param == "rule." + scale)) {
      throw ConfigError(fmt::format("`grid` has {}, the scale of rule {}: `rate` sets it", scale, rule));
    }
  }
  plan.candidates = grid_of(options.sampler, axes);
  for (auto& candidate : plan.candidates) candidate.config.aim = parse_aim(options.aim);
  return plan;
}

}  // namespace

TuneResult tune(const TuneOptions& options, const JobHooks& hooks) {
  static_cast<void>(metric_of(options));  // refuses impossible options before the data is read
  static_cast<void>(plan_of(options));
  InputData data(options.data, hooks);
  return tune(load_data(data, options), options, hooks);
}

TuneResult tune(const Dataset& dataset, const TuneOptions& options, const JobHooks& hooks) {
  const auto metric = metric_of(options);
  const TunePlan plan = plan_of(options);
  check_norms(plan.candidates, dataset);
  TuneResult result;
  result.labels = plan.holdout == 0 ? dataset.size() : std::min(dataset.size(), plan.holdout);
  try {
    result.tuned = tune_samplers(dataset, plan, hooks.jobs(options.data));
  } catch (const JobsStopped& stopped) {
    result.stopped = true;
    result.left = stopped.left();
  }
  for (const Tuned& tuned : result.tuned) {
    if (hooks.doubt && tuned.fails()) hooks.doubt(tuned.sampler.name + ": " + tuned.failure);
  }
  std::stable_sort(result.tuned.begin(), result.tuned.end(), [&](const Tuned& a, const Tuned& b) {
    if (a.fails() != b.fails()) return b.fails();
    return (a.*metric).mean > (b.*metric).mean;
  });
  return result;
}

std::string json_of(const TuneResult& result) {
  json all = json::array();
  for (const Tuned& tuned : result.tuned) {
    const SamplerConfig& config = tuned.sampler.config;
    const auto mean = [&](const Sample& sample) { return tuned.fails() ? json() : json(sample.mean); };
    all.push_back({{"sampler", tuned.sampler.name},
                   {"learner", text_of(config.learner)},
                   {"rule", text_of(config.rule)},
                   {"update", text_of(config.update)},
                   {"share", mean(tuned.share)},
                   {"f1", mean(tuned.f1)},
                   {"accuracy", mean(tuned.accuracy)}});
    if (tuned.fails()) all.back()["failure"] = tuned.failure;
  }
  return json_text(all, 2);
}

}  // namespace askfew
