#include "askfew/trials/compare_samplers.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/share.h"
#include "askfew/core/shuffled.h"
#include "askfew/trials/failures.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string settings_of(const SamplerConfig& sampler) {
  return fmt::format("{} + {}", text_of(sampler.learner), text_of(sampler.rule));
}

json measure(const Dataset& data, const ComparePlan& plan, const NamedSampler& sampler, double rate,
             const std::shared_ptr<MemoryLimit>& memory) {
  const auto run = [&](const SamplerConfig& config, std::uint64_t k) {
    const auto rows = plan.shuffle ? shuffled(data.size(), plan.seed, k) : in_order(data.size());
    return run_tasks(data, rows, config, plan.seed + k, memory);
  };
  SamplerConfig config = sampler.config;
  if (rate >= 1) {
    config.rule = parse_rule("always");
  } else {
    config = with_budget(config, rate, data.size());
  }
  json result =
      outcome_of([&] { return means_of_runs(plan.runs, [&](std::uint64_t k) { return run(config, k); }); });
  result["settings"] = settings_of(config);
  return result;
}

Sample sample_of_json(const json& values) {
  return sample_of(values.get<std::vector<double>>());
}

}  // namespace

SamplerConfig with_budget(SamplerConfig sampler, double share, std::size_t rounds) {
  const std::vector<RuleEntry>& rules = rule_entries();
  if (entry_named(rules, sampler.rule.name, "rule").info.scale.empty()) return sampler;
  sampler.spending.budget.kind = LabelBudget::Kind::share;
  sampler.spending.budget.amount = share;
  sampler.spending.budget.horizon = rounds;
  return sampler;
}

RunMeans run_tasks(const Dataset& data, std::span<const std::uint32_t> rows, const SamplerConfig& sampler,
                   std::uint64_t seed, const std::shared_ptr<MemoryLimit>& memory) {
  RunMeans means;
  const auto tasks = static_cast<double>(data.tasks());
  for (std::size_t task = 0; task < data.tasks(); ++task) {
    const Standing end =
        run_trial(data, rows, {.sampler = sampler, .seed = seed, .task = task, .memory = memory});
    means.share += end.share() / tasks;
    means.f1 += end.confusion.f1() / tasks;
    means.accuracy += end.confusion.accuracy() / tasks;
  }
  return means;
}

json means_of_runs(std::size_t runs, const std::function<RunMeans(std::uint64_t run)>& run) {
  json outcomes;
  for (std::uint64_t k = 0; k < runs; ++k) {
    const RunMeans means = run(k);
    outcomes["share"].push_back(means.share);
    outcomes["f1"].push_back(means.f1);
    outcomes["accuracy"].push_back(means.accuracy);
  }
  return outcomes;
}

std::vector<ComparePoint> compare_samplers(const Dataset& data, const ComparePlan& plan,
                                           const JobsOptions& options) {
  std::vector<Job> jobs;
  std::vector<ComparePoint> points;
  const std::size_t count = plan.samplers.size() * plan.rates.size();
  for (const NamedSampler& sampler : plan.samplers) {
    for (const double rate : plan.rates) {
      points.push_back({.sampler = sampler.name, .rate = rate});
      jobs.push_back(
          {.key = fmt::format("compare {} {} {} {} {}", settings_of(sampler.config),
                              text_of(sampler.config.update), rate, plan.runs, plan.seed),
           .cost = 1 + 10 * rate,
           .work = [&, rate] { return measure(data, plan, sampler, rate, options.memory_of_job(count)); }});
    }
  }
  const std::vector<json> results = run_jobs(jobs, options);
  expect_success(results, [&](std::size_t k) {
    return fmt::format("{} at {}", points[k].sampler, text_of_share(points[k].rate));
  });
  for (std::size_t k = 0; k < points.size(); ++k) {
    points[k].settings = results[k].at("settings").get<std::string>();
    points[k].failure = failure_of(results[k]);
    if (points[k].fails()) continue;
    points[k].share = sample_of_json(results[k].at("share"));
    points[k].f1 = sample_of_json(results[k].at("f1"));
    points[k].accuracy = sample_of_json(results[k].at("accuracy"));
  }
  return points;
}

}  // namespace askfew
