#pragma once

// The command `compare` as a function.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "askfew/trials/compare_samplers.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// The callbacks of a workflow with many jobs.
struct JobHooks : Hooks {
  /// Called after each job, by one thread at a time.
  std::function<void(const JobsDone&)> progress{};
  Results* results = nullptr;                   ///< where finished jobs are kept, and found again
  const std::set<std::string>* only = nullptr;  ///< as in JobsOptions

  [[nodiscard]] JobsOptions jobs(const DataOptions& data) const {
    return {.threads = data.threads,
            .results = results,
            .only = only,
            .stop = stop,
            .progress = progress,
            .max_memory = data.max_memory};
  }
};

/// Samplers at given shares of labels, several runs each.
struct CompareOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  /// Presets, separated by commas; a piece like `b=0.5` belongs to the preset before:
  /// "sel-p:rate=2,b=0.5,sel-2nd".
  std::string samplers = "auto,pa-log,sel-p,sel-p-fixed";
  std::string rates = "1%,2%,5%,10%,20%,50%,100%";  ///< shares of the labels
  std::string aim = "accuracy";                     ///< as in SamplerOptions, for all samplers
  std::size_t runs = 5;                             ///< number of runs with different coins
  std::uint64_t seed = 1;                           ///< seed of the first run; further runs count up
  bool shuffle = false;                             ///< every run uses another order of the data
};

struct CompareResult {
  bool stopped = false;       ///< true: there are no points
  std::vector<JobLeft> left;  ///< the jobs that are not done, if it was stopped
  std::vector<std::string> samplers;
  std::vector<double> rates;         ///< ascending
  std::vector<ComparePoint> points;  ///< sampler by sampler, rate by rate
  std::string data;                  ///< name of the data, for people
  std::size_t examples = 0;
  std::size_t tasks = 0;  ///< number of tasks; scores are means over the tasks
  std::size_t runs = 0;   ///< of each point; a single run has neither deviation nor interval
};

/// Did the sampler come near the wanted share? If not, its scores belong to another share.
bool reaches_share(const ComparePoint& point);

/// Samplers that differ only in the scale that the share sets are one: their names are joined. THROWS:
/// ConfigError, FileError, DataError, MemoryError, NumericError. The last two errors of a sampler end the
/// comparison only if every sampler fails at every share; else the hooks get a sentence about each sampler
/// that fails.
CompareResult compare(const CompareOptions& options, const JobHooks& hooks = {});
/// The same with data that `load_data` has loaded by these options.
CompareResult compare(const Dataset& dataset, const CompareOptions& options, const JobHooks& hooks = {});

/// Every point, for programs.
std::string json_of(const CompareResult& result);

}  // namespace askfew
