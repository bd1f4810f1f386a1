#pragma once

#include <optional>
#include <string>
#include <vector>

#include "askfew/trials/observed_runs.h"

namespace askfew {

/// What a theorem of the papers promises of a sampler on a stream.
struct TheoremRow {
  std::string theorem;  ///< "2006, Theorem 1"
  std::string promise;  ///< of what the bound is
  double bound = infinity;
  double gamma = 0;  ///< the margin of u that gives the smallest bound; infinite: u = 0 does
  /// The smallest bound with u's loss on all rounds in the place of its expected loss on the updates, which
  /// only the runs tell; nothing for a theorem that has no such loss.
  std::optional<double> over_all_rounds{};
  std::string why_not;  ///< what the theorem needs that is not so; then there is no bound. Empty: it applies
};

/// What a theorem about the sampler compares it with: u, or the positive part of u for a learner whose
/// weights are never negative.
std::vector<double> admissible(const SamplerConfig& config, std::vector<double> u);

/// All theorems about a sampler; none, if the papers have none.
/// REQUIRES: u is admissible, and the runs are of this sampler.
std::vector<TheoremRow> theorems_on(const SamplerConfig& config, const StreamShape& stream,
                                    const ObservedRuns& runs, const ComparatorOnStream& u);

}  // namespace askfew
