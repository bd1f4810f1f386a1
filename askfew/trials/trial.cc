#include "askfew/trials/trial.h"

namespace askfew {

Task task_of(const Dataset& data, const Trial& trial, Exactness exactness) {
  return task_of(make_sampler(trial.sampler,
                              {.key = {.seed = trial.seed, .task = trial.task},
                               .dimension = data.dimension(),
                               .memory = trial.memory},
                              exactness));
}

std::vector<Standing> run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial,
                                std::span<const std::uint64_t> after) {
  Task task = task_of(data, trial);
  std::vector<Standing> standings;
  standings.reserve(after.size());
  run_rows(data, rows, trial.task, task, [&](const Round& /*round*/) {
    if (standings.size() < after.size() && task.confusion.rounds() == after[standings.size()]) {
      const Tally& tally = task.sampler->tally();
      standings.push_back({.rounds = tally.round,
                           .asked = tally.asked,
                           .updates = tally.updates,
                           .expected_asked = tally.expected_asked,
                           .confusion = task.confusion});
    }
    return true;
  });
  return standings;
}

Standing run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial) {
  const std::uint64_t end = rows.size();
  return rows.empty() ? Standing{} : run_trial(data, rows, trial, {&end, 1})[0];
}

}  // namespace askfew
