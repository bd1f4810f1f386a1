#pragma once

// The command `predict` as a function.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

/// A model's prediction for one instance.
struct Prediction {
  /// One task: 1 for positive, 0 for negative. Classes: the class. One task per label: the positive tasks,
  /// the largest margin first.
  std::vector<std::size_t> labels;
  /// One margin per label; for a class, the difference between its margin and the second largest.
  std::vector<double> margins;
  /// One per label, calibrated on the labels that were asked: that the label is right; 0 to 1. Nothing: too
  /// few labels were asked.
  std::vector<std::optional<double>> probabilities;
  std::string_view id;       ///< the name of the instance in its data, during the call; empty: it has none
  std::uint64_t number = 0;  ///< of the instance, from 1
};

struct PredictHooks : Hooks {
  /// Called for every prediction, in the order of the data. The model has the names of the labels.
  std::function<void(const Model&, const Prediction&)> predicted{};
  /// Called when all instances received so far are predicted: the caller should flush the predictions.
  /// Returns whether to continue.
  std::function<bool()> caught_up{};
};

struct PredictResult {
  std::uint64_t instances = 0;
  std::uint64_t skipped = 0;  ///< malformed examples that were skipped
  bool stopped = false;
  std::vector<std::string> notes;  ///< facts about the data that the caller should know, one sentence each
  std::string no_probabilities;    ///< why predictions have no probabilities; empty: they have
};

/// THROWS: ConfigError, FileError, ModelError, DataError; NumericError, MemoryError.
PredictResult predict(const PredictOptions& options, const PredictHooks& hooks);

}  // namespace askfew
