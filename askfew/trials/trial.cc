#include "askfew/trials/trial.h"

namespace askfew {

std::vector<Standing> run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial,
                                std::span<const std::uint64_t> after) {
  const auto sampler = make_sampler(
      trial.sampler, {.key = {.seed = trial.seed, .task = trial.task}, .dimension = data.dimension()});
  std::vector<Standing> standings;
  standings.reserve(after.size());
  Confusion confusion;
  for (const std::uint32_t row : rows) {
    const FeatureView x = data.x(row);
    const Label y = data.label(row, trial.task);
    const Query query = sampler->ask(x);
    confusion.add(query.prediction, y);
    if (query.asked) sampler->tell(x, y, query);
    if (standings.size() < after.size() && confusion.rounds() == after[standings.size()]) {
      const Tally& tally = sampler->tally();
      standings.push_back({.rounds = tally.round,
                           .asked = tally.asked,
                           .updates = tally.updates,
                           .expected_asked = tally.expected_asked,
                           .confusion = confusion});
    }
  }
  return standings;
}

Standing run_trial(const Dataset& data, std::span<const std::uint32_t> rows, const Trial& trial) {
  const std::uint64_t end = rows.size();
  return rows.empty() ? Standing{} : run_trial(data, rows, trial, {&end, 1})[0];
}

}  // namespace askfew
