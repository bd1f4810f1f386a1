#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/core/shared_work.h"
#include "askfew/features/feature_state.h"
#include "askfew/metrics/confusion.h"
#include "askfew/metrics/trace.h"
#include "askfew/protocol/any_sampler.h"
#include "askfew/protocol/labelling.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// One binary task of a run: a sampler, and its predictions against the truth.
struct Task {
  std::string name;
  std::size_t label = 0;  ///< which of the labelling's labels it predicts
  std::unique_ptr<AnySampler> sampler;
  Confusion confusion;
  std::shared_ptr<SharedWork> shared;  ///< with the tasks beside it that have the same; none: it works alone
};

struct RunOptions {
  FeatureState* features = nullptr;  ///< which settles the instances before they are learned, if there is one
  bool unit_norm = false;            ///< refuse instances of another norm than 1 (or 0)
  unsigned threads = 1;              ///< tasks are shared out over them; the results do not depend on it
  /// Called at rounds 1, 2, 4, 8, ... of this run, at the multiples of `pause` and every few hundred rounds
  /// in between, while no task is at work: it may look at them and save them.
  std::function<void(std::uint64_t rounds)> progress;
  std::uint64_t pause = 0;  ///< 0: none
  /// Called for every decision, rounds in order and tasks in order within a round.
  std::function<void(const TraceRow&)> trace;
  /// Set from outside to end the run after the batch at hand.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs a labelled stream through the tasks, labels revealed only where they are asked, and returns the
/// number of rounds. THROWS: NumericError, MemoryError.
tl::expected<std::uint64_t, ParseError> run(Stream& stream, const Labelling& labelling,
                                            std::vector<Task>& tasks, const RunOptions& options);

}  // namespace askfew
