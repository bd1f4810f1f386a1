#include "papers/monteleoni_2007/tuning.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace askfew::monteleoni_2007 {
namespace {

using nlohmann::json;

// Up to a wait with which DKM asks so long that every fold reaches its threshold.
constexpr std::array waits{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr std::array scales{0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07,
                            0.1,   0.15,  0.2,   0.3,  0.5,  1.0,  2.0};

json try_setting(const Problem& problem, const SamplerConfig& sampler, const Sizes& sizes,
                 std::uint64_t seed) {
  std::size_t not_reached = 0;
  std::size_t reached = 0;
  double sum = 0;
  for (std::size_t fold = 0; fold < sizes.folds; ++fold) {
    const HeldOutCurve curve = curve_of(problem, problem.tuning, sampler, {seed, 0, fold, sizes.folds},
                                        {.error = problem.paper->threshold});
    const auto labels = curve.labels_to_reach(problem.paper->threshold);
    not_reached += labels ? 0U : 1U;
    reached += labels ? 1U : 0U;
    sum += static_cast<double>(labels.value_or(0));
  }
  return {{"not_reached", not_reached}, {"labels", reached == 0 ? 0 : sum / static_cast<double>(reached)}};
}

}  // namespace

std::vector<SamplerConfig> settings_of(Algorithm algorithm) {
  const std::string_view preset = names[algorithm].preset;
  std::vector<SamplerConfig> settings;
  const auto add = [&](const std::string& params) {
    settings.push_back(parse_preset(fmt::format("{}:{}", preset, params)));
  };
  switch (algorithm) {
    case dkm2:
    case dkm_perc:  // learning rate 1: the paper tunes it for a Perceptron that asks for every label, before
                    // R
      for (const int R : waits) add(fmt::format("R={}", R));
      break;
    case cbgz_dkm:
    case cbgz_perc:  // from w = 0, learning rate r with b equals rate 1 with b/r
      for (const double b : scales) add(fmt::format("b={}", b));
      break;
    default:  // from w = 0, the learning rate changes no prediction
      add("q=0.5");
  }
  return settings;
}

std::size_t best_of(std::span<const Tried> tried) {
  const auto best = std::min_element(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) {
    return a.not_reached != b.not_reached ? a.not_reached < b.not_reached : a.labels < b.labels;
  });
  return static_cast<std::size_t>(best - tried.begin());
}

std::vector<std::array<SamplerConfig, algorithms>> tune(std::span<const Problem> problems, const Sizes& sizes,
                                                        std::uint64_t seed, const JobsOptions& options) {
  std::vector<Job> jobs;
  for (const Problem& problem : problems) {
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
      const auto settings = settings_of(static_cast<Algorithm>(algorithm));
      if (settings.size() == 1) continue;
      for (const SamplerConfig& setting : settings) {
        jobs.push_back({.key = fmt::format("tune {} {} + {}, {} folds of {}, seed {}", problem.paper->name,
                                           text_of(setting.learner), text_of(setting.rule), sizes.folds,
                                           problem.tuning.size(), seed),
                        .work = [&, setting] { return try_setting(problem, setting, sizes, seed); }});
      }
    }
  }
  const std::vector<json> results = run_jobs(jobs, options);
  auto result = results.begin();
  std::vector<std::array<SamplerConfig, algorithms>> tuned(problems.size());
  for (auto& samplers : tuned) {
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
      const auto settings = settings_of(static_cast<Algorithm>(algorithm));
      std::vector<Tried> tried(settings.size());
      for (std::size_t k = 0; settings.size() > 1 && k < settings.size(); ++k, ++result) {
        tried[k] = {(*result)["not_reached"], (*result)["labels"]};
      }
      samplers[algorithm] = settings[best_of(tried)];
    }
  }
  return tuned;
}

}  // namespace askfew::monteleoni_2007
