#pragma once

#include <string>
#include <vector>

#include "askfew/trials/tune_samplers.h"
#include "askfew/workflows/compare.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Parameters of a sampler that are tried on the first examples.
struct TuneOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  std::string sampler = "pa-log";   ///< preset whose parameters are tried
  std::vector<std::string> grid{};  ///< a parameter and its values each, "b=0.1,1,10"; empty: usual_grid
  std::string rate{};               ///< share of the labels at which they are compared; empty: none
  std::string metric = "f1";        ///< that the best has most of: f1 or accuracy
  std::size_t holdout = 2000;       ///< how many examples from the beginning are used; 0: all
  std::size_t runs = 3;             ///< that differ in their coins
  std::uint64_t seed = 1;           ///< of the first run; the others count on
};

struct TuneResult {
  bool stopped = false;      ///< then there is no candidate
  std::vector<Tuned> tuned;  ///< every candidate, the best first
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
TuneResult tune(const TuneOptions& options, const JobHooks& hooks = {});

}  // namespace askfew
