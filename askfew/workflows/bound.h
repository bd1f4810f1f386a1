#pragma once

#include <string>
#include <vector>

#include "askfew/theory/linear_svm.h"
#include "askfew/trials/theorems.h"
#include "askfew/workflows/compare.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// The bounds of the papers' theorems for a sampler on a data set, next to its real results.
struct BoundOptions {
  DataOptions data{};
  ModelOptions model{};
  double svm_c = 1;          ///< C of the linear SVM that the theorems compare with
  std::uint64_t seeds = 10;  ///< number of runs; seeds count up from the model's seed
};

/// The bounds for one task.
struct TaskBounds {
  std::string name;
  std::size_t rounds = 0;
  LinearSvm svm;
  ComparatorOnStream u;
  ObservedRuns runs;
  std::vector<TheoremRow> theorems;  ///< empty: no theorem covers this sampler
};

struct BoundResult {
  bool stopped = false;  ///< true: tasks or runs are missing
  SamplerConfig sampler;
  std::uint64_t first_seed = 0;
  std::uint64_t seeds = 0;
  double svm_c = 0;
  std::vector<TaskBounds> tasks;
  std::vector<std::string> notes;  ///< facts about the data that the caller should know, one sentence each
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
BoundResult bound(const BoundOptions& options, const JobHooks& hooks = {});

std::string json_of(const BoundResult& result);

}  // namespace askfew
