#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "askfew/models/model.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

struct PredictOptions {
  std::string model{};  ///< a model file
  DataOptions data{};   ///< its labels are not used
};

/// What a model predicts for one instance.
struct Prediction {
  /// One task: 1 if it is positive, 0 if not. Classes: the class. One task per label: the tasks that are
  /// positive, the largest margin first.
  std::vector<std::size_t> labels;
  /// One per label: the margin; of a class by how much it is ahead of the second.
  std::vector<double> margins;
};

struct PredictHooks : Hooks {
  /// Every prediction, in the order of the data. The model says what the labels are called.
  std::function<void(const Model&, const Prediction&)> predicted{};
  /// All instances that have come so far are predicted: whoever reads the predictions should have them.
  /// Returns whether to go on.
  std::function<bool()> caught_up{};
};

struct PredictResult {
  std::uint64_t instances = 0;
  std::uint64_t skipped = 0;  ///< malformed ones that were left out
  bool stopped = false;
};

/// THROWS: ConfigError, FileError, ModelError, DataError; NumericError, MemoryError.
PredictResult predict(const PredictOptions& options, const PredictHooks& hooks);

}  // namespace askfew
