#pragma once

// Compares samplers at given shares of labels.

#include <functional>
#include <string>
#include <vector>

#include "askfew/trials/dataset.h"
#include "askfew/trials/jobs.h"
#include "askfew/trials/statistics.h"
#include "askfew/trials/trial.h"

namespace askfew {

/// A sampler with its usual name.
struct NamedSampler {
  std::string name;
  SamplerConfig config;
};

/// Samplers at given shares of labels, several runs each.
struct ComparePlan {
  std::vector<NamedSampler> samplers;
  std::vector<double> rates;  ///< shares in (0, 1]; at 1 a sampler asks for every label
  std::size_t runs = 5;
  std::uint64_t seed = 1;  ///< seed of the first run; further runs count up
  bool shuffle = false;    ///< every run uses its own order of the data
};

/// One sampler at one share.
struct ComparePoint {
  std::string sampler;
  double rate = 0;       ///< the wanted share
  std::string settings;  ///< learner and rule
  std::string failure;   ///< why the sampler failed, and has no figures; empty: it did not
  Sample share;          ///< the share of labels asked
  Sample f1;             ///< mean over the tasks
  Sample accuracy;

  [[nodiscard]] bool fails() const { return !failure.empty(); }
};

/// All tasks of a data set with one sampler: the share of labels, and means over the tasks.
struct RunMeans {
  double share = 0;
  double f1 = 0;
  double accuracy = 0;
};
RunMeans run_tasks(const Dataset& data, std::span<const std::uint32_t> rows, const SamplerConfig& sampler,
                   std::uint64_t seed, const std::shared_ptr<MemoryLimit>& memory = nullptr);

/// The sampler with a budget of this share of the rounds, which steers the scale of its rule during the run.
/// A rule without a scale stays as it is, because nothing can steer it.
SamplerConfig with_budget(SamplerConfig sampler, double share, std::size_t rounds);

/// The means of runs 0, 1, ..., as JSON: lists `share`, `f1` and `accuracy`.
nlohmann::json means_of_runs(std::size_t runs, const std::function<RunMeans(std::uint64_t run)>& run);

/// Points in the plan's order, sampler by sampler. A budget steers every sampler to its share; the runs
/// differ in their coins. A sampler that fails has points with its failure. THROWS: ConfigError, as
/// `run_jobs`; as `run_trial` if all samplers fail at all shares.
std::vector<ComparePoint> compare_samplers(const Dataset& data, const ComparePlan& plan,
                                           const JobsOptions& options);

}  // namespace askfew
