#pragma once

// One run of a sampler on data in memory.

#include "askfew/catalog/catalog.h"
#include "askfew/estimates/confusion.h"
#include "askfew/trials/dataset.h"
#include "askfew/trials/rows.h"

namespace askfew {

/// The results of a sampler so far.
struct Standing {
  std::uint64_t rounds = 0;
  std::uint64_t asked = 0;
  std::uint64_t updates = 0;
  double expected_asked = 0;  ///< as in Tally
  Confusion confusion;        ///< over every round so far, asked or not

  [[nodiscard]] double share() const {
    return rounds == 0 ? 0 : static_cast<double>(asked) / static_cast<double>(rounds);
  }
};

/// One sampler on one task.
struct Trial {
  SamplerConfig sampler;
  std::uint64_t seed = 1;  ///< seed of the coins
  std::size_t task = 0;
  std::shared_ptr<MemoryLimit> memory{};  ///< null: no limit
};

/// A new task.
Task task_of(const Dataset& data, const Trial& trial, Exactness exactness = Exactness::lazy);

/// Runs a task of a trial over rows of the data, in this order. After each round calls see(round), which
/// returns whether to continue.
template <class See>
void run_rows(const Dataset& data, std::span<const std::uint32_t> rows, std::size_t label, Task& task,
              const See& see) {
  run_rows(
      task, rows.size(),
      [&](std::size_t k) { return std::pair(data.x(rows[k]), data.label(rows[k], label)); },
      [&](std::size_t /*row*/, const FeatureView& /*x*/, const Round& round) { return see(round); });
}

/// Runs a sampler over rows of the data, in this order; labels are revealed only when asked. Returns the
/// results after each of the given numbers of rounds, which must ascend. THROWS: ConfigError, NumericError,
/// MemoryError.
std::vector<Standing> run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial,
                                std::span<const std::uint64_t> after);
/// The same, only at the end.
Standing run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial);

}  // namespace askfew
