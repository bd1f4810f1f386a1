#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/models/round_loop.h"
#include "askfew/streams/stream.h"

// Threads: a run needs exclusive access to its stream and its tasks; many runs may be active at the same
// time. A run starts the threads that its options allow. Callbacks run on the caller's thread, unless the
// option says otherwise.

namespace askfew {

class Batch;

struct RunLoopOptions {
  // For a stream; a batch has its own.
  FeatureState* features = nullptr;  ///< if not null, settles the instances before they are learned
  bool unit_norm = false;            ///< refuse instances with a norm other than 1 or 0
  bool timed = false;                ///< budgets depend on the time of the examples

  unsigned threads = 1;           ///< tasks are divided among threads; the results do not depend on the
                                  ///< number
  std::vector<TaskSet> beside{};  ///< further tasks that run over the same examples; not traced
  /// Called at rounds 1, 2, 4, 8, ... of this run, at the multiples of `pause` and every few hundred rounds
  /// in between. No task is running during the call: the callback may read and save the tasks.
  std::function<void(std::uint64_t rounds)> progress;
  std::uint64_t pause = 0;  ///< 0: no pauses
  /// Called for every round, in order; within a round for every task, in order; once for all classes
  /// together.
  std::function<void(std::size_t task, const Round&)> trace;
  /// Called before the rounds of each instance are traced, with its id; empty if the data has none.
  std::function<void(std::string_view id)> trace_id{};
  /// Called after every round of a task that decides for itself, on the thread of that task. Rounds of one
  /// task come in order; rounds of different tasks may come at the same time.
  std::function<void(std::size_t task, const FeatureView& x, const Round&)> observe;
  std::uint64_t* opened = nullptr;  ///< if not null: counts the instances with an asked label
  /// Set from outside to end the run after the current batch.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs a labelled stream through the tasks and returns the number of rounds. Labels are revealed only when
/// asked. THROWS: NumericError or MemoryError, the first by round and task.
tl::expected<std::uint64_t, ParseError> run_loop(Stream& stream, const Labelling& labelling, TaskSet tasks,
                                                 const RunLoopOptions& options);
/// The same for the rest of a batch's source.
tl::expected<std::uint64_t, ParseError> run_loop(Batch& batch, TaskSet tasks, const RunLoopOptions& options);

}  // namespace askfew
