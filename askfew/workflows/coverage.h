#pragma once

#include <string>

#include "askfew/trials/interval_coverage.h"
#include "askfew/workflows/compare.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Many runs of an audited sampler: how often do its intervals contain the true value?
struct CoverageOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  SamplerOptions sampler{.sampler = "sel-p", .audit = "1%"};  ///< a preset and its spending
  std::size_t runs = 200;                                     ///< number of runs with different coins
  std::uint64_t seed = 1;                                     ///< seed of the first run; further runs count
                                                              ///< up
  std::uint64_t every = 50;                                   ///< rounds between two checks of the intervals
};

struct CoverageResult {
  bool stopped = false;       ///< true: there is no result
  std::vector<JobLeft> left;  ///< the jobs that are not done, if it was stopped
  Coverage coverage{};
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
CoverageResult coverage(const CoverageOptions& options, const JobHooks& hooks = {});
/// The same with data that `load_data` has loaded by these options.
CoverageResult coverage(const Dataset& dataset, const CoverageOptions& options, const JobHooks& hooks = {});

/// Every figure, for programs.
std::string json_of(const CoverageResult& result);

}  // namespace askfew
