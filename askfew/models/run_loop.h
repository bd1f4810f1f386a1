#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/models/round_loop.h"
#include "askfew/streams/stream.h"

// Threads: a run needs its stream and its tasks for itself; many runs may go on at the same time. It starts
// the threads that its options allow. What it calls is called by the caller's thread, unless the option says
// otherwise.

namespace askfew {

struct RunLoopOptions {
  FeatureState* features = nullptr;  ///< which settles the instances before they are learned, if there is one
  bool unit_norm = false;            ///< refuse instances of another norm than 1 (or 0)
  bool timed = false;                ///< budgets depend on the time of the examples
  unsigned threads = 1;              ///< tasks are shared out over them; the results do not depend on it
  std::vector<TaskSet> beside{};     ///< others that run over the same stream, and are not traced
  /// Called at rounds 1, 2, 4, 8, ... of this run, at the multiples of `pause` and every few hundred rounds
  /// in between, while no task is at work: it may look at them and save them.
  std::function<void(std::uint64_t rounds)> progress;
  std::uint64_t pause = 0;  ///< 0: none
  /// Called for every round, in order, and for the tasks in order within a round; once for all classes.
  std::function<void(std::size_t task, const Round&)> trace;
  /// Called after every round of a task that decides for itself, on the thread of that task: rounds of one
  /// task come in order, those of different tasks may come at the same time.
  std::function<void(std::size_t task, const FeatureView& x, const Round&)> observe;
  /// Set from outside to end the run after the batch at hand.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs a labelled stream through the tasks, labels revealed only where they are asked, and returns the
/// number of rounds. THROWS: NumericError, MemoryError, the first of them by round and task.
tl::expected<std::uint64_t, ParseError> run_loop(Stream& stream, const Labelling& labelling, TaskSet tasks,
                                                 const RunLoopOptions& options);

}  // namespace askfew
