#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "askfew/estimates/confusion.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"
#include "askfew/workflows/reliability.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// A model compared with the labels of data that it was not trained on. Nothing is learned.
struct EvaluateOptions {
  std::string model{};  ///< a model file
  DataOptions data{};   ///< with labels
};

/// The figures of a binary task, or of one class against the rest.
struct TaskQuality {
  std::string name;
  Confusion confusion;
  Measured accuracy;
  Measured precision;
  Measured recall;
  Measured f1;
};

/// Precision and recall if all margins above a threshold are positive.
struct OperatingPoint {
  double threshold = 0;
  Measured precision;
  Measured recall;
};

struct EvaluateResult {
  std::uint64_t examples = 0;
  std::uint64_t skipped = 0;  ///< malformed examples
  bool stopped = false;
  std::vector<std::string> notes;
  std::vector<TaskQuality> tasks;  ///< or classes
  bool multiclass = false;
  Measured accuracy;                                     ///< of a single task or of all classes
  std::vector<std::vector<std::uint64_t>> class_counts;  ///< of classes: [truth][prediction]
  std::string positive;                                  ///< of a single task: the names of its labels
  std::string negative;
  std::vector<OperatingPoint> curve;  ///< of a single task: recall rises
  Measured average_precision;         ///< of a single task: the area under the curve
  /// The probabilities of the predictions: of positive labels, or of classes that the prediction is right.
  /// Nothing: too few labels were asked.
  std::optional<Reliability> reliability;
};

struct EvaluateHooks : Hooks {
  /// Called after every block of examples, with the number of examples so far.
  std::function<void(std::uint64_t examples)> progress{};
};

/// THROWS: ConfigError, FileError, ModelError, DataError; NumericError, MemoryError.
EvaluateResult evaluate(const EvaluateOptions& options, const EvaluateHooks& hooks = {});

std::string json_of(const EvaluateResult& result);

}  // namespace askfew
