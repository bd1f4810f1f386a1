#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "askfew/reports/page.h"
#include "askfew/trials/jobs.h"

namespace askfew {

/// The options of an experiment.
struct ExperimentContext {
  std::string data;    ///< the folder of the data sets
  std::string work;    ///< a folder for unpacked archives and finished jobs
  bool quick = false;  ///< less data and fewer runs, for a result within seconds
  std::uint64_t seed = 1;
  JobsOptions jobs;
};

/// The results of an experiment.
struct ExperimentReport {
  Page page;
  nlohmann::json figures;  ///< every number that the page shows, for programs
};

/// The experiments of one paper; `askfew reproduce NAME` runs them.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::string_view data;  ///< the data sets that the experiment reads, as `askfew data list` names them
  /// THROWS: FileError for data that is missing, JobsStopped, and the exceptions of the samplers.
  ExperimentReport (*run)(const ExperimentContext& context);
};

/// In chronological order of the papers.
std::span<const Experiment> all_experiments();

}  // namespace askfew
