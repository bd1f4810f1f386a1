#pragma once

#include "papers/monteleoni_2007/problems.h"

namespace askfew::monteleoni_2007 {

/// The settings that are tried for an algorithm; one setting if the algorithm has nothing to tune.
std::vector<SamplerConfig> settings_of(Algorithm algorithm);

/// The result of one setting on the folds of the tuning examples.
struct Tried {
  std::size_t not_reached = 0;  ///< folds that never reach the threshold
  double labels = 0;            ///< the mean over the folds that reach it
};
/// The index of the setting that reaches the threshold on most folds; among equals, the setting with the
/// fewest labels. A fold that never reaches the threshold needs more labels than there are: no mean over the
/// other folds makes up for it. REQUIRES: `tried` is not empty.
std::size_t best_of(std::span<const Tried> tried);

/// The best setting of every algorithm, per problem.
/// THROWS: as `run_jobs`.
std::vector<std::array<SamplerConfig, algorithms>> tune(std::span<const Problem> problems, const Sizes& sizes,
                                                        std::uint64_t seed, const JobsOptions& options);

}  // namespace askfew::monteleoni_2007
