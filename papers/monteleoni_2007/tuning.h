#pragma once

#include "papers/monteleoni_2007/problems.h"

namespace askfew::monteleoni_2007 {

/// The settings that are tried for an algorithm; a single one where nothing is to be tuned.
std::vector<SamplerConfig> settings_of(Algorithm algorithm);

/// What a setting needs on the folds of the examples to tune on.
struct Tried {
  std::size_t not_reached = 0;  ///< folds that never reach the threshold
  double labels = 0;            ///< the mean over those that do
};
/// The one that reaches the threshold on most folds; among those, with the fewest labels. REQUIRES: there is
/// one.
std::size_t best_of(std::span<const Tried> tried);

/// For every problem and algorithm the setting that needs the fewest labels, problem by problem.
/// THROWS: as `run_jobs`.
std::vector<std::array<SamplerConfig, algorithms>> tune(std::span<const Problem> problems, const Sizes& sizes,
                                                        std::uint64_t seed, const JobsOptions& options);

}  // namespace askfew::monteleoni_2007
