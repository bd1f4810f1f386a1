#include "askfew/trials/tune_samplers.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/core/shuffled.h"
#include "askfew/trials/failures.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string with_param(const std::string& preset, const std::string& param, const std::string& value) {
  return fmt::format("{}{}{}={}", preset, preset.find(':') == std::string::npos ? ':' : ',', param, value);
}

bool is_tunable(const ParamEntry& param) {
  return param.range.choices.empty() && !param.range.integral && param.standard > 0 && param.range.high > 1;
}

GridAxis around(const std::string& name, const ParamEntry& param) {
  GridAxis axis{.param = name, .values = {}};
  for (const double factor : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const double value = factor * param.standard;
    if (param.range.contains(value)) axis.values.push_back(fmt::format("{:g}", value));
  }
  return axis;
}

json measure(const Dataset& data, const TunePlan& plan, const NamedSampler& candidate,
             const std::shared_ptr<MemoryLimit>& memory) {
  const std::size_t size = plan.holdout == 0 ? data.size() : std::min(data.size(), plan.holdout);
  const std::vector<std::uint32_t> rows = in_order(size);
  const SamplerConfig config = with_budget(candidate.config, plan.rate, size);
  return outcome_of([&] {
    return means_of_runs(
        plan.runs, [&](std::uint64_t k) { return run_tasks(data, rows, config, plan.seed + k, memory); });
  });
}

}  // namespace

GridAxis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  GridAxis axis{.param = text.substr(0, equals), .values = {}};
  if (equals != std::string::npos) {
    std::size_t begin = equals + 1;
    for (std::size_t comma = begin; comma != std::string::npos; begin = comma + 1) {
      comma = text.find(',', begin);
      axis.values.push_back(text.substr(begin, comma - begin));
      if (comma == std::string::npos) break;
    }
  }
  const bool gap =
      std::any_of(axis.values.begin(), axis.values.end(), [](const auto& v) { return v.empty(); });
  if (axis.param.empty() || axis.values.empty() || gap) {
    throw ConfigError(
        fmt::format("{} is not an axis of a grid, accepted: PARAMETER=VALUE,VALUE,...", in_quotes(text)));
  }
  std::vector<std::string> sorted = axis.values;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw ConfigError(fmt::format("{} has the value {} twice", in_quotes(text), *twice));
  }
  return axis;
}

std::vector<NamedSampler> grid_of(const std::string& preset, const std::vector<GridAxis>& axes) {
  std::vector<std::string> specs{preset};
  for (const GridAxis& axis : axes) {
    std::vector<std::string> longer;
    for (const std::string& spec : specs) {
      for (const std::string& value : axis.values) longer.push_back(with_param(spec, axis.param, value));
    }
    specs = std::move(longer);
  }
  std::vector<NamedSampler> samplers;
  for (const std::string& spec : specs) samplers.push_back({spec, parse_preset(spec)});
  return samplers;
}

std::vector<GridAxis> usual_grid(const std::string& preset) {
  const SamplerConfig config = parse_preset(preset);
  const std::vector<LearnerEntry>& learners = learner_entries();
  std::vector<GridAxis> axes;
  for (const ParamEntry& param : entry_named(learners, config.learner.name, "learner").params) {
    if (is_tunable(param)) axes.push_back(around("learner." + param.name, param));
  }
  return axes;
}

std::vector<Tuned> tune_samplers(const Dataset& data, const TunePlan& plan, const JobsOptions& options) {
  std::vector<Job> jobs;
  for (const NamedSampler& candidate : plan.candidates) {
    jobs.push_back({.key = fmt::format("tune {} {} {} {} {}", candidate.name, plan.rate, plan.holdout,
                                       plan.runs, plan.seed),
                    .work = [&] {
                      return measure(data, plan, candidate, options.memory_of_job(plan.candidates.size()));
                    }});
  }
  const std::vector<json> results = run_jobs(jobs, options);
  expect_success(results, [&](std::size_t k) { return plan.candidates[k].name; });
  std::vector<Tuned> tuned;
  for (std::size_t k = 0; k < results.size(); ++k) {
    tuned.push_back({.sampler = plan.candidates[k], .failure = failure_of(results[k])});
    if (tuned[k].fails()) continue;
    const auto sample = [&](std::string_view name) {
      return sample_of(results[k].at(std::string(name)).get<std::vector<double>>());
    };
    tuned[k].share = sample("share");
    tuned[k].f1 = sample("f1");
    tuned[k].accuracy = sample("accuracy");
  }
  return tuned;
}

}  // namespace askfew
