#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "askfew/reports/page.h"
#include "askfew/trials/jobs.h"

namespace askfew {

/// What an experiment is run with.
struct ExperimentContext {
  std::string data;    ///< the folder of the data sets
  std::string work;    ///< a folder for what is unpacked or kept
  bool quick = false;  ///< a small version in seconds, on less data and fewer runs
  std::uint64_t seed = 1;
  JobsOptions jobs;
};

/// What came out of it.
struct ExperimentReport {
  Page page;
  nlohmann::json figures;  ///< every number that the page shows, for programs
};

/// A paper's experiments, which one command runs.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::string_view data;  ///< the data sets that it needs, as `askfew data list` names them
  /// THROWS: FileError for data that is not there, JobsStopped, and what the samplers throw.
  ExperimentReport (*run)(const ExperimentContext& context);
};

/// In the order of the papers.
std::span<const Experiment> all_experiments();

}  // namespace askfew
