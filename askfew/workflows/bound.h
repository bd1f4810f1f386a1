#pragma once

#include <string>
#include <vector>

#include "askfew/theory/linear_svm.h"
#include "askfew/trials/theorems.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// What the papers' theorems promise of a sampler on a data set, beside what it does.
struct BoundOptions {
  DataOptions data{};
  ModelOptions model{};
  double svm_c = 1;          ///< C of the linear SVM that the theorems compare with
  std::uint64_t seeds = 10;  ///< runs, with the seeds from the model's on
};

/// One task.
struct TaskBounds {
  std::string name;
  std::size_t rounds = 0;
  LinearSvm svm;
  ComparatorOnStream u;
  ObservedRuns runs;
  std::vector<TheoremRow> theorems;  ///< none: the papers have none about this sampler
};

struct BoundResult {
  bool stopped = false;  ///< then tasks are missing
  SamplerConfig sampler;
  std::uint64_t first_seed = 0;
  std::uint64_t seeds = 0;
  double svm_c = 0;
  std::vector<TaskBounds> tasks;
  std::vector<std::string> notes;  ///< what the caller should know about the data, a sentence each
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
BoundResult bound(const BoundOptions& options, const Hooks& hooks = {});

std::string json_of(const BoundResult& result);

}  // namespace askfew
