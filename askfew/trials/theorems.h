#pragma once

// Which theorem is about which sampler, and its bound on a stream.

#include <optional>
#include <string>
#include <vector>

#include "askfew/trials/observed_runs.h"

namespace askfew {

/// The bound of a paper's theorem for a sampler on a stream.
struct TheoremRow {
  std::string theorem;  ///< "2006, Theorem 1"
  std::string promise;  ///< the quantity that is bounded
  double bound = infinity;
  double gamma = 0;  ///< the margin of u with the smallest bound; infinite: u = 0 gives it
  /// The smallest bound with u's loss on all rounds instead of its expected loss on the updates, which is
  /// known only from the runs; nothing for a theorem without such a loss.
  std::optional<double> over_all_rounds{};
  double standard_error = 0;  ///< of `bound`, because the loss on the updates is a mean over few runs; 0 for
                              ///< one run, and for a bound that no run changes
  std::string why_not;        ///< the condition of the theorem that fails; then there is no bound. Empty: the
                              ///< theorem applies
};

/// The comparator for a theorem about the sampler: u, or the positive part of u for a learner whose weights
/// are never negative.
std::vector<double> admissible(const SamplerConfig& config, std::vector<double> u);

/// All theorems about a sampler; empty if the papers have none. REQUIRES: u is admissible, and the runs are
/// of this sampler.
std::vector<TheoremRow> theorems_on(const SamplerConfig& config, const StreamShape& stream,
                                    const ObservedRuns& runs, const ComparatorOnStream& u);

/// Sets the standard errors of the rows: the jackknife over at most 20 groups of runs. `u`: the comparator.
void set_standard_errors(const SamplerConfig& config, const StreamShape& stream, const ObservedRuns& runs,
                         std::span<const double> u, const LabelledRows& rows,
                         std::vector<TheoremRow>& results);

}  // namespace askfew
