#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "askfew/models/final_classifier.h"
#include "askfew/models/model.h"
#include "askfew/workflows/control.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"
#include "askfew/workflows/summary.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// A run over a labelled stream; labels are revealed only where the sampler asks for them.
struct RunOptions {
  DataOptions data{};
  ModelOptions model{};            ///< of a new model
  std::string resume{};            ///< go on from this model file, with its sampler, seed and labels
  std::string model_path{};        ///< where `save_every` writes the model
  std::uint64_t save_every = 0;    ///< write the model whenever this many rounds are done; 0: never
  std::string final_classifier{};  ///< last, average or penalized: which classifier of the run is the model
  double delta = 0.05;             ///< the bound on its risk holds with probability 1 - delta
  bool baseline = false;           ///< run the same learner beside it, asking for every label
  bool control = false;            ///< run the same learner beside it with the same budget, asking at random
};

/// A change that was noticed in a task.
struct TaskChange {
  std::string task;
  Change change;
};

/// How far a run is.
struct RunProgress {
  std::uint64_t rounds = 0;           ///< of this run
  Totals totals{};                    ///< of the model
  std::size_t tasks = 1;              ///< of the model, classes among them
  std::vector<TaskChange> changes{};  ///< noticed since the last report
};

/// A model that is on disk while the run goes on.
struct SavedModel {
  std::string path;
  std::uint64_t round = 0;  ///< of the model
};

struct RunHooks : Hooks {
  /// At rounds 1, 2, 4, 8, ..., at the multiples of `save_every`, and every few hundred rounds in between.
  std::function<void(const RunProgress&)> progress{};
  /// Every round, in order, and the tasks in order within a round; once for all classes. It makes every
  /// margin and probability exact.
  std::function<void(const Model&, std::size_t task, const Round&)> trace{};
  /// `save_every` has written the model.
  std::function<void(const SavedModel&)> saved{};
};

/// What the tasks ended with instead of their last hypotheses.
struct FinalResult {
  FinalChoice choice = FinalChoice::last;
  double delta = 0;
  std::vector<FinalClassifier> tasks;
};

struct RunResult {
  Model model;                     ///< to be saved, resumed, or predicted with
  ModelSummary summary;            ///< what it has done, in all
  std::uint64_t rounds = 0;        ///< of this run, without those before a resume
  std::uint64_t skipped = 0;       ///< malformed examples that were left out
  double seconds = 0;              ///< of the rounds
  bool stopped = false;            ///< `stop` ended it; then there may be no round at all
  std::vector<std::string> notes;  ///< what the caller should know about the data, a sentence each
  /// What a budget would have been planned with and was not known: that of a file is counted first. Or empty.
  std::string unknown;
  std::optional<ModelSummary> baseline;
  std::optional<ControlResult> control;
  std::optional<FinalResult> final_classifier;
};

/// Refuses options that contradict each other, as `run` does: for a caller that opens files first.
/// THROWS: ConfigError.
void check(const RunOptions& options);

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError, ModelError.
RunResult run(const RunOptions& options, const RunHooks& hooks = {});

/// The results for programs: totals of every task and of all, estimates, the budget, speed.
std::string json_of(const RunResult& result);

}  // namespace askfew
