#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/models/final_classifier.h"
#include "askfew/models/model.h"
#include "askfew/workflows/control.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"
#include "askfew/workflows/summary.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// A run over a labelled stream; labels are revealed only when the sampler asks for them.
struct RunOptions {
  DataOptions data{};
  ModelOptions model{};            ///< for a new model
  std::string resume{};            ///< continue from this model file, with its sampler, seed and labels
  std::string model_path{};        ///< where `save_every` writes the model
  std::uint64_t save_every = 0;    ///< write the model every so many rounds; 0: never
  std::string final_classifier{};  ///< last, average or penalized: the classifier of the run that becomes the
                                   ///< model
  double delta = 0.05;             ///< the bound on its risk holds with probability 1 - delta
  bool baseline = false;           ///< also run the same learner asking for every label
  bool control = false;            ///< also run the same learner with the same budget, asking at random
};

/// A change that was noticed in a task.
struct TaskChange {
  std::string task;
  Change change;
};

/// The progress of a run.
struct RunProgress {
  std::uint64_t rounds = 0;           ///< rounds of this run
  Totals totals{};                    ///< totals of the model
  std::size_t tasks = 1;              ///< number of tasks of the model, counting classes
  std::vector<TaskChange> changes{};  ///< noticed since the last report
};

/// A model that was saved during the run.
struct SavedModel {
  std::string path;
  std::uint64_t round = 0;  ///< round of the model
};

struct RunHooks : Hooks {
  /// Called at rounds 1, 2, 4, 8, ..., at the multiples of `save_every`, and every few hundred rounds in
  /// between.
  std::function<void(const RunProgress&)> progress{};
  /// Called for every round, in order, and for the tasks in order within a round; once for all classes. With
  /// this callback every margin and probability is exact.
  std::function<void(const Model&, std::size_t task, const Round&)> trace{};
  /// Called before the rounds of each instance are traced, with its id; empty if the data has none.
  std::function<void(std::string_view id)> trace_id{};
  /// A fact that the caller should know before the first round, one sentence.
  std::function<void(const std::string& fact)> note{};
  /// `save_every` has written the model.
  std::function<void(const SavedModel&)> saved{};
};

/// The final classifiers of the tasks, which replace their last hypotheses.
struct FinalResult {
  FinalChoice choice = FinalChoice::last;
  double delta = 0;
  std::vector<FinalClassifier> tasks;
};

struct RunResult {
  Model model;                     ///< to save, resume, or predict with
  ModelSummary summary;            ///< the results of the model since its first round
  std::uint64_t rounds = 0;        ///< rounds of this run, without those before a resume
  std::uint64_t skipped = 0;       ///< malformed examples that were skipped
  double seconds = 0;              ///< time for the rounds
  bool stopped = false;            ///< `stop` ended the run; then there may be no round at all
  std::vector<std::string> notes;  ///< facts about the data that the caller should know, one sentence each
  InputSummary input;              ///< how the data was read
  /// The fact that planning a budget needs and that was unknown (a file is counted first); empty: none.
  std::string unknown;
  std::optional<ModelSummary> baseline;
  std::optional<ControlResult> control;
  std::optional<FinalResult> final_classifier;
};

/// Refuses options that contradict each other, as `run` does. For a caller that opens files first. THROWS:
/// ConfigError.
void check(const RunOptions& options);

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError, ModelError.
RunResult run(const RunOptions& options, const RunHooks& hooks = {});

/// The results for programs: totals of every task and of all, estimates, the budget, speed.
std::string json_of(const RunResult& result);

}  // namespace askfew
