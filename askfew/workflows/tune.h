#pragma once

// The command `tune` as a function.

#include <string>
#include <vector>

#include "askfew/trials/tune_samplers.h"
#include "askfew/workflows/compare.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Options to try parameters of a sampler on the first examples.
struct TuneOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  std::string sampler = "pa-log";   ///< preset whose parameters are tried
  std::vector<std::string> grid{};  ///< one parameter with its values per entry, "b=0.1,1,10"; empty:
                                    ///< usual_grid
  std::string rate{};               ///< share of the labels that every candidate may ask, "5%"; needed if the
                                    ///< rule has a scale
  std::string metric = "f1";        ///< the figure to maximise: f1 or accuracy
  std::string aim = "accuracy";     ///< as in SamplerOptions
  std::size_t holdout = 2000;       ///< number of examples from the beginning to use; 0: all
  std::size_t runs = 3;             ///< number of runs with different coins
  std::uint64_t seed = 1;           ///< seed of the first run; further runs count up
};

struct TuneResult {
  bool stopped = false;       ///< true: there are no candidates
  std::vector<JobLeft> left;  ///< the jobs that are not done, if it was stopped
  std::vector<Tuned> tuned;   ///< every candidate, the best first; those that fail come last
  std::size_t labels = 0;     ///< number of labels that the choice has used: all those of the first examples
};

/// THROWS: ConfigError, FileError, DataError, MemoryError, NumericError. The last two errors of a candidate
/// end the search only if every candidate fails; else the hooks get a sentence about each that fails.
TuneResult tune(const TuneOptions& options, const JobHooks& hooks = {});
/// The same with data that `load_data` has loaded by these options.
TuneResult tune(const Dataset& dataset, const TuneOptions& options, const JobHooks& hooks = {});

/// Every candidate, for programs.
std::string json_of(const TuneResult& result);

}  // namespace askfew
